/* SPDX-License-Identifier: Apache-2.0 */
/* The balls of clumps: placed once per evaluation, given to resolvers one by one. */
#include "engine/balls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/arrays.h"
#include "engine/batch_fill.h"
#include "engine/rank_rows.h"

/*
 * Idea: a resolver sees the balls of a clump (SCREE_CAP_BALLS). For a list with such a type, the
 * resolver of the round type is asked. A candidate is then one ball against one ball, against a
 * solid or a wall with its parts, or against a plane:
 *
 *     d = (x_b - x_a + s L) + lever_b - lever_a,  lever = R(q) scale c,  radius = scale r
 *
 * Each contact is then moved to the bodies: its arm grows by lever_a; d stays that of the bodies,
 * so that both torques are about their centres. Laws see the radius of the touching ball.
 *
 * Features must differ in a pair of bodies, and ascend with the candidates:
 *     a resolver with one contact:  part_a << 32 | part_b, 0 for a body that is not a clump
 *     with several:                 part << 40 | kind << 38 | number, with the clump's part; the
 *                                   feature has its kind in its two highest bits, and its number
 *                                   must be below 2^38
 */

enum { KIND = 38, PART = 40 };
#define NUMBER ((1ull << KIND) - 1)

bool scree_balls_any(const scree_world *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->n_shapes; i++)
        any |= (w->shapes[i]->flags & SCREE_CAP_BALLS) != 0;
    return any;
}

/* ---- poses ---- */

static const scree_array ball_rows[] = {
    SCREE_ARRAY(scree_posed, ball, 4, 0),
    SCREE_ARRAY(scree_posed, place, 4, 0),
};
static const scree_arrays ball_arrays = {ball_rows, G_N_ELEMENTS(ball_rows)};

/** Returns the first body after i in [i, end) whose shape is another. */
static uint64_t alike(const scree_world *w, uint64_t i, uint64_t end)
{
    const uint32_t shape = w->shape[i];
    while (i < end && w->shape[i] == shape)
        i++;
    return i;
}

static void pose_bodies(const scree_sim *sim, uint64_t begin, uint64_t end)
{
    const scree_world *w = sim->world;
    const scree_posed *to = &sim->posed;
    for (uint64_t i = begin, next; i < end; i = next) {
        const scree_shape *shape = w->shapes[w->shape[i]];
        const scree_balls *balls = shape->balls;
        double *ball = to->ball + 4 * (size_t)to->first[i];
        double *place = to->place + 4 * (size_t)to->first[i];
        next = alike(w, i, end);
        if (shape->flags & SCREE_CAP_BALLS) {
            sim->kernels->place_balls(i, next, shape->n_parts, balls->centre, balls->radius,
                                      (const double *const *)w->x, (const double *const *)w->q,
                                      w->scale, w->radius, ball, place);
            continue;
        }
        const bool wall = scree_shape_is_wall(shape);
        for (; i < next; i++, ball += 4, place += 4) {
            ball[0] = ball[1] = ball[2] = 0.0;
            place[3] = ball[3] = wall ? 0.0 : w->radius[i];
            for (int k = 0; k < 3; k++)
                place[k] = w->x[k][i];
            place[3] += scree_place_rounding(place, ball[3]);
        }
    }
}

static int32_t pose_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const scree_sim *sim = user;
    for (uint64_t i = begin, next; i < end; i = next) {
        const uint64_t chunk = i / SCREE_SLACK_BODIES;
        next = sim->ranks ? MIN((chunk + 1) * SCREE_SLACK_BODIES, end) : end;
        if (scree_ranks_uses(sim, chunk))
            pose_bodies(sim, i, next);
    }
    return SCREE_OK;
}

/** Counts the balls of all bodies. */
static void count_balls(const scree_world *w, scree_posed *to)
{
    uint64_t n = 0;
    scree_aligned_grow(&to->first, &to->body_capacity, (uint64_t)w->n + 1, 0, sizeof *to->first);
    for (uint32_t i = 0; i < w->n; i++) {
        const scree_shape *shape = w->shapes[w->shape[i]];
        to->first[i] = (uint32_t)n;
        n += shape->flags & SCREE_CAP_BALLS ? shape->n_parts : 1;
    }
    to->first[w->n] = (uint32_t)n;
    scree_arrays_grow(to, ball_arrays, 0, &to->capacity, n, 0);
    to->counted = true;
}

