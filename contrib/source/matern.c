/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source/matern: a hard-core process. Bodies are thrown at random places, all at once; of two that
 * overlap the one with the lower number goes, even if a third one removes the other. A ball is whole
 * in the region, except where space repeats.
 *
 * Source   B. Matérn, Spatial variation, 1960: his second process. n balls of one radius r are
 *          thrown into a periodic cell of volume W. The mean number that stays is
 *          (1 - (1 - v)^n) / v, where v = (4 pi / 3) (2 r)^3 / W.
 * Shows    find_pairs and find_free of scree.query/1, for many trials in one call.
 */
#include <scree/sdk.h>

typedef struct matern_config {
    const scree_recipe *body;
    const scree_zone *region;
    int64_t count;
} matern_config;

typedef struct matern {
    const scree_host *host;
    const scree_query *query;
    const matern_config *config;
} matern;

/* Thrown bodies, [n]. */
typedef struct thrown {
    double *x[3], *q[4], *v[3], *w[3], *scale;
    uint32_t *shape, *material, *motion, *index;
} thrown;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const scree_query *query =
        (const scree_query *)host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    matern *self;
    if (!query || !SCREE_HAS(query, find_pairs))
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "the host offers no find_pairs");
    self = (matern *)malloc(sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->query = query;
    self->config = (const matern_config *)config;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

/* One piece of memory for all arrays; NULL: out of memory. */
static void *lay_out(thrown *t, uint64_t n)
{
    enum { COLUMNS = 14 };
    double *at =
        (double *)malloc((size_t)n * (COLUMNS * sizeof(double) + 4 * sizeof(uint32_t)) + 1);
    uint32_t *words = (uint32_t *)(void *)(at ? at + COLUMNS * n : at);
    const int axes = at ? 3 : 0, columns = at ? 4 : 0;
    for (int k = 0; k < axes; k++) {
        t->x[k] = at + (uint64_t)k * n;
        t->v[k] = at + (uint64_t)(3 + k) * n;
        t->w[k] = at + (uint64_t)(6 + k) * n;
    }
    for (int k = 0; k < columns; k++)
        t->q[k] = at + (uint64_t)(9 + k) * n;
    t->scale = at ? at + 13 * n : NULL;
    t->shape = words;
    t->material = at ? words + n : NULL;
    t->motion = at ? words + 2 * n : NULL;
    t->index = at ? words + 3 * n : NULL;
    return at;
}

static double draw(const matern *self, const scree_making *args, uint64_t number, uint64_t k)
{
    const uint64_t call = args->step << 8;
    return scree_uniform(self->host->random(self->host->ctx, 0x6d617465, number, call + k));
}

/* The random part of the velocity along axis k. */
static double spread(const matern *self, const scree_making *args, uint64_t number, uint32_t k)
{
    const scree_recipe *body = self->config->body;
    const double u1 = draw(self, args, number, 4 + 2 * k);
    const double u2 = draw(self, args, number, 5 + 2 * k);
    return body->velocity_random * scree_velocity_spread(body->velocity_uniform, u1, u2);
}

/* The orientation of the recipe, or a random one (Shoemake 1992), in 2D an angle. */
static void turn(const matern *self, const scree_making *args, uint64_t number, double q[4])
{
    const scree_recipe *body = self->config->body;
    const int flat = args->bodies->dimension == 2;
    const double pi = 3.14159265358979323846;
    double u[3];
    for (uint32_t k = 0; k < 3; k++)
        u[k] = draw(self, args, number, 10 + k);
    for (int k = 0; k < 4; k++)
        q[k] = body->q[k];
    if (!body->random_orientation)
        return;
    q[0] = flat ? cos(pi * u[0]) : sqrt(u[0]) * cos(2.0 * pi * u[2]);
    q[1] = flat ? 0.0 : sqrt(1.0 - u[0]) * sin(2.0 * pi * u[1]);
    q[2] = flat ? 0.0 : sqrt(1.0 - u[0]) * cos(2.0 * pi * u[1]);
    q[3] = flat ? sin(pi * u[0]) : sqrt(u[0]) * sin(2.0 * pi * u[2]);
}

static void throw_all(const matern *self, const scree_making *args, const thrown *t, uint64_t n)
{
    const scree_recipe *body = self->config->body;
    const scree_zone *region = self->config->region;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t number = args->first + i;
        t->scale[i] = scree_size_draw(body->sizes, draw(self, args, number, 0));
        const double radius = t->scale[i] * args->bodies->shapes[body->shape]->radius;
        for (uint32_t k = 0; k < 3; k++) {
            const int flat = k >= args->bodies->dimension;
            const double off = scree_repeats(args->bodies->cell, (int)k) ? 0.0 : radius;
            const double side = region->hi[k] - region->lo[k] - 2.0 * off;
            t->x[k][i] = flat ? 0.0 : region->lo[k] + off + side * draw(self, args, number, 1 + k);
            t->v[k][i] = body->velocity[k] + (flat ? 0.0 : spread(self, args, number, k));
            t->w[k][i] = body->spin[k];
        }
        double q[4];
        turn(self, args, number, q);
        for (int k = 0; k < 4; k++)
            t->q[k][i] = q[k];
        t->shape[i] = body->shape;
        t->material[i] = body->material;
        t->motion[i] = body->motion;
    }
}

