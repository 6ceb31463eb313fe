// SPDX-License-Identifier: Apache-2.0
/*
 * Source `packing`: deposition and compaction by biased diffusion.
 *
 * Source: R. M. O'Connor, A distributed discrete element modeling environment, MIT 1996, sections
 * 8.2 and 8.3.3, equation (8.2).
 *
 * Idea: no forces, only the rule that bodies do not overlap. In each update a body wants to move by
 * a random increment with a drift, and to turn; those whose new pose overlaps nothing do so
 * (sites.c). Bodies that are not there yet try to enter at a random place.
 *
 *     along axis k:  -D_k B_k tau + sqrt(2 D_k tau) xi     xi: a normal random number
 *     about axis k:  sqrt(2 D_r tau) xi                    of the world
 *
 * A lone body so has the mean -D B t and the variance 2 D t: its density follows
 *
 *     d rho / dt = D (d^2 rho / dx^2 + B d rho / dx)
 *
 * Steps: 1. Sizes are drawn by number until `count` or `fraction` is reached.
 *        2. Updates: increments, poses in the region, which bodies move, lengths of increments.
 *        3. The bodies are added in the order of their numbers.
 *
 * Cost: per update one question to the host for each body, and one pair search among the bodies;
 * 3 x 80 + 21 bytes per body, and those of the host's index.
 *
 * Deviations: (8.2) as printed has D (d^2 rho / dx^2 + B), which creates mass; the B term is a
 * gradient here. A body that is blocked takes a shorter time in the next update, down to `shortest`
 * of tau, and a longer one when it has moved (the paper has one time): else bodies come to rest an
 * increment apart. Poses beyond the box of the region are moved onto its faces. In a scene with facets an increment
 * is at most as long as a body is thick, so that no body jumps through a wall.
 *
 * Limits: no force holds the packing: most bodies touch nothing. Some steps of the scene with
 * gravity let it settle.
 */
#include "packing.h"

#include <stdlib.h>

#include "balls.h"
#include "random/sizes.h"
#include "sites.h"

enum { WINDOW = 32 }; // updates over which the advance is measured
enum { DRAWS = 64 };  // most random numbers of a kind for a body in an update
enum { TRIES = 16 };  // most places where a body tries to enter in an update
#define SPREAD 0.5    // [-] of the mean radius: spread of an increment, without D
#define DRIFT 2.0     // [-] of the mean radius: drift of an update, without B
#define LONGER 1.25   // [-] of the time of a body that has moved
#define SHORTER 0.95  // [-] of the time of a body that was blocked

typedef struct packing_source_config {
    packing_config packing; // first
    const scree_zone *entry;
    scree_reals diffusion, bias; // [m^2/s], [1/m]; empty: by the size of the bodies
    double turning, tau;         // [1/s], NaN: by the size of the bodies; [s]
    double shortest, rest;
    int64_t updates;
} packing_source_config;

typedef struct packing_source {
    const scree_host *host;
    const scree_query *query;
    const packing_source_config *config;
} packing_source;

#define WAITS SCREE_NONE // place of a body that has not entered

/* One call of make(). */
typedef struct filling {
    packing p; // first
    const packing_source_config *config;
    sites sites;
    balls balls;
    int of_balls;
    uint64_t n, update;
    double *scale, *share; // [n] [-] scales; times of updates over tau
    uint32_t *place;       // [n] place in site 0, or WAITS
    uint8_t *moved;        // [n] 1: moved in this update
    double drift[3];       // [m] of an update
    double spread[3];      // [m] standard deviation of an update
    double spin;           // [rad] the same for turns
    double size;           // [m] mean radius of the balls of equal volume
    double most;           // [-] longest increment over the scale
    double advance;        // [m] along the drift, summed over bodies, in the present window
} filling;

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
        const double length = SPREAD * f->size;
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
    f->of_balls = !getenv("PC_SLOW") && balls_serve(p->args->bodies, p->shape, p->max_scale);
    if (f->of_balls && !balls_begin(&f->balls, p->args->bodies, p->shape, p->min, p->max, f->n))
        return p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
    set_increments(f);
    return SCREE_OK;
}

/* ---- an update ---- */

