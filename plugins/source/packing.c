// SPDX-License-Identifier: Apache-2.0
/*
 * Source `packing`: deposition and compaction by biased diffusion.
 *
 * Source: R. M. O'Connor, A distributed discrete element modeling environment, MIT 1996, sections
 * 8.2 and 8.3.3, equation (8.2).
 *
 * Idea: no forces, only the rule that bodies do not overlap. In each update a body wants to move by
 * a random increment with a drift, and to turn. Bodies that are not there yet try to enter at a
 * random place.
 *
 *     along axis k:  -D_k B_k tau + sqrt(2 D_k tau) xi     xi: a random number of the mean 0 and
 *     about axis k:  sqrt(2 D_r tau) xi                    the variance 1; axes of the world
 *
 * A lone body so has the mean -D B t and the variance 2 D t: its density follows
 *
 *     d rho / dt = D (d^2 rho / dx^2 + B d rho / dx)
 *
 * Steps: 1. Sizes are drawn by number until `count` or `fraction` is reached.
 *        2. Updates. Balls move one after the other, each along the free part of its way
 *           (rolling.c). Other bodies move all at once, where their new poses overlap nothing
 *           (at_once.c, sites.c), and so do balls with `as_printed`.
 *        3. The bodies are added in the order of their numbers.
 *
 * Cost: for a ball and update a search of its neighbours; for another body a question to the host,
 * and its part of a search for pairs. Memory: some 600 bytes for a body, and the host's index.
 *
 * Deviations: (8.2) as printed has D (d^2 rho / dx^2 + B), which creates mass; the B term is a
 * gradient here. Increments are even, not normal, so that they have a largest length. Balls do not
 * move all at once: a ball on another one could sink only after that one, so that a
 * hole needs an update for each ball on its way up. Balls move at once in tilted cells, in cells
 * narrower than eight radii, and in regions across a border of the cell. A body that is blocked takes a shorter time in the
 * next update, down to `shortest` of tau, and a longer one when it has moved (the paper has one
 * time): else bodies come to rest an increment apart. Poses beyond the box of the region are moved
 * onto its faces. In a scene with facets an increment is at most as long as a body is thick, so
 * that no body jumps through a wall.
 *
 * Limits: no force holds the packing: most bodies touch nothing. Some steps of the scene with
 * gravity let it settle.
 */
#include "filling.h"

#include <stdlib.h>

#include "random/sizes.h"

enum { WINDOW = 32 }; // updates over which the advance is measured
#define SPREAD 0.5    // [-] of the mean radius: spread of an increment, without D
#define ROLL 0.7      // [-] the same for balls that move one after the other
#define DRIFT 2.0     // [-] of the mean radius: drift of an update, without B

typedef struct packing_source {
    const scree_host *host;
    const scree_query *query;
    const packing_source_config *config;
} packing_source;

/* ---- before the first update ---- */

/* Component k of a list with one number, or one for each axis. */
static double component(scree_reals list, uint32_t k)
{
    return list.v[list.n == 1 ? 0 : k];
}

/* [-] How thick a body of scale 1 is at least, over the scale: a convex body of volume V in a ball
 * of radius R holds a ball of radius V / (4 pi R^2), in 2D a disc of A / (2 pi R). */
static double thickness(const filling *f)
{
    const scree_shape *shape = f->p.shape;
    const double r = shape->radius;
    if (shape->flags & SCREE_CAP_ROUND)
        return r;
    return f->p.dimension == 2 ? shape->volume / (2.0 * PI * r)
                               : shape->volume / (4.0 * PI * r * r);
}

/* Has the scene facets? */
static int has_facets(const filling *f)
{
    const scree_bodies *b = f->p.args->bodies;
    int any = 0;
    for (uint32_t k = 0; k < b->n_shapes; k++)
        any |= (b->shapes[k]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) == SCREE_CAP_WALL;
    return any;
}

/* Sets drift and spread of an update. */
static void set_increments(filling *f)
{
    const packing_source_config *c = f->config;
    const double *g = f->p.args->bodies->gravity;
    const double weight = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    double widest = 0.0, reach = 0.0;
    for (uint64_t i = 0; i < f->n; i++) {
        f->size += f->scale[i] * f->p.equal / (double)f->n;
        reach += packing_reach(&f->p, f->scale[i]) / (double)f->n;
    }
    for (uint32_t k = 0; k < f->p.dimension; k++) {
        const double length = (f->one_by_one ? ROLL : SPREAD) * f->size;
        const double d =
            c->diffusion.n ? component(c->diffusion, k) : 0.5 * length * length / c->tau;
        f->spread[k] = sqrt(2.0 * d * c->tau);
        f->drift[k] = c->bias.n      ? -d * component(c->bias, k) * c->tau
                      : weight > 0.0 ? DRIFT * f->size * g[k] / weight
                                     : 0.0;
        widest = fmax(widest, f->spread[k]);
    }
    f->spin = isnan(c->turning) ? widest / reach : sqrt(2.0 * c->turning * c->tau);
    if (f->p.shape->flags & SCREE_CAP_ROUND)
        f->spin = 0.0;
    f->most = has_facets(f) ? thickness(f) : HUGE_VAL;
}