void scree_balls_pose(scree_sim *sim)
{
    if (!sim->posed.any)
        return;
    if (!sim->posed.counted)
        count_balls(sim->world, &sim->posed);
    scree_pool_for(sim->runtime.pool, 0, sim->world->n, 1024, pose_chunk, sim);
}

void scree_balls_clear(scree_posed *posed)
{
    scree_arrays_free(posed, ball_arrays);
    free(posed->first);
    *posed = (scree_posed){0};
}

/* ---- candidates ---- */

static const scree_array batch_rows[] = {
    SCREE_ARRAY(scree_ball_batch, owner, 1, 0),     SCREE_ARRAY_EACH(scree_ball_batch, ball, 0),
    SCREE_ARRAY(scree_ball_batch, a, 1, 0),         SCREE_ARRAY(scree_ball_batch, b, 1, 0),
    SCREE_ARRAY(scree_ball_batch, part_a, 1, 0),    SCREE_ARRAY(scree_ball_batch, part_b, 1, 0),
    SCREE_ARRAY(scree_ball_batch, first, 1, 0),     SCREE_ARRAY(scree_ball_batch, keep, 1, 0),
    SCREE_ARRAY_EACH(scree_ball_batch, d, 0),       SCREE_ARRAY_EACH(scree_ball_batch, radius, 0),
    SCREE_ARRAY_EACH(scree_ball_batch, lever_a, 0), SCREE_ARRAY_EACH(scree_ball_batch, lever_b, 0),
};
static const scree_arrays batch_arrays = {batch_rows, G_N_ELEMENTS(batch_rows)};

void scree_ball_batch_free(scree_ball_batch *batch)
{
    if (!batch)
        return;
    scree_arrays_free(batch, batch_arrays);
    free(batch->zero);
    g_free(batch);
}

/** Empties the batch of a lane. */
static scree_ball_batch *begin_batch(scree_lane *lane)
{
    if (!lane->balls)
        lane->balls = g_new0(scree_ball_batch, 1);
    lane->balls->n = 0;
    return lane->balls;
}

static void make_room(scree_ball_batch *b, uint64_t n)
{
    if (b->n + n + 16 > b->capacity)
        scree_arrays_grow(b, batch_arrays, 0, &b->capacity, b->n + n + 16, b->n);
}

/*
 * Balls that are farther apart than the range of all laws, beyond rounding, are left out. Most
 * balls whose boxes overlap are. A resolver would find no contact within range, and a farther one
 * is dropped (batch_finish.c), unless the pair is kept.
 */
static double range_of(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                       uint32_t pair)
{
    const bool culled = list->culled && !(s->keep && s->keep[pair]);
    return culled ? sim->plugins.contact.range : (double)INFINITY;
}

void scree_balls_forget(scree_segment *s)
{
    uint32_t *const arrays[] = {s->part_a, s->part_b, s->ball[0], s->ball[1], s->owner};
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++)
        free(arrays[k]);
}

/** Finds pair and places of the balls of all candidates of a segment, once for each refresh. */
static void number_balls(const scree_sim *sim, const scree_list *list, scree_segment *s)
{
    const uint32_t *of[2] = {s->a, s->b}, *part[2] = {s->part_a, s->part_b};
    for (int side = 0; side < 2; side++) {
        const uint32_t mask = list->clump[side] ? UINT32_MAX : 0;
        scree_aligned_grow(&s->ball[side], &s->ball_capacity[side], s->part_capacity, 0,
                           sizeof *s->ball[side]);
        for (uint32_t p = 0; p < s->n_pairs; p++) {
            const uint32_t at = sim->posed.first[of[side][p]];
            for (uint32_t k = s->first[p]; k < s->first[p + 1]; k++)
                s->ball[side][k] = at + (part[side][k] & mask);
        }
    }
    scree_aligned_grow(&s->owner, &s->owner_capacity, s->part_capacity, 0, sizeof *s->owner);
    for (uint32_t p = 0; p < s->n_pairs; p++)
        for (uint32_t k = s->first[p]; k < s->first[p + 1]; k++)
            s->owner[k] = p;
    s->numbered = true;
}