/* Draws n normal random numbers of a body (Box and Muller 1958). */
static void draw_normal(const filling *f, int stream, uint64_t number, uint32_t n, double *out)
{
    const uint64_t call = (f->p.args->step << 32) + DRAWS * f->update; // a later call draws others
    for (uint32_t k = 0; k < n; k += 2) {
        const double u = packing_draw(&f->p, stream, number, call + k);
        const double angle = 2.0 * PI * packing_draw(&f->p, stream, number, call + k + 1);
        const double length = sqrt(-2.0 * log(1.0 - u));
        out[k] = length * cos(angle);
        out[k + 1] = length * sin(angle);
    }
}

/* Turns a unit quaternion by an angle about each axis of the world. */
static void turn(const double angle[3], double q[4])
{
    const double whole = sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);
    const double s = whole > 0.0 ? sin(0.5 * whole) / whole : 0.5, w = cos(0.5 * whole);
    const double x = s * angle[0], y = s * angle[1], z = s * angle[2];
    const double a[4] = {q[0], q[1], q[2], q[3]};
    double length = 0.0;
    q[0] = w * a[0] - x * a[1] - y * a[2] - z * a[3];
    q[1] = w * a[1] + x * a[0] + y * a[3] - z * a[2];
    q[2] = w * a[2] - x * a[3] + y * a[0] + z * a[1];
    q[3] = w * a[3] + x * a[2] - y * a[1] + z * a[0];
    for (int k = 0; k < 4; k++)
        length += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(length);
}

/* Sets x and q to the pose that a body wants, from its pose of site 0. */
static void draw_pose(const filling *f, uint64_t i, double x[3], double q[4])
{
    const uint64_t number = f->p.args->first + i;
    const uint32_t at = f->place[i];
    const double share = f->share[i], root = sqrt(share);
    double xi[4], step[3] = {0.0, 0.0, 0.0}, length = 0.0;
    for (int k = 0; k < 4; k++)
        q[k] = f->sites.q[k][at];
    draw_normal(f, STREAM_WALK, number, f->p.dimension, xi);
    for (uint32_t k = 0; k < f->p.dimension; k++) {
        step[k] = share * f->drift[k] + root * f->spread[k] * xi[k];
        length += step[k] * step[k];
    }
    length = sqrt(length);
    const double most = f->most * f->scale[i], by = length > most ? most / length : 1.0;
    for (uint32_t k = 0; k < 3; k++)
        x[k] = f->sites.x[k][at] + by * step[k];
    if (f->spin == 0.0)
        return;
    double angle[4] = {0.0, 0.0, 0.0};
    if (f->p.dimension == 2) {
        draw_normal(f, STREAM_SPIN, number, 1, xi);
        angle[2] = root * f->spin * xi[0];
    } else {
        draw_normal(f, STREAM_SPIN, number, 3, xi);
        for (int k = 0; k < 3; k++)
            angle[k] = root * f->spin * xi[k];
    }
    turn(angle, q);
}

/* Sets x and q to a random pose where a body may enter, in its try t of this update. */
static void draw_entry(const filling *f, uint64_t i, uint64_t t, double x[3], double q[4])
{
    const uint64_t number = f->p.args->first + i, call = f->p.args->step << 32;
    const double r = packing_reach(&f->p, f->scale[i]);
    packing_turn(&f->p, number, q);
    for (uint32_t k = 0; k < f->p.dimension; k++) {
        double lo, hi;
        packing_range(&f->p, r, k, &lo, &hi);
        lo = fmin(fmax(lo, f->config->entry->lo[k]), hi);
        hi = fmax(fmin(hi, f->config->entry->hi[k]), lo);
        x[k] = lo + (hi - lo) * packing_draw(&f->p, STREAM_PLACE, number,
                                             call + DRAWS * f->update + 4 * t + k);
    }
}

/* Brings a pose into the region; 0: it is outside. */
static int hold(const filling *f, uint64_t i, double x[3])
{
    const double r = packing_reach(&f->p, f->scale[i]);
    for (uint32_t k = 0; k < f->p.dimension; k++) {
        double lo, hi;
        packing_range(&f->p, r, k, &lo, &hi);
        if (!f->p.spans[k] && f->p.config->region->type == SCREE_ZONE_BOX)
            x[k] = x[k] < lo ? lo : x[k] > hi ? hi : x[k];
    }
    return packing_holds(&f->p, x, r);
}

