// SPDX-License-Identifier: Apache-2.0
/*
 * Random sequential addition, of the sources `random` and `polygons` (random.c says more).
 *
 * Steps: 1. Sizes are drawn by number until `count` or `fraction` is reached.
 *        2. By descending size: places are drawn, the host is asked which are free, the first one is
 *           held. Each try is a number of its own, so that several are asked for at a time.
 *        3. All bodies are added in the order of their numbers.
 *
 * Bodies of a family are placed as the balls that hold them.
 */
#include "scatter.h"

#include "cover.h"

enum { LOOK_AHEAD = 8 };

/* A body that has a size and, later, a place. */
typedef struct drawn {
    double scale, x[3];
} drawn;

/* Its rank among those to be placed. */
typedef struct rank {
    double scale;
    uint32_t number;
} rank;

typedef struct scatter {
    packing p; // first
    const scatter_config *config;
    drawn *bodies; // [n]
    rank *order;   // [n]
    uint64_t n, capacity, n_order;
    uint64_t placed; // of them, to be added
    chunk chunk;
    cover cover; // of the bodies that are placed; without bits: none
} scatter;

/* Balls that a body consists of; 0: it is a solid. */
static uint32_t count_balls(const scatter *s)
{
    const scree_shape *shape = s->p.shape;
    return shape->flags & SCREE_CAP_ROUND ? 1 : shape->balls ? shape->balls->n : 0;
}

/* Ball b of a body at x. Returns its radius. */
static double find_ball(const scatter *s, uint32_t b, double scale, const double x[3],
                        const double q[4], double centre[3])
{
    const scree_balls *balls = s->p.shape->balls;
    double arm[3] = {0.0, 0.0, 0.0};
    memcpy(centre, x, 3 * sizeof *centre);
    if (!balls)
        return packing_reach(&s->p, scale);
    for (int k = 0; k < 3; k++)
        arm[k] = scale * balls->centre[k][b];
    scree_rotate(q, arm, arm);
    for (int k = 0; k < 3; k++)
        centre[k] += arm[k];
    return scale * balls->radius[b];
}

/* A map of taken places, where there will be many: below 0.1 few tries are in vain. Solids have
 * none. */
static int32_t begin_cover(scatter *s)
{
    const packing *p = &s->p;
    const scree_balls *balls = p->shape->balls;
    const uint32_t n_balls = balls ? balls->n : 0;
    double sum = 0.0, least = HUGE_VAL, part = balls ? HUGE_VAL : p->shape->radius;
    for (uint64_t i = 0; i < s->n; i++) {
        sum += packing_solid_of(p, p->args->first + i, s->bodies[i].scale);
        least = s->bodies[i].scale < least ? s->bodies[i].scale : least;
    }
    for (uint32_t b = 0; b < n_balls; b++)
        part = balls->radius[b] < part ? balls->radius[b] : part;
    if (!(sum / packing_region(p) > 0.1) || !count_balls(s))
        return SCREE_OK;
    return cover_init(&s->cover, p->dimension, least * part, p->min, p->max, s->n * count_balls(s))
               ? SCREE_OK
               : p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
}

/* Marks the places that body i takes. */
static void mark_cover(scatter *s, const double q[4], double scale, const double x[3])
{
    const uint32_t n = s->cover.bits ? count_balls(s) : 0;
    for (uint32_t b = 0; b < n; b++) {
        double centre[3], radius = find_ball(s, b, scale, x, q, centre);
        cover_add(&s->cover, centre, radius);
    }
}

/* Whether the map knows that a body has no room at x. */
static int is_covered(const scatter *s, const double q[4], double scale, const double x[3])
{
    const uint32_t n = s->cover.bits ? count_balls(s) : 0;
    int covered = 0;
    for (uint32_t b = 0; b < n && !covered; b++) {
        double centre[3], radius = find_ball(s, b, scale, x, q, centre);
        covered = cover_hit(&s->cover, centre, radius);
    }
    return covered;
}

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
        const uint64_t number = p->args->first + s->n;
        double scale = packing_scale(p, number), one = packing_solid_of(p, number, scale);
        // By fraction: the last body is taken when that comes nearer to the target.
        if (p->config->count >= 0 ? s->n >= (uint64_t)p->config->count : sum + 0.5 * one > target)
            return SCREE_OK;
        if (s->n >= p->args->most)
            return SCREE_OK;
        if (s->n >= MOST_BODIES)
            return packing_problem(p, "more than %u bodies", MOST_BODIES);
        sum += one;
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

/* Draws `ahead` places of a body from try t on into the chunk; those that are not in the region, or
 * are known to be taken, are left out. All are drawn before the first is looked at: meanwhile memory
 * comes. */
