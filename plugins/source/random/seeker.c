// SPDX-License-Identifier: Apache-2.0
// Source `random`: the search for a place of one body.
#include "seeker.h"

enum { LOOK_AHEAD = 8 };

/* The search for a place for one body. */
typedef struct seeker {
    double scale, q[4];
    double lo[3], span[3];    // [m] where its centre may be
    double x[LOOK_AHEAD][3];  // places of the next tries
    uint64_t bit[LOOK_AHEAD]; // their bits on the map, for balls
    uint64_t number;          // number of the body
} seeker;

/* Finds ball b of a body at x. Returns the ball's radius. */
static double find_ball(const scatter *s, const seeker *w, uint32_t b, const double x[3],
                        double centre[3])
{
    const scree_balls *balls = s->p.shape->balls;
    double arm[3] = {0.0, 0.0, 0.0};
    memcpy(centre, x, 3 * sizeof *centre);
    if (!balls)
        return packing_reach(&s->p, w->scale);
    for (int k = 0; k < 3; k++)
        arm[k] = w->scale * balls->centre[k][b];
    scree_rotate(w->q, arm, arm);
    for (int k = 0; k < 3; k++)
        centre[k] += arm[k];
    return w->scale * balls->radius[b];
}

/* Finds the region, and the periodic cell. */
static taken_space find_space(const packing *p)
{
    const scree_bodies *all = p->args->bodies;
    taken_space space = {.dimension = p->dimension, .cell = *all->cell};
    for (uint32_t k = 0; k < p->dimension; k++) {
        space.min[k] = p->min[k];
        space.max[k] = p->max[k];
    }
    return space;
}

/* Makes the map, and the cells of balls. Solids have neither, because the host is asked about each
 * place. */
int32_t scatter_begin(scatter *s)
{
    const packing *p = &s->p;
    const scree_balls *balls = p->shape->balls;
    double sum = 0.0, least = HUGE_VAL, most = 0.0;
    double smallest = balls ? HUGE_VAL : p->shape->radius, largest = balls ? 0.0 : smallest;
    const uint32_t n_balls = balls ? balls->n : 0;
    const taken_space space = find_space(p);
    s->n_balls = p->shape->flags & SCREE_CAP_ROUND ? 1 : n_balls;
    for (uint32_t b = 0; b < n_balls; b++) {
        smallest = fmin(smallest, balls->radius[b]);
        largest = fmax(largest, balls->radius[b]);
    }
    for (uint64_t i = 0; i < s->n; i++) {
        sum += packing_solid(p, s->bodies[i].scale);
        least = fmin(least, s->bodies[i].scale);
        most = fmax(most, s->bodies[i].scale);
    }
    if (!s->n_balls || !s->n)
        return SCREE_OK;
    // Below a solid fraction of 0.1 few tries fail.
    const int mapped = sum / packing_region(p) > 0.1;
    if (taken_init(&s->taken, &space, most * largest, s->n * s->n_balls) &&
        (!mapped ||
         cover_init(&s->cover, p->dimension, least * smallest, p->min, p->max, s->n * s->n_balls)))
        return SCREE_OK;
    return p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
}

void scatter_end(scatter *s)
{
    cover_clear(&s->cover);
    taken_clear(&s->taken);
}

static void begin(const scatter *s, seeker *w, uint32_t body)
{
    const packing *p = &s->p;
    *w = (seeker){.scale = s->bodies[body].scale, .number = p->args->first + body};
    packing_turn(p, w->number, w->q);
    for (uint32_t k = 0; k < p->dimension; k++) {
        double hi;
        packing_range(p, packing_reach(p, w->scale), k, &w->lo[k], &hi);
        w->span[k] = hi - w->lo[k];
    }
}

/* Draws the places of the tries [first, first + n). Meanwhile the lines of the map arrive. */
static void draw(const scatter *s, seeker *w, uint64_t first, uint64_t n)
{
    const packing *p = &s->p;
    const uint64_t call = p->args->step << 32; // a later call tries other places
    for (uint64_t a = 0; a < n; a++) {
        for (uint32_t k = 0; k < p->dimension; k++)
            w->x[a][k] = w->lo[k] + w->span[k] * packing_draw(p, STREAM_PLACE, w->number,
                                                              call + 3 * (first + a) + k);
        if (!s->cover.bits)
            continue;
        // This is written in place, because gcc 12 drops calls of a function that only prefetches.
        w->bit[a] = cover_find(&s->cover, w->x[a]);
        if (w->bit[a] != COVER_NONE)
            __builtin_prefetch(&s->cover.bits[w->bit[a] / 64]);
    }
}