/* Fills site 1: the poses that bodies want. The fewer wait, the more places each of them tries. */
static void want(filling *f)
{
    const uint32_t shape = f->p.config->body->shape;
    const uint64_t waiting = f->n - f->sites.n0;
    const uint64_t most = waiting ? f->n / waiting : 0, tries = most < TRIES ? most : TRIES;
    f->sites.n1 = 0;
    for (uint64_t i = 0; i < f->n; i++) {
        const int waits = f->place[i] == WAITS;
        const uint64_t n = waits ? tries : 1;
        for (uint64_t t = 0; t < n; t++) {
            double x[3] = {0.0, 0.0, 0.0}, q[4];
            if (waits)
                draw_entry(f, i, t, x, q);
            else
                draw_pose(f, i, x, q);
            if (hold(f, i, x) && (!waits || scree_zone_holds(f->config->entry, x, 0.0)))
                sites_want(&f->sites, i, f->place[i], shape, f->scale[i], x, q);
        }
    }
}

/* [m] How far a pose of site 1 is along the drift, from one of site 0. */
static double advance_of(const filling *f, uint32_t from, uint32_t to)
{
    double along = 0.0, drift2 = 0.0;
    for (int k = 0; k < 3; k++) {
        along += f->drift[k] * (f->sites.x[k][to] - f->sites.x[k][from]);
        drift2 += f->drift[k] * f->drift[k];
    }
    return drift2 > 0.0 ? along / sqrt(drift2) : 0.0;
}

/* Makes what is left of site 1 part of site 0. */
static void move(filling *f)
{
    sites *s = &f->sites;
    const uint32_t first = s->n0, n = s->n1;
    memset(f->moved, 0, (size_t)f->n);
    s->n1 = 0;
    for (uint32_t k = first; k < first + n; k++) {
        const uint64_t i = s->body[k];
        if (f->moved[i]) // it has entered at another place
            continue;
        f->moved[i] = 1;
        if (f->place[i] == WAITS) // its pose goes to the end of site 0, no further than it was
            f->place[i] = s->n0++;
        else
            f->advance += advance_of(f, f->place[i], k);
        sites_copy(s, k, f->place[i]);
    }
    for (uint64_t i = 0; i < f->n; i++)
        if (f->place[i] != WAITS)
            f->share[i] = f->moved[i] ? fmin(LONGER * f->share[i], 1.0)
                                      : fmax(SHORTER * f->share[i], f->config->shortest);
}

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

static int32_t update_all(filling *f, const scree_query *query)
{
    const scree_host *host = f->p.host;
    int rest = 0;
    for (f->update = 0; !rest && f->update < (uint64_t)f->config->updates; f->update++) {
        want(f);
        const int32_t code = f->of_balls ? balls_settle(&f->balls, &f->sites, query)
                                         : sites_settle(&f->sites, query);
        if (code < 0)
            return code;
        move(f);
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
    return code < 0 ? code : add_all(f);
}

static int32_t make(void *instance, const scree_making *args)
{
    const packing_source *self = (const packing_source *)instance;
    filling f = {.config = self->config};
    int32_t code = packing_begin(&f.p, self->host, self->query, &self->config->packing, args);
    code = code < 0 ? code : begin(&f);
    code = code < 0 ? code : update_all(&f, self->query);
    code = code < 0 ? code : finish(&f);
    sites_clear(&f.sites);
    balls_clear(&f.balls);
    free(f.scale);
    free(f.share);
    free(f.place);
    free(f.moved);
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
                  "radius");
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

static const scree_param *const params[] = {
    &param_region,  &param_body,    &param_count,   &param_fraction,  &param_grow,
    &param_entry,   &param_updates, &param_rest,    &param_diffusion, &param_bias,
    &param_turning, &param_tau,     &param_shortest};

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
               "turn; it does so if its new pose overlaps neither the old nor the new pose of "
               "another, no wall, and no body that was there before. Bodies that have not entered "
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