static int32_t check_lists(const filling *f)
{
    const scree_reals lists[] = {f->config->diffusion, f->config->bias};
    static const char *const names[] = {"diffusion", "bias"};
    for (int i = 0; i < 2; i++)
        if (lists[i].n > 1 && lists[i].n != f->p.dimension)
            return packing_problem(&f->p, "%s: expected 1 or %u numbers, got %llu", names[i],
                                   f->p.dimension, (unsigned long long)lists[i].n);
    return SCREE_OK;
}

static int32_t begin(filling *f)
{
    const packing *p = &f->p;
    int32_t code = check_lists(f);
    code = code < 0 ? code : sizes_draw(p, &f->scale, &f->n);
    if (code < 0)
        return code;
    double solid = 0.0;
    for (uint64_t i = 0; i < f->n; i++) {
        if (!packing_fits(p, packing_reach(p, f->scale[i])))
            return SCREE_E_CONFIG;
        solid += packing_solid(p, f->scale[i]);
    }
    if (solid > packing_region(p))
        return packing_problem(p,
                               "%llu bodies have %g times the volume of the region: expected at "
                               "most 1",
                               (unsigned long long)f->n, solid / packing_region(p));
    f->share = (double *)calloc((size_t)f->n + 1, sizeof *f->share);
    f->place = (uint32_t *)calloc((size_t)f->n + 1, sizeof *f->place);
    f->moved = (uint8_t *)calloc((size_t)f->n + 1, 1);
    if (!f->share || !f->place || !f->moved || !sites_reserve(&f->sites, 3 * f->n))
        return p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
    for (uint64_t i = 0; i < f->n; i++) {
        f->share[i] = 1.0;
        f->place[i] = WAITS;
    }
    f->one_by_one = filling_rolls(f);
    set_increments(f);
    return f->one_by_one ? filling_begin_balls(f) : SCREE_OK;
}

/* ---- updates ---- */

/* Has the drift stopped moving the bodies? Asked after each update. */
static int rests(filling *f)
{
    if ((f->update + 1) % WINDOW)
        return 0;
    const double mean = f->advance / (WINDOW * (double)f->n);
    const int drifts = f->drift[0] != 0.0 || f->drift[1] != 0.0 || f->drift[2] != 0.0;
    f->advance = 0.0;
    return drifts && f->config->rest > 0.0 && f->sites.n0 == f->n &&
           mean < f->config->rest * f->size;
}

static int32_t update_all(filling *f)
{
    const scree_host *host = f->p.host;
    int rest = 0;
    for (f->update = 0; !rest && f->update < (uint64_t)f->config->updates; f->update++) {
        const int32_t code = f->one_by_one ? filling_update_balls(f) : filling_update_all(f);
        if (code < 0)
            return code;
        rest = rests(f);
        if (host->cancelled(host->ctx))
            return SCREE_E_CANCELLED;
    }
    return SCREE_OK;
}

/* ---- after the last update ---- */

/* Adds bodies in the order of their numbers: all, or in a run those before the first that waits. */
static int32_t add_all(const filling *f)
{
    const packing *p = &f->p;
    chunk c = {0};
    int32_t code = SCREE_OK;
    for (uint64_t i = 0; code >= 0 && i < f->n && f->place[i] != WAITS; i++) {
        const uint32_t at = f->place[i];
        double x[3], by[3];
        int32_t cells[3];
        for (int k = 0; k < 3; k++)
            x[k] = f->sites.x[k][at];
        scree_wrap(p->args->bodies->cell, x, INT32_MAX / 2, cells, by);
        for (int k = 0; k < 3; k++)
            x[k] += by[k];
        packing_put(p, &c, p->args->first + i, f->scale[i], x);
        for (int k = 0; k < 4; k++)
            c.q[k][c.n - 1] = f->sites.q[k][at];
        if (c.n < CHUNK)
            continue;
        code = packing_add(p, &c, c.n);
        c.n = 0;
    }
    return code < 0 ? code : packing_add(p, &c, c.n);
}

static int32_t finish(const filling *f)
{
    const packing *p = &f->p;
    const uint64_t in = f->sites.n0;
    double sum = 0.0;
    for (uint64_t i = 0; i < f->n; i++)
        sum += f->place[i] == WAITS ? 0.0 : packing_solid(p, f->scale[i]);
    int32_t code = SCREE_OK;
    if (in < f->n)
        code = PACKING_FULL(p,
                            "%llu of %llu bodies have entered in %llu updates, solid fraction "
                            "%.3f; take a larger region, fewer bodies or more `updates`",
                            (unsigned long long)in, (unsigned long long)f->n,
                            (unsigned long long)f->update, sum / packing_region(p));
    if (code >= 0 && p->args->add_shape) // in a run it would speak at each insertion
        filling_report(f, sum);
    return code < 0 ? code : add_all(f);
}

