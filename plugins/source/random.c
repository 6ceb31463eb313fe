// SPDX-License-Identifier: Apache-2.0
/*
 * Source `random`: bodies by number or solid fraction, at random places.
 *
 * Idea: random sequential addition. Uniform positions are tried until one is free, the largest
 * bodies first (small ones find a place between large ones, not the other way round). It ends near a
 * solid fraction of 0.38 for equal spheres and 0.54 for equal discs, earlier in practice: more is
 * the work of settling under gravity. Bodies lie inside the region with their whole bounding ball,
 * except along periodic axes that the region spans.
 *
 * Steps: 1. Sizes are drawn by number until `count` or `fraction` is reached.
 *        2. By descending size: places are drawn, the host is asked which are free, the first one is
 *           held. Each try is a number of its own, so that several are asked for at a time: those of a
 *           body, and when there are many those of a block of bodies (random/block.c).
 *        3. All bodies are added in the order of their numbers.
 *
 * In a run (a modifier owns the source) bodies are placed in the order of their numbers, and those
 * before the first that finds no place are added.
 *
 * Cost: O(1) per try; 40 bytes a body in the meantime, and 16 for the map of taken places, which spares
 * most questions to the host in dense packings (random/cover.c); 370 for a body of a block.
 */
#include "random/scatter.h"

/* Bodies of a block: a share of those that are there. */
enum { SHARE = 32, LEAST_IN_BLOCK = 32, MOST_IN_BLOCK = 65536 };

typedef struct random_source {
    const scree_host *host;
    const scree_query *query; // NULL: the host does not offer it
    const random_config *config;
} random_source;

/* More than any packing can hold: seen before memory for all of them is taken. */
static int32_t refuse_all(const scatter *s, double scale)
{
    const packing *p = &s->p;
    if (!packing_fits(p, packing_reach(p, scale))) // which says so
        return SCREE_E_CONFIG;
    return packing_problem(p,
                           "no place for %lld bodies: %llu of them have the volume of the region; "
                           "take a larger region or fewer bodies",
                           (long long)p->config->count, (unsigned long long)s->n + 1);
}

/* Sizes in the order of their numbers. */
static int32_t draw_sizes(scatter *s)
{
    const packing *p = &s->p;
    double target = p->config->fraction * packing_region(p), sum = 0.0;
    for (;; s->n++) {
        double scale = packing_scale(p, p->args->first + s->n);
        // By fraction: the last body is taken when that comes nearer to the target.
        if (p->config->count >= 0 ? s->n >= (uint64_t)p->config->count
                                  : sum + 0.5 * packing_solid(p, scale) > target)
            return SCREE_OK;
        if (s->n >= p->args->most)
            return SCREE_OK;
        if (s->n >= MOST_BODIES)
            return packing_problem(p, "more than %u bodies", MOST_BODIES);
        sum += packing_solid(p, scale);
        if (p->args->add_shape && p->config->count >= 0 && sum > packing_region(p))
            return refuse_all(s, scale);
        if (!scree_grow(&s->bodies, &s->capacity, s->n + 1, sizeof *s->bodies))
            return p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
        s->bodies[s->n].scale = scale;
    }
}

