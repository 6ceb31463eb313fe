/* SPDX-License-Identifier: Apache-2.0 */
/* modifier/stir: moves free bodies at random between two steps, and makes no overlap. */
/*
 * Shows    scree.query/1 for many bodies that move at once: find_free asks whether the new place
 *          of a body overlaps anything but the body itself (`instead`), find_pairs whether two new
 *          places overlap. Of such a pair the body with the lower id stays where it is.
 */
#include <scree/sdk.h>

typedef struct stir_config {
    double step;
} stir_config;

typedef struct stir {
    const scree_host *host;
    const scree_query *query;
    const stir_config *config;
} stir;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const scree_query *query =
        (const scree_query *)host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    stir *self;
    if (!query || !SCREE_HAS(query, find_pairs))
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no find_pairs");
    self = (stir *)malloc(sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->query = query;
    self->config = (const stir_config *)config;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

/* New places of n bodies: columns of one piece of memory. */
typedef struct places {
    uint64_t *id;
    double *x[3], *q[4], *scale;
    uint32_t *shape, *is_free;
    uint8_t *stays;
} places;

static int32_t lay_out(const stir *self, uint32_t n, places *p)
{
    const size_t row = 9 * sizeof(double) + 2 * sizeof(uint32_t) + 1;
    char *at = (char *)self->host->scratch(self->host->ctx, 0, row * n + 1);
    if (!at)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "out of memory");
    p->id = (uint64_t *)(void *)at;
    for (int k = 0; k < 3; k++)
        p->x[k] = (double *)(void *)at + (size_t)(1 + k) * n;
    for (int k = 0; k < 4; k++)
        p->q[k] = (double *)(void *)at + (size_t)(4 + k) * n;
    p->scale = (double *)(void *)at + (size_t)8 * n;
    p->shape = (uint32_t *)(void *)(at + 9 * sizeof(double) * n);
    p->is_free = p->shape + n;
    p->stays = (uint8_t *)(p->is_free + n);
    return SCREE_OK;
}

static void draw(const stir *self, const scree_step *args, places *p)
{
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0; i < b->n_free; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint64_t bits =
                self->host->random(self->host->ctx, 1, b->id[i], 4 * args->step + k);
            p->x[k][i] = b->x[k][i];
            if (k < b->dimension)
                p->x[k][i] += self->config->step * (2.0 * scree_uniform(bits) - 1.0);
        }
        for (int k = 0; k < 4; k++)
            p->q[k][i] = b->q[k][i];
        p->id[i] = b->id[i];
        p->scale[i] = b->scale[i];
        p->shape[i] = b->shape[i];
        p->stays[i] = 1;
    }
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const stir *self = (const stir *)instance;
    const uint32_t n = args->bodies->n_free;
    scree_trial_pairs pairs = {sizeof pairs, 0, 0, NULL};
    uint32_t n_free = 0;
    places p;
    int32_t code = lay_out(self, n, &p);
    if (code < 0)
        return code;
    draw(self, args, &p);
    const scree_new_bodies trials = {.size = sizeof trials,
                                     .n = n,
                                     .shape = p.shape,
                                     .scale = p.scale,
                                     .x = {p.x[0], p.x[1], p.x[2]},
                                     .q = {p.q[0], p.q[1], p.q[2], p.q[3]},
                                     .instead = p.id};
    code = self->query->find_free(self->query->ctx, &trials, n, p.is_free, &n_free);
    for (uint32_t k = 0; k < n_free; k++)
        p.stays[p.is_free[k]] = 0;
    if (code >= 0)
        code = self->query->find_pairs(self->query->ctx, &trials, 0, &pairs);
    for (uint64_t k = 0; code >= 0 && k < pairs.n; k++) {
        const uint32_t a = pairs.pair[k].a, c = pairs.pair[k].b;
        p.stays[p.id[a] < p.id[c] ? a : c] = 1;
    }
    for (uint32_t i = 0; code >= 0 && i < n; i++) {
        const double x[3] = {p.x[0][i], p.x[1][i], p.x[2][i]};
        const scree_body_change change = {.size = sizeof change, .id = p.id[i], .x = x};
        if (!p.stays[i])
            code = args->edits->set(args->edits->ctx, &change);
    }
    return code;
}

SCREE_REAL_PARAM(stir_config, step, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL,
                 "longest move along an axis");
static const scree_param *const params[] = {&param_step};
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .after_step = after_step};
static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_MODIFIER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "stir",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "moves free bodies at random between two steps, without overlaps",
    .config_size = sizeof(stir_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