static void draw_places(scatter *s, uint64_t number, uint64_t t, uint64_t ahead, const double lo[3],
                        const double hi[3])
{
    const packing *p = &s->p;
    const uint64_t call = p->args->step << 32; // a later call tries other places
    double scale = s->chunk.scale[0], r = packing_reach(p, scale), x[LOOK_AHEAD][3] = {{0.0}};
    double q[4];
    for (int k = 0; k < 4; k++)
        q[k] = s->chunk.q[k][0];
    for (uint64_t a = 0; a < ahead; a++) {
        for (uint32_t k = 0; k < p->dimension; k++)
            x[a][k] = lo[k] + (hi[k] - lo[k]) *
                                  packing_draw(p, STREAM_PLACE, number, call + 3 * (t + a) + k);
        if (s->cover.bits)
            cover_fetch(&s->cover, x[a]);
    }
    s->chunk.n = 0;
    for (uint64_t a = 0; a < ahead; a++) {
        if (!packing_holds(p, x[a], r) || is_covered(s, q, scale, x[a]))
            continue;
        for (int k = 0; k < 3; k++)
            s->chunk.x[k][s->chunk.n] = x[a][k];
        s->chunk.n++;
    }
}

/* Sets what the trials of one body have in common. */
static void begin_trials(scatter *s, uint64_t number, double scale, double q[4])
{
    packing_turn(&s->p, number, q);
    for (int i = 0; i < LOOK_AHEAD; i++) {
        s->chunk.shape[i] = s->p.config->body->shape;
        s->chunk.scale[i] = scale;
        for (int k = 0; k < 4; k++)
            s->chunk.q[k][i] = q[k];
    }
}

/* A free place for body i, which is held. *found: 0 after all tries. */
static int32_t find_place(scatter *s, uint32_t i, int *found)
{
    const packing *p = &s->p;
    const uint64_t number = p->args->first + i, tries = (uint64_t)s->config->tries;
    double lo[3] = {0.0, 0.0, 0.0}, hi[3] = {0.0, 0.0, 0.0}, q[4];
    uint64_t ahead = 1;
    trial_arrays arrays;
    for (uint32_t k = 0; k < p->dimension; k++)
        packing_range(p, packing_reach(p, s->bodies[i].scale), k, &lo[k], &hi[k]);
    begin_trials(s, number, s->bodies[i].scale, q);
    *found = 0;
    for (uint64_t t = 0; t < tries && !*found;
         t += ahead, ahead = ahead < LOOK_AHEAD ? 2 * ahead : ahead) {
        uint32_t index = 0, n_free = 0;
        int32_t code;
        if (ahead > tries - t)
            ahead = tries - t;
        draw_places(s, number, t, ahead, lo, hi);
        if (!s->chunk.n)
            continue;
        code = p->query->find_free(p->query->ctx, packing_trials(&s->chunk, 0, s->chunk.n, &arrays),
                                   1, &index, &n_free);
        if (code < 0)
            return code;
        if (!n_free)
            continue;
        *found = 1;
        for (int k = 0; k < 3; k++)
            s->bodies[i].x[k] = s->chunk.x[k][index];
        code = p->query->hold(p->query->ctx, packing_trials(&s->chunk, index, 1, &arrays));
        if (code < 0)
            return code;
        mark_cover(s, q, s->bodies[i].scale, s->bodies[i].x);
    }
    return SCREE_OK;
}

static int32_t place_all(scatter *s)
{
    const packing *p = &s->p;
    const uint64_t n = s->n;
    double sum = 0.0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t body = s->order[i].number;
        double r = packing_reach(p, s->order[i].scale);
        int found = 0;
        if (!packing_fits(p, r))
            return SCREE_E_CONFIG;
        int32_t code = find_place(s, body, &found);
        if (code < 0)
            return code;
        if (!found) {
            s->placed = s->p.args->add_shape ? 0 : i;
            return PACKING_FULL(p,
                                "no place for a body of %s %g m after %lld tries: %llu of %llu "
                                "are placed, solid fraction %.3f; take a larger region, fewer "
                                "bodies or more `tries`",
                                packing_radius(p), r, (long long)s->config->tries,
                                (unsigned long long)i, (unsigned long long)n,
                                sum / packing_region(p));
        }
        sum += packing_solid_of(p, p->args->first + body, s->order[i].scale);
        if (i % 1024 == 0 && p->host->cancelled(p->host->ctx))
            return SCREE_E_CANCELLED;
    }
    s->placed = n;
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

int32_t scatter_make(const scatter_config *config, const scree_host *host, const scree_query *query,
                     const packing_family *family, const scree_making *args)
{
    scatter s = {.config = config};
    int32_t code = packing_begin(&s.p, host, query, &config->packing, args);
    s.p.family = family;
    if (code >= 0)
        code = draw_sizes(&s);
    if (code >= 0)
        code = sort_sizes(&s);
    if (code >= 0)
        code = begin_cover(&s);
    if (code >= 0)
        code = place_all(&s);
    const int32_t added = add_all(&s);
    code = code < 0 ? code : added;
    cover_clear(&s.cover);
    free(s.bodies);
    free(s.order);
    return code;
}