/** Appends all candidates of pairs [i, end); `grouped`: those with one ball of a, whose parts of b
 * follow one another, as one. */
static void append_all(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                       uint32_t p0, uint32_t i, uint32_t end, scree_ball_batch *b)
{
    const uint32_t *first = sim->posed.first;
    const uint32_t mask[2] = {list->clump[0] ? UINT32_MAX : 0, list->clump[1] ? UINT32_MAX : 0};
    uint32_t n = b->n;
    for (uint32_t p = i; p < end; p++) {
        const uint32_t at_a = first[s->a[p]], at_b = first[s->b[p]];
        for (uint32_t k = s->first[p], before = SCREE_NONE; k < s->first[p + 1]; k++) {
            const uint32_t ball = at_a + (s->part_a[k] & mask[0]);
            b->owner[n] = p - p0;
            b->first[n] = k;
            b->ball[0][n] = ball;
            b->ball[1][n] = at_b + (s->part_b[k] & mask[1]);
            n += !(list->grouped && ball == before);
            before = ball;
        }
    }
    b->n = n;
}

/** Appends the candidates of a few pairs of a batch, from pair i on; the first pair of the batch is
 * p0, and `end` the one after its last. Returns the next pair. */
static uint32_t append_some(const scree_sim *sim, const scree_list *list, scree_segment *s,
                            uint32_t p0, uint32_t i, uint32_t end, scree_lane *lane)
{
    enum { FEW = 256 };
    scree_ball_batch *b = lane->balls;
    const double range = range_of(sim, list, s, i);
    uint32_t next = i + 1;
    while (next < end && s->first[next] - s->first[i] < FEW &&
           (!s->keep || range_of(sim, list, s, next) == range))
        next++;
    make_room(b, s->first[next] - s->first[i]);
    if (isinf(range))
        append_all(sim, list, s, p0, i, next, b);
    else
        b->n += sim->kernels->near_balls(s, &sim->posed, p0, i, next,
                                         (const double *const *)lane->d, range, b->owner + b->n,
                                         b->first + b->n, b->ball[0] + b->n, b->ball[1] + b->n);
    return next;
}

/** Adds to n numbers. */
static void add_number(uint32_t n, uint32_t number, uint32_t *v)
{
    for (uint32_t c = 0; c < n; c++)
        v[c] += number;
}

/** Collects as scree_balls_collect, by the places of balls. */
static uint32_t collect_near(const scree_sim *sim, const scree_segment *s, uint32_t p0, uint32_t n,
                             uint32_t most, scree_ball_batch *b)
{
    enum { FEW = 256 };
    const scree_kernels *kernel = sim->kernels;
    const bool calls = sim->world->n > SCREE_FIT_IN_CACHE;
    const uint32_t n_parts = scree_segment_parts(s);
    for (uint32_t k = s->first[p0], some; k < s->first[p0 + n]; k += some) {
        some = MIN(s->first[p0 + n] - k, (uint32_t)FEW);
        make_room(b, some);
        uint32_t *number = b->first + b->n;
        const uint32_t found =
            kernel->near_pairs(some, n_parts - k - some, s->ball[0] + k, s->ball[1] + k,
                               sim->posed.place, calls, sim->plugins.contact.range, number);
        add_number(found, k, number);
        b->n += found;
        if (b->n > most)
            n = MAX(s->owner[b->first[most]] - p0, 1);
    }
    kernel->pick_u32(b->n, b->first, s->owner, b->owner);
    add_number(b->n, -p0, b->owner);
    for (int side = 0; side < 2; side++)
        kernel->pick_u32(b->n, b->first, s->ball[side], b->ball[side]);
    return n;
}

