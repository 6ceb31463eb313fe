/* SPDX-License-Identifier: Apache-2.0 */
/* The balls of clumps: placed once per evaluation, given to resolvers one by one. */
#include "engine/balls.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/arrays.h"
#include "base/rotation.h"
#include "engine/state.h"

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
};
static const scree_arrays ball_arrays = {ball_rows, G_N_ELEMENTS(ball_rows)};

static int32_t pose_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const scree_sim *sim = user;
    const scree_world *w = sim->world;
    const scree_posed *to = &sim->posed;
    for (uint64_t i = begin; i < end; i++) {
        const scree_balls *balls = w->shapes[w->shape[i]]->balls;
        const double q[4] = {w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]}, s = w->scale[i];
        double *ball = to->ball + 4 * (size_t)to->first[i];
        for (uint32_t p = 0; p < to->first[i + 1] - to->first[i]; p++, ball += 4) {
            const double at[3] = {s * balls->centre[0][p], s * balls->centre[1][p],
                                  s * balls->centre[2][p]};
            scree_rotate(q, at, ball);
            ball[3] = s * balls->radius[p];
        }
    }
    return SCREE_OK;
}

void scree_balls_pose(scree_sim *sim)
{
    const scree_world *w = sim->world;
    scree_posed *to = &sim->posed;
    uint64_t n = 0;
    if (!to->any)
        return;
    scree_aligned_grow(&to->first, &to->body_capacity, (uint64_t)w->n + 1, 0, sizeof *to->first);
    for (uint32_t i = 0; i < w->n; i++) {
        const scree_shape *shape = w->shapes[w->shape[i]];
        to->first[i] = (uint32_t)n;
        n += shape->flags & SCREE_CAP_BALLS ? shape->n_parts : 0;
    }
    to->first[w->n] = (uint32_t)n;
    scree_arrays_grow(to, ball_arrays, 0, &to->capacity, n, 0);
    scree_pool_for(sim->runtime.pool, 0, w->n, 1024, pose_chunk, sim);
}

void scree_balls_clear(scree_posed *posed)
{
    scree_arrays_free(posed, ball_arrays);
    free(posed->first);
    *posed = (scree_posed){0};
}

/* ---- candidates ---- */

static const scree_array batch_rows[] = {
    SCREE_ARRAY(scree_ball_batch, owner, 1, 0),     SCREE_ARRAY(scree_ball_batch, a, 1, 0),
    SCREE_ARRAY(scree_ball_batch, b, 1, 0),         SCREE_ARRAY(scree_ball_batch, part_a, 1, 0),
    SCREE_ARRAY(scree_ball_batch, part_b, 1, 0),    SCREE_ARRAY(scree_ball_batch, first, 1, 0),
    SCREE_ARRAY(scree_ball_batch, keep, 1, 0),      SCREE_ARRAY_EACH(scree_ball_batch, d, 0),
    SCREE_ARRAY_EACH(scree_ball_batch, radius, 0),  SCREE_ARRAY_EACH(scree_ball_batch, lever_a, 0),
    SCREE_ARRAY_EACH(scree_ball_batch, lever_b, 0),
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

static scree_ball_batch *batch_of(scree_lane *lane)
{
    if (!lane->balls)
        lane->balls = g_new0(scree_ball_batch, 1);
    return lane->balls;
}

/** One side of a pair: the balls of a clump, or one ball at the centre of another body. */
typedef struct side {
    const double *ball; // lever, radius
    uint32_t stride;    // distance between balls in the array
} side;

/** Fills a side. `own`: [4] memory for the ball of a body that is not a clump. */
static side side_of(const scree_sim *sim, bool is_clump, uint32_t body, double radius, double *own)
{
    own[3] = radius;
    return is_clump ? (side){sim->posed.ball + 4 * (size_t)sim->posed.first[body], 4}
                    : (side){own, 0};
}

/** Appends the candidate of balls p and q at the distance `apart`. */
static inline void append_ball(scree_ball_batch *b, const scree_segment *s, uint32_t pair,
                               uint32_t owner, const double *p, const double *q,
                               const double apart[3])
{
    const uint32_t at = b->n++;
    b->owner[at] = owner;
    b->a[at] = s->a[pair];
    b->b[at] = s->b[pair];
    b->keep[at] = s->keep ? s->keep[pair] : 0;
    for (int k = 0; k < 3; k++) {
        b->lever_a[k][at] = p[k];
        b->lever_b[k][at] = q[k];
        b->d[k][at] = apart[k];
    }
    b->radius[0][at] = p[3];
    b->radius[1][at] = q[3];
}

/*
 * Balls that are farther apart than the range of all laws, beyond rounding, are left out. Most
 * balls whose boxes overlap are. A resolver would find no contact within range, and a farther one
 * is dropped (batch_finish.c), unless the pair is kept.
 */
static inline bool are_apart(const double *p, const double *q, const double apart[3], double range)
{
    const double reach = p[3] + q[3] + range;
    const double square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
    return square > reach * reach * (1.0 + 1e-9);
}

/** Appends the candidates of pair p; if b has parts, one candidate holds all of them. */
static void append_pair(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                        uint32_t pair, uint32_t owner, scree_lane *lane)
{
    scree_ball_batch *b = batch_of(lane);
    const uint32_t first = s->first[pair], last = s->first[pair + 1];
    const uint64_t room = (uint64_t)b->n + (last - first) + 16;
    const bool culled = list->culled && !(s->keep && s->keep[pair]);
    const double d[3] = {lane->d[0][owner], lane->d[1][owner], lane->d[2][owner]};
    double own[2][4] = {{0.0}, {0.0}};
    const side sa = side_of(sim, list->clump[0], s->a[pair], lane->pair_radius[0][owner], own[0]);
    const side sb = side_of(sim, list->clump[1], s->b[pair], lane->pair_radius[1][owner], own[1]);
    if (room > b->capacity)
        scree_arrays_grow(b, batch_arrays, 0, &b->capacity, room, b->n);
    for (uint32_t k = first; k < last; k++) {
        if (list->grouped && k > first && s->part_a[k] == s->part_a[k - 1])
            continue;
        const double *p = sa.ball + (size_t)sa.stride * s->part_a[k];
        const double *q = sb.ball + (size_t)sb.stride * s->part_b[k];
        const double apart[3] = {d[0] + q[0] - p[0], d[1] + q[1] - p[1], d[2] + q[2] - p[2]};
        if (culled && are_apart(p, q, apart, sim->plugins.contact.range))
            continue;
        b->first[b->n] = k;
        b->part_a[b->n] = s->part_a[k];
        b->part_b[b->n] = list->grouped ? 0 : s->part_b[k];
        append_ball(b, s, pair, owner, p, q, apart);
    }
    b->first[b->n] = last;
}

uint32_t scree_balls_collect(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                             uint32_t p0, uint32_t n, uint32_t most, scree_lane *lane)
{
    scree_ball_batch *b = batch_of(lane);
    b->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t before = b->n;
        append_pair(sim, list, s, p0 + i, i, lane);
        if (b->n <= most || i == 0)
            continue;
        b->n = before;
        return i;
    }
    return n;
}