/* Does the map show that a body has no room at place a? */
static int is_covered(const scatter *s, const seeker *w, uint64_t a)
{
    if (!s->cover.bits)
        return 0;
    if (!s->p.shape->balls)
        return cover_hit(&s->cover, w->bit[a], packing_reach(&s->p, w->scale));
    for (uint32_t b = 0; b < s->n_balls; b++) {
        double centre[3], r = find_ball(s, w, b, w->x[a], centre);
        if (cover_hit(&s->cover, cover_find(&s->cover, centre), r))
            return 1;
    }
    return 0;
}

/* Would a body at x overlap one of this call? */
static int is_taken(const scatter *s, const seeker *w, const double x[3])
{
    double at[3];
    memcpy(at, x, sizeof at);
    if (s->n_balls)
        taken_wrap(&s->taken, at);
    for (uint32_t b = 0; b < s->n_balls; b++) {
        double centre[3], r = find_ball(s, w, b, at, centre);
        if (taken_hit(&s->taken, centre, r))
            return 1;
    }
    return 0;
}

/* Describes the body at x, for scree.query/1. */
static scree_new_bodies trial_at(const scatter *s, const seeker *w, const double x[3])
{
    return (scree_new_bodies){.size = sizeof(scree_new_bodies),
                              .n = 1,
                              .shape = &s->p.config->body->shape,
                              .scale = &w->scale,
                              .x = {&x[0], &x[1], &x[2]},
                              .q = {&w->q[0], &w->q[1], &w->q[2], &w->q[3]}};
}

/* Asks about place a: the map, the balls of this call, then the host. */
static int32_t ask(const scatter *s, const seeker *w, uint64_t a, int *is_free)
{
    const packing *p = &s->p;
    const double *x = w->x[a];
    uint32_t index, n_free = 0;
    *is_free = 0;
    if (!packing_holds(p, x, packing_reach(p, w->scale)) || is_covered(s, w, a) ||
        is_taken(s, w, x))
        return SCREE_OK;
    const scree_new_bodies trial = trial_at(s, w, x);
    const int32_t code = p->query->find_free(p->query->ctx, &trial, 1, &index, &n_free);
    *is_free = code >= 0 && n_free;
    return code;
}

/* Marks the place of a body as taken. */
static int32_t take(scatter *s, const seeker *w, const double x[3])
{
    const packing *p = &s->p;
    double centre[3], at[3], r;
    memcpy(at, x, sizeof at);
    if (s->n_balls)
        taken_wrap(&s->taken, at);
    for (uint32_t b = 0; b < s->n_balls; b++) {
        if (s->cover.bits) {
            r = find_ball(s, w, b, x, centre);
            cover_add(&s->cover, centre, r);
        }
        r = find_ball(s, w, b, at, centre);
        if (!taken_add(&s->taken, centre, r))
            return p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
    }
    const scree_new_bodies trial = trial_at(s, w, x);
    return s->n_balls ? SCREE_OK : p->query->hold(p->query->ctx, &trial);
}

int32_t scatter_find_place(scatter *s, uint32_t body, int *found)
{
    const uint64_t tries = (uint64_t)s->config->tries;
    uint64_t ahead = 1;
    seeker w;
    begin(s, &w, body);
    *found = 0;
    for (uint64_t t = 0; t < tries; t += ahead, ahead = ahead < LOOK_AHEAD ? 2 * ahead : ahead) {
        ahead = ahead < tries - t ? ahead : tries - t;
        draw(s, &w, t, ahead);
        for (uint64_t a = 0; a < ahead; a++) {
            const int32_t code = ask(s, &w, a, found);
            if (code < 0)
                return code;
            if (!*found)
                continue;
            memcpy(s->bodies[body].x, w.x[a], sizeof w.x[a]);
            return take(s, &w, w.x[a]);
        }
    }
    return SCREE_OK;
}