/** Fills the candidates of the pairs from p0 on, whose owners and balls are known. */
static void fill_batch(const scree_sim *sim, const scree_segment *s, uint32_t p0, scree_lane *lane)
{
    scree_ball_batch *b = lane->balls;
    sim->kernels->balls(b->n, b->owner, b->ball[0], b->ball[1], (const double *const *)lane->d,
                        sim->posed.ball, b->d, b->lever_a, b->lever_b, b->radius);
    sim->kernels->pick_u32(b->n, b->owner, s->a + p0, b->a);
    sim->kernels->pick_u32(b->n, b->owner, s->b + p0, b->b);
    for (uint32_t k = 0; s->keep && k < b->n; k++)
        b->keep[k] = s->keep[p0 + b->owner[k]];
}

uint32_t scree_balls_collect(const scree_sim *sim, const scree_list *list, scree_segment *s,
                             uint32_t p0, uint32_t n, uint32_t most, scree_lane *lane)
{
    scree_ball_batch *b = begin_batch(lane);
    if (list->culled && !s->numbered)
        number_balls(sim, list, s);
    const bool by_place = list->culled && !s->shift && !s->keep;
    if (by_place)
        n = collect_near(sim, s, p0, n, most, b);
    for (uint32_t i = by_place ? p0 + n : p0; i < p0 + n;) {
        i = append_some(sim, list, s, p0, i, p0 + n, lane);
        if (b->n > most)
            n = MAX(b->owner[most], 1);
    }
    while (b->n && b->owner[b->n - 1] >= n)
        b->n--;
    b->first[b->n] = s->first[p0 + n];
    fill_batch(sim, s, p0, lane);
    sim->kernels->pick_u32(b->n, b->first, s->part_a, b->part_a);
    sim->kernels->pick_u32(b->n, b->first, s->part_b, b->part_b);
    if (list->grouped)
        memset(b->part_b, 0, b->n * sizeof *b->part_b);
    return n;
}

bool scree_balls_collect_one(const scree_sim *sim, const scree_list *list, scree_segment *s,
                             uint32_t p, uint64_t feature, scree_lane *lane, uint32_t *at)
{
    const uint32_t *first = sim->posed.first, part = (uint32_t)(feature >> PART);
    *at = 0;
    if (!list->one) {
        scree_balls_collect(sim, list, s, p, 1, UINT32_MAX, lane);
        const scree_ball_batch *b = lane->balls;
        const uint32_t *parts = list->clump[0] ? b->part_a : b->part_b;
        while (*at < b->n && parts[*at] != part)
            ++*at;
        lane->balls->n = MIN(b->n, *at + 1);
        return *at < b->n; // otherwise its candidates were left out
    }
    scree_ball_batch *b = begin_batch(lane);
    make_room(b, 1);
    b->n = 1;
    b->owner[0] = b->first[0] = b->first[1] = 0;
    b->part_a[0] = (uint32_t)(feature >> 32);
    b->part_b[0] = (uint32_t)feature;
    b->ball[0][0] = first[s->a[p]] + (list->clump[0] ? b->part_a[0] : 0);
    b->ball[1][0] = first[s->b[p]] + (list->clump[1] ? b->part_b[0] : 0);
    fill_batch(sim, s, p, lane);
    return true;
}

void scree_balls_fill(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                      uint32_t from, const scree_lane *lane, scree_candidates *candidates)
{
    scree_ball_batch *b = lane->balls;
    *candidates = (scree_candidates){
        .size = sizeof *candidates,
        .lane = (uint32_t)(lane - sim->plugins.contact.lanes),
        .n = MIN(b->n - from, (uint32_t)SCREE_BATCH_MAX),
        .type_a = list->served[0],
        .type_b = list->served[1],
        .hint_bytes = list->hint_bytes,
        .a = b->a + from,
        .b = b->b + from,
        .d = {b->d[0] + from, b->d[1] + from, b->d[2] + from},
        .radius_a = b->radius[0] + from,
        .radius_b = b->radius[1] + from,
        .keep = s->keep ? b->keep + from : NULL,
        .range = sim->plugins.contact.range,
        .bodies = &sim->view,
        .lever_a = {b->lever_a[0] + from, b->lever_a[1] + from, b->lever_a[2] + from},
        .lever_b = {b->lever_b[0] + from, b->lever_b[1] + from, b->lever_b[2] + from},
    };
    if (list->hint_bytes)
        candidates->hints =
            s->hints + (list->grouped ? 0 : (size_t)b->first[from] * list->hint_bytes);
    if (!list->grouped)
        return;
    const uint64_t n_parts = (uint64_t)b->first[b->n] + 8, before = b->zero_capacity;
    scree_aligned_grow(&b->zero, &b->zero_capacity, n_parts, before, sizeof *b->zero);
    memset(b->zero + before, 0, (b->zero_capacity - before) * sizeof *b->zero);
    candidates->first = b->first + from;
    candidates->part_a = b->zero;
    candidates->part_b = s->part_b;
}