static int compare(const void *pa, const void *pb)
{
    const rank *a = (const rank *)pa, *b = (const rank *)pb;
    if (a->scale != b->scale)
        return a->scale > b->scale ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int32_t sort_sizes(scatter *s)
{
    if (!scree_grow(&s->order, &s->n_order, s->n + 1, sizeof *s->order))
        return s->p.host->fail(s->p.host->ctx, SCREE_E_MEMORY, "out of memory");
    for (uint64_t i = 0; i < s->n; i++) {
        s->order[i].scale = s->bodies[i].scale;
        s->order[i].number = (uint32_t)i;
    }
    if (s->p.args->add_shape) // in a run, by number: those before the first without room are added
        qsort(s->order, s->n, sizeof *s->order, compare);
    return SCREE_OK;
}

/* A place of the body of a rank, which is held. *found: 0 after all tries. */
static int32_t place_one(scatter *s, uint64_t at, int *found)
{
    const packing *p = &s->p;
    const uint32_t body = s->order[at].number;
    seeker w;
    trial_arrays arrays;
    seeker_begin(s, &w, body);
    int32_t code = seeker_finish(s, &w, found);
    if (code < 0 || !*found)
        return code;
    s->chunk.shape[0] = p->config->body->shape;
    s->chunk.scale[0] = w.scale;
    for (int k = 0; k < 3; k++)
        s->chunk.x[k][0] = s->bodies[body].x[k] = w.x[w.at][k];
    for (int k = 0; k < 4; k++)
        s->chunk.q[k][0] = w.q[k];
    code = p->query->hold(p->query->ctx, packing_trials(&s->chunk, 0, 1, &arrays));
    scatter_mark(s, &w, w.x[w.at]);
    return code;
}

/* Bodies to place at a time, when `placed` of n are there. */
static uint64_t block_size(const scatter *s, uint64_t placed)
{
    uint64_t size = placed / SHARE < MOST_IN_BLOCK ? placed / SHARE : MOST_IN_BLOCK;
    if (!scatter_balls(s) || !s->p.args->add_shape || size < LEAST_IN_BLOCK)
        return 1;
    return size < s->n - placed ? size : s->n - placed;
}

/* No place for the body of rank i. */
static int32_t refuse_one(scatter *s, uint64_t i)
{
    const packing *p = &s->p;
    double sum = 0.0;
    for (uint64_t k = 0; k < i; k++)
        sum += packing_solid(p, s->order[k].scale);
    s->placed = p->args->add_shape ? 0 : i;
    return PACKING_FULL(p,
                        "no place for a body of %s %g m after %lld tries: %llu of %llu "
                        "are placed, solid fraction %.3f; take a larger region, fewer "
                        "bodies or more `tries`",
                        packing_radius(p), packing_reach(p, s->order[i].scale),
                        (long long)s->config->tries, (unsigned long long)i,
                        (unsigned long long)s->n, sum / packing_region(p));
}

static int32_t place_all(scatter *s)
{
    const packing *p = &s->p;
    uint64_t placed = 0, looked = 0;
    while (placed < s->n) {
        const uint64_t size = block_size(s, placed);
        uint64_t done = 0;
        int found = 0;
        if (!packing_fits(p, packing_reach(p, s->order[placed].scale)))
            return SCREE_E_CONFIG;
        int32_t code =
            size > 1 ? scatter_place_block(s, placed, size, &done) : place_one(s, placed, &found);
        if (code < 0)
            return code;
        done += (uint64_t)found;
        placed += done;
        if (done < size)
            return refuse_one(s, placed);
        if (placed - looked < 1024)
            continue;
        looked = placed;
        if (p->host->cancelled(p->host->ctx))
            return SCREE_E_CANCELLED;
    }
    s->placed = placed;
    return SCREE_OK;
}

static int32_t add_all(scatter *s)
{
    const packing *p = &s->p;
    s->chunk.n = 0;
    for (uint64_t i = 0; i < s->placed; i++) {
        packing_put(p, &s->chunk, p->args->first + i, s->bodies[i].scale, s->bodies[i].x);
        if (s->chunk.n < CHUNK && i + 1 < s->placed)
            continue;
        int32_t code = packing_add(p, &s->chunk, s->chunk.n);
        if (code < 0)
            return code;
        s->chunk.n = 0;
    }
    return SCREE_OK;
}

static int32_t make(void *instance, const scree_making *args)
{
    const random_source *self = (const random_source *)instance;
    const packing_config *c = &self->config->packing;
    scatter s = {.config = self->config};
    int32_t code = packing_begin(&s.p, self->host, self->query, c, args);
    if (code >= 0)
        code = draw_sizes(&s);
    if (code >= 0)
        code = sort_sizes(&s);
    if (code >= 0)
        code = scatter_begin_cover(&s);
    if (code >= 0)
        code = place_all(&s);
    const int32_t added = add_all(&s);
    code = code < 0 ? code : added;
    cover_clear(&s.cover);
    free(s.bodies);
    free(s.order);
    return code;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const packing_config *c = &((const random_config *)config)->packing;
    if (c->count < 0 && isnan(c->fraction))
        return host->fail(host->ctx, SCREE_E_CONFIG, "count or fraction is missing");
    random_source *self = (random_source *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->query = packing_query(host);
    self->config = (const random_config *)config;
    if (!self->query) {
        free(self);
        return SCREE_E_UNSUPPORTED;
    }
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static uint64_t bytes(void *instance)
{
    return instance ? sizeof(random_source) : 0;
}

PACKING_PARAMS(random_config);
SCREE_INT_PARAM(random_config, tries, 0, 10000, 1, 1000000000, "places that are tried for a body");

static const scree_param *const params[] = {&param_region,   &param_body, &param_count,
                                            &param_fraction, &param_grow, &param_tries};

static const scree_source_ops ops = {.size = sizeof(scree_source_ops),
                                     .create = create,
                                     .destroy = destroy,
                                     .bytes = bytes,
                                     .make = make};

static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_SOURCE,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "random",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "bodies by number or solid fraction, at random places",
    .summary = "Tries uniform places in a region until one is free, the largest bodies first. It "
               "ends near a solid fraction of 0.38 for equal spheres and 0.54 for equal discs. "
               "Bodies are inside the region with the whole ball that holds them, and overlap "
               "nothing that is there: a solid by its shape, a clump by its balls. Along a "
               "periodic axis that the region spans from end to end they may be anywhere. Sizes, "
               "places, turns and velocities are drawn by the number of the body from the scene's "
               "seed and the name of the group.",
    .citation = "B. Widom, Random sequential addition of hard spheres to a volume, J. Chem. Phys. "
                "44 (1966) 3888-3894",
    .config_size = sizeof(random_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