/* Keeps the bodies index[0] to index[n - 1]. */
static void keep(const thrown *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = t->index[i];
        for (int k = 0; k < 3; k++) {
            t->x[k][i] = t->x[k][from];
            t->v[k][i] = t->v[k][from];
            t->w[k][i] = t->w[k][from];
        }
        for (int k = 0; k < 4; k++)
            t->q[k][i] = t->q[k][from];
        t->scale[i] = t->scale[from];
        t->shape[i] = t->shape[from];
        t->material[i] = t->material[from];
        t->motion[i] = t->motion[from];
    }
}

/* Keeps what overlaps neither the scene nor a later body; `bodies` are those of t. */
static int32_t thin(const matern *self, const thrown *t, scree_new_bodies *bodies)
{
    const scree_query *query = self->query;
    scree_trial_pairs pairs = {sizeof pairs, 0, 0, NULL};
    uint32_t n = 0;
    int32_t code = query->find_pairs(query->ctx, bodies, 0, &pairs);
    if (code < 0)
        return code;
    for (uint32_t i = 0; i < bodies->n; i++)
        t->index[i] = 1;
    for (uint64_t k = 0; k < pairs.n; k++)
        t->index[pairs.pair[k].a] = 0; /* a < b */
    for (uint32_t i = 0; i < bodies->n; i++)
        if (t->index[i])
            t->index[n++] = i;
    keep(t, n);
    bodies->n = n;
    code = query->find_free(query->ctx, bodies, n, t->index, &n);
    if (code < 0)
        return code;
    keep(t, n);
    bodies->n = n;
    return SCREE_OK;
}

static int32_t make(void *instance, const scree_making *args)
{
    const matern *self = (const matern *)instance;
    const scree_zone *region = self->config->region;
    const scree_recipe *body = self->config->body;
    const double largest = scree_size_max(body->sizes) * args->bodies->shapes[body->shape]->radius;
    const uint64_t n = (uint64_t)self->config->count;
    int fits = 1;
    thrown t = {{NULL}, {NULL}, {NULL}, {NULL}, NULL, NULL, NULL, NULL, NULL};
    void *memory;
    int32_t code;
    if (region->type != SCREE_ZONE_BOX) {
        args->problem(args->ctx, NULL, 0, "region: expected a box, or scene.region");
        return SCREE_E_CONFIG;
    }
    for (uint32_t k = 0; k < args->bodies->dimension; k++)
        fits &= scree_repeats(args->bodies->cell, (int)k) ||
                region->hi[k] - region->lo[k] > 2.0 * largest;
    if (!fits) {
        args->problem(args->ctx, NULL, 0, "region: too small for the largest body");
        return SCREE_E_CONFIG;
    }
    memory = lay_out(&t, n);
    if (!memory)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "out of memory");
    throw_all(self, args, &t, n);
    scree_new_bodies bodies = {.size = sizeof bodies,
                               .n = (uint32_t)n,
                               .has_room = 1,
                               .shape = t.shape,
                               .scale = t.scale,
                               .x = {t.x[0], t.x[1], t.x[2]},
                               .q = {t.q[0], t.q[1], t.q[2], t.q[3]},
                               .v = {t.v[0], t.v[1], t.v[2]},
                               .w = {t.w[0], t.w[1], t.w[2]},
                               .material = t.material,
                               .motion = t.motion};
    code = thin(self, &t, &bodies);
    if (bodies.n > args->most)
        bodies.n = (uint32_t)args->most;
    code = code < 0 || !bodies.n ? code : args->add(args->ctx, &bodies);
    free(memory);
    return code;
}

SCREE_INT_PARAM(matern_config, count, 0, 1000, 0, 10000, "thrown bodies");
static const scree_param param_body = {.size = sizeof(scree_param),
                                       .type = SCREE_TYPE_RECIPE,
                                       .flags = SCREE_PARAM_REQUIRED | SCREE_PARAM_INLINE,
                                       .offset = offsetof(matern_config, body),
                                       .name = "body",
                                       .help = "recipe of the bodies"};
static const scree_param param_region = {.size = sizeof(scree_param),
                                         .type = SCREE_TYPE_ZONE,
                                         .flags = SCREE_PARAM_OPTIONAL,
                                         .offset = offsetof(matern_config, region),
                                         .name = "region",
                                         .help = "box of the centres; absent: scene.region"};
static const scree_param *const params[] = {&param_count, &param_body, &param_region};
static const scree_source_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .make = make};
static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SOURCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "matern",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "bodies thrown at random, without those that a later one overlaps",
    .citation = "B. Matern, Spatial variation, Meddelanden fran Statens Skogsforskningsinstitut "
                "49 (1960) no. 5",
    .config_size = sizeof(matern_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