static int32_t make(void *instance, const scree_making *args)
{
    const packing_source *self = (const packing_source *)instance;
    filling f = {.config = self->config};
    int32_t code = packing_begin(&f.p, self->host, self->query, &self->config->packing, args);
    code = code < 0 ? code : begin(&f);
    code = code < 0 ? code : update_all(&f);
    code = code < 0 ? code : finish(&f);
    sites_clear(&f.sites);
    free(f.scale);
    free(f.share);
    free(f.place);
    free(f.moved);
    balls_clear(&f.balls);
    free(f.room);
    free(f.order);
    free(f.slab);
    return code;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const packing_source_config *c = (const packing_source_config *)config;
    if (c->packing.count < 0 && isnan(c->packing.fraction))
        return host->fail(host->ctx, SCREE_E_CONFIG, "count or fraction is missing");
    const scree_query *query = packing_query(host);
    if (!query)
        return SCREE_E_UNSUPPORTED;
    if (!SCREE_HAS(query, find_pairs))
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host's " SCREE_SERVICE_QUERY " has no find_pairs");
    packing_source *self = (packing_source *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->query = query;
    self->config = c;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static uint64_t bytes(void *instance)
{
    return instance ? sizeof(packing_source) : 0;
}

PACKING_PARAMS(packing_source_config);
static const scree_param param_entry = {.size = sizeof(scree_param),
                                        .type = SCREE_TYPE_ZONE,
                                        .flags = SCREE_PARAM_OPTIONAL,
                                        .offset = offsetof(packing_source_config, entry),
                                        .name = "entry",
                                        .help = "zone in which bodies enter, with their centres; "
                                                "absent: anywhere in the region"};
SCREE_INT_PARAM(packing_source_config, updates, 0, 500, 1, 100000, "most updates");
SCREE_REAL_PARAM(packing_source_config, rest, "-", 0, 0.0, 0.0, 1.0,
                 "ends when the bodies advance by less along the drift in an update: mean of 32 "
                 "updates over the mean radius; 0: never");
SCREE_REALS_PARAM(packing_source_config, diffusion, 0, "m^2/s", SCREE_PARAM_OPTIONAL, 0, 0.0,
                  HUGE_VAL,
                  "D, one number or one for each axis; absent: sqrt(2 D tau) is half the mean "
                  "radius, of balls 0.7 of it");
SCREE_REALS_PARAM(packing_source_config, bias, 0, "1/m", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL,
                  HUGE_VAL,
                  "B, one number or one for each axis: bodies drift by -D B tau; absent: by the "
                  "mean diameter along gravity");
SCREE_REAL_PARAM(packing_source_config, turning, "1/s", SCREE_PARAM_OPTIONAL, 0, 0.0, HUGE_VAL,
                 "D of rotation, about each axis; absent: that of a point on the bounding ball is "
                 "that of the centre");
SCREE_REAL_PARAM(packing_source_config, tau, "s", SCREE_PARAM_MIN_OPEN, 1.0, 0.0, HUGE_VAL,
                 "time of an update");
SCREE_REAL_PARAM(packing_source_config, shortest, "-", SCREE_PARAM_MIN_OPEN, 0x1p-8, 0.0, 1.0,
                 "least time of an update of a body that is blocked, over tau; 1: tau for all");

SCREE_BOOL_PARAM(packing_source_config, as_printed, 0, 0,
                 "true: balls move all at once too, as in the thesis");

static const scree_param *const params[] = {
    &param_region,  &param_body,    &param_count,    &param_fraction,  &param_grow,
    &param_entry,   &param_updates, &param_rest,     &param_diffusion, &param_bias,
    &param_turning, &param_tau,     &param_shortest, &param_as_printed};

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
    .id = "packing",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "a dense packing without dynamics: bodies drift and diffuse, and never overlap",
    .summary = "In each update each body wants to move by a random increment with a drift, and to "
               "turn. Balls move one after the other, each until it touches another ball and then "
               "along it, unless the cell is tilted or narrower than eight radii, or the region "
               "crosses its border. Other bodies move at once, and only if the new pose overlaps "
               "neither the "
               "old nor the new pose of another, no wall, and no body that was there before. "
               "Bodies that have not entered "
               "yet try a random place. Any shape that a resolver of the scene serves packs, in a "
               "container or a periodic cell; bodies are inside the region with the whole ball "
               "that holds them. Nothing overlaps after any update, and most bodies touch "
               "nothing. The poses depend on the scene's seed and the name of the group, on no "
               "contact detection and no number of threads.",
    .citation = "R. M. O'Connor, A distributed discrete element modeling environment: algorithms, "
                "implementation and applications, Ph.D. thesis, MIT, 1996, section 8.2",
    .config_size = sizeof(packing_source_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