/** Appends one candidate of the pair, the only one of the batch. */
static void append_one(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                       uint32_t pair, uint32_t part_a, uint32_t part_b, scree_lane *lane)
{
    scree_ball_batch *b = lane->balls;
    double own[2][4] = {{0.0}, {0.0}};
    const side sa = side_of(sim, list->clump[0], s->a[pair], lane->pair_radius[0][0], own[0]);
    const side sb = side_of(sim, list->clump[1], s->b[pair], lane->pair_radius[1][0], own[1]);
    const double *p = sa.ball + (size_t)sa.stride * part_a;
    const double *q = sb.ball + (size_t)sb.stride * part_b;
    double apart[3];
    for (int k = 0; k < 3; k++)
        apart[k] = lane->d[k][0] + q[k] - p[k];
    scree_arrays_grow(b, batch_arrays, 0, &b->capacity, 16, 0);
    b->part_a[0] = part_a;
    b->part_b[0] = part_b;
    append_ball(b, s, pair, 0, p, q, apart);
}

void scree_balls_collect_one(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                             uint32_t p, uint64_t feature, scree_lane *lane)
{
    scree_ball_batch *b = batch_of(lane);
    const uint32_t part = (uint32_t)(feature >> PART);
    b->n = 0;
    if (list->one) {
        append_one(sim, list, s, p, (uint32_t)(feature >> 32), (uint32_t)feature, lane);
        b->first[0] = 0;
        return;
    }
    append_pair(sim, list, s, p, 0, lane);
    const uint32_t *parts = list->clump[0] ? b->part_a : b->part_b;
    uint32_t k = 0;
    while (k < b->n && parts[k] != part)
        k++;
    if (k == b->n) { // its candidates were left out
        b->n = 0;
        return;
    }
    const uint32_t first = b->first[k], last = b->first[k + 1];
    const uint32_t part_a = b->part_a[k], part_b = b->part_b[k];
    b->n = 0;
    append_one(sim, list, s, p, part_a, part_b, lane);
    b->first[0] = first;
    b->first[1] = last;
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
static bool combine(const scree_list *list, const scree_ball_batch *b, uint32_t at,
                    uint64_t *feature)
{
    const uint64_t part = list->clump[0] ? b->part_a[at] : b->part_b[at];
    const uint64_t kind = *feature >> 62, number = *feature & NUMBER;
    const bool fits = !(*feature & ~SCREE_FEATURE_CLUMP);
    *feature = part << PART | kind << KIND | number;
    return fits && part < 1ull << (64 - PART);
}

bool scree_balls_convert(const scree_list *list, uint32_t from, uint32_t at, uint32_t n,
                         scree_lane *lane)
{
    const scree_ball_batch *b = lane->balls;
    bool fit = true;
    for (uint32_t c = at; c < at + n; c++) {
        const uint32_t sub = from + lane->found.pair[c];
        lane->found.pair[c] = b->owner[sub];
        for (int k = 0; k < 3; k++)
            lane->found.arm[k][c] += b->lever_a[k][sub];
        for (int k = 0; k < 2; k++)
            lane->ball_radius[k][c] = b->radius[k][sub];
        if (list->clump[0])
            lane->found.part[0][c] = b->part_a[sub];
        if (list->clump[1])
            lane->found.part[1][c] = b->part_b[sub];
        if (list->one) {
            lane->found.feature[c] = (uint64_t)b->part_a[sub] << 32 | b->part_b[sub];
            lane->found.continues[c] = SCREE_FEATURE_SAME;
            continue;
        }
        fit = fit && combine(list, b, sub, &lane->found.feature[c]);
        if (lane->found.continues[c] != SCREE_FEATURE_SAME)
            fit = fit && combine(list, b, sub, &lane->found.continues[c]);
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