/* ---- contacts ---- */

/** Makes the feature of a pair of bodies. False: it does not fit. */
static bool combine(uint64_t part, uint64_t *feature)
{
    const uint64_t kind = *feature >> 62, number = *feature & NUMBER;
    const bool fits = !(*feature & ~SCREE_FEATURE_CLUMP);
    *feature = part << PART | kind << KIND | number;
    return fits && part < 1ull << (64 - PART);
}

/** Makes the features of n contacts, at most one for each pair of parts. */
static void join_parts(uint32_t n, const uint32_t *restrict a, const uint32_t *restrict b,
                       uint64_t *restrict feature, uint64_t *restrict continues)
{
    for (uint32_t c = 0; c < n; c++) {
        feature[c] = (uint64_t)a[c] << 32 | b[c];
        continues[c] = SCREE_FEATURE_SAME;
    }
}

/** Takes the values of n contacts from those of candidates; pair NULL: contact c is of candidate
 * c. */
static void take(const scree_kernels *kernel, uint32_t n, const uint32_t *pair, const double *from,
                 double *to)
{
    if (pair)
        kernel->pick(n, pair, from, to);
    else
        memcpy(to, from, n * sizeof *to);
}

static void take_numbers(const scree_kernels *kernel, uint32_t n, const uint32_t *pair,
                         const uint32_t *from, uint32_t *to)
{
    if (pair)
        kernel->pick_u32(n, pair, from, to);
    else
        memcpy(to, from, n * sizeof *to);
}

bool scree_balls_convert(const scree_kernels *kernel, const scree_list *list, uint32_t from,
                         uint32_t at, uint32_t n, scree_lane *lane)
{
    const scree_ball_batch *b = lane->balls;
    scree_contacts *found = &lane->found;
    const bool all = list->one && n && found->pair[at + n - 1] == n - 1;
    const uint32_t *pair = all ? NULL : found->pair + at;
    uint32_t *part[2] = {(list->clump[0] ? found->part[0] : lane->a) + at,
                         (list->clump[1] ? found->part[1] : lane->b) + at};
    uint64_t *feature = found->feature + at, *continues = found->continues + at;
    bool fit = true;
    for (int k = 0; k < 3; k++) {
        const double *lever = b->lever_a[k] + from;
        if (pair)
            kernel->pick(n, pair, lever, lane->ta[k]);
        kernel->sum(n, false, pair ? lane->ta[k] : lever, found->arm[k] + at);
    }
    for (int k = 0; k < 2; k++)
        take(kernel, n, pair, b->radius[k] + from, lane->ball_radius[k] + at);
    take_numbers(kernel, n, pair, b->part_a + from, part[0]);
    take_numbers(kernel, n, pair, b->part_b + from, part[1]);
    take_numbers(kernel, n, pair, b->owner + from, lane->old + at);
    memcpy(found->pair + at, lane->old + at, n * sizeof *lane->old);
    if (list->one) {
        join_parts(n, part[0], part[1], feature, continues);
        return true;
    }
    for (uint32_t c = 0; c < n; c++) {
        const uint64_t of = part[!list->clump[0]][c];
        fit = fit && combine(of, &feature[c]);
        if (continues[c] != SCREE_FEATURE_SAME)
            fit = fit && combine(of, &continues[c]);
    }
    return fit;
}

/** Restores the resolver's feature. */
static uint64_t separate(uint64_t feature)
{
    return (feature >> KIND & 3) << 62 | (feature & NUMBER);
}

bool scree_balls_features(const scree_list *list, uint64_t *feature, uint64_t *other)
{
    const bool same = !list->one && *feature >> PART == *other >> PART;
    *feature = separate(*feature);
    *other = separate(*other);
    return same;
}
