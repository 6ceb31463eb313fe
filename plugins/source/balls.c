// SPDX-License-Identifier: Apache-2.0
/*
 * Balls that move one after the other.
 *
 * Idea: two balls overlap if their centres are nearer than the sum of the radii. So a ball can find
 * out how far its way is free, where it touches another one, and how it slides on from there: no
 * resolver is asked, and a ball that would be blocked moves nevertheless.
 *
 * Steps: 1. Balls near the way are collected from the grids, once for a step.
 *        2. The first touch along the way: |x + t v - y| = r + s, a quadratic equation in t.
 *        3. The rest of the step loses its part towards the ball that is touched; then 2 again.
 *
 * Grids: one for each power of two of the radius; a ball is in the cell of its centre.
 *
 * Cost: some 40 balls in the cells around, some 15 of them near, and up to BENDS ways.
 */
#include "balls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BENDS = 6, FEW_CELLS = 64 };
#define SIDE 2.5   /* [-] of a cell, over the least radius of its level */
#define DEEP 1e-12 /* [-] depth over size from which the host calls it an overlap */
#define APART 1e-9 /* [-] gap over size where a way ends */
#define ALONG                                                                                      \
    1e-10 /* [-] a way at this angle to a touched ball is along it: rounding makes no touch */

int balls_suit(const scree_cell *cell, double most)
{
    int good = !scree_is_tilted(cell);
    for (int k = 0; k < 3; k++)
        good = good && (!scree_repeats(cell, k) || cell->vector[k][k] >= 8.0 * most);
    return good;
}

/* ---- grids ---- */

static uint32_t level_of(const ball_grid *b, double radius)
{
    uint32_t k = 0;
    for (double most = 2.0 * b->least; radius >= most && k < BALL_LEVELS - 1; most *= 2.0)
        k++;
    return k;
}

/* Sets the cells of a level, at most `most`; returns their number. */
static uint32_t set_cells(const ball_grid *b, balls_level *level, double side, uint32_t most)
{
    uint64_t all;
    do {
        all = 1;
        for (int k = 0; k < 3; k++) {
            const double n = fmin(floor(b->length[k] / side), (double)most);
            level->cells[k] = n < 1.0 ? 1 : (uint32_t)n;
            level->side[k] = b->length[k] / level->cells[k];
            level->per[k] = level->cells[k] > 1 ? 1.0 / level->side[k] : 0.0;
            all *= level->cells[k];
        }
        side *= 1.25;
    } while (all > most);
    return (uint32_t)all;
}

int balls_begin(ball_grid *b, const scree_cell *cell, uint32_t dimension, const double min[3],
                const double max[3], uint64_t n, const double *radius)
{
    uint32_t cells = 0;
    double most = 0.0;
    b->least = b->longest = HUGE_VAL;
    b->one = (balls_one *)calloc((size_t)n + 1, sizeof *b->one);
    if (!b->one)
        return 0;
    for (uint32_t k = 0; k < 3; k++) {
        b->wraps[k] = k < dimension && scree_repeats(cell, (int)k);
        b->repeats |= b->wraps[k];
        b->lo[k] = b->wraps[k] ? cell->lo[k] : k < dimension ? min[k] : 0.0;
        b->length[k] = b->wraps[k] ? cell->vector[k][k] : k < dimension ? max[k] - min[k] : 0.0;
    }
    for (uint64_t i = 0; i < n; i++) {
        b->one[i].radius = radius[i];
        b->least = fmin(b->least, radius[i]);
        most = fmax(most, radius[i]);
    }
    for (uint32_t k = 0; k < 3; k++)
        if (b->wraps[k])
            b->longest = fmin(b->longest, 0.5 * b->length[k] - 2.0 * most);
    for (uint64_t i = 0; i < n; i++)
        b->level[level_of(b, radius[i])].n++;
    for (int k = 0; k < BALL_LEVELS; k++) {
        balls_level *level = &b->level[k];
        level->first = cells;
        cells += set_cells(b, level, SIDE * ldexp(b->least, k), 2 * level->n + FEW_CELLS);
        level->n = 0;
    }
    b->head = (uint32_t *)malloc(cells * sizeof *b->head);
    if (b->head)
        memset(b->head, 0xff, cells * sizeof *b->head);
    return b->head != NULL;
}

void balls_clear(ball_grid *b)
{
    free(b->one);
    free(b->head);
    free(b->near);
    memset(b, 0, sizeof *b);
}

void balls_wrap(const ball_grid *b, double x[3])
{
    for (int k = 0; k < 3; k++)
        if (b->wraps[k])
            x[k] -= b->length[k] * floor((x[k] - b->lo[k]) / b->length[k]);
}

/* Number of the cell along an axis, from 0 in the box; outside too, not further than its length. */
static inline int32_t cell_along(const ball_grid *b, const balls_level *level, int k, double x)
{
    const double n = level->cells[k], at = (x - b->lo[k]) * level->per[k];
    return (int32_t)((at < -n ? -n : at > 2.0 * n ? 2.0 * n : at) + n) - (int32_t)n;
}

static uint32_t cell_of(const ball_grid *b, const balls_level *level, const double x[3])
{
    uint32_t at = 0;
    for (int k = 2; k >= 0; k--) {
        const int32_t c = cell_along(b, level, k, x[k]), last = (int32_t)level->cells[k] - 1;
        at = at * level->cells[k] + (uint32_t)(c < 0 ? 0 : c > last ? last : c);
    }
    return level->first + at;
}

void balls_put(ball_grid *b, uint32_t i, const double x[3])
{
    balls_one *one = &b->one[i];
    balls_level *level = &b->level[level_of(b, one->radius)];
    memcpy(one->at, x, sizeof one->at);
    one->cell = cell_of(b, level, x);
    one->next = b->head[one->cell];
    b->head[one->cell] = i;
    level->n++;
    level->most = fmax(level->most, one->radius);
}

void balls_move(ball_grid *b, uint32_t i, const double x[3])
{
    balls_one *one = &b->one[i];
    const uint32_t cell = cell_of(b, &b->level[level_of(b, one->radius)], x);
    memcpy(one->at, x, sizeof one->at);
    if (cell == one->cell)
        return;
    uint32_t *at = &b->head[one->cell];
    while (*at != i)
        at = &b->one[*at].next;
    *at = one->next;
    one->cell = cell;
    one->next = b->head[cell];
    b->head[cell] = i;
}

/* The nearest image of a difference along axis k. */
static inline double nearest(const ball_grid *b, int k, double d)
{
    const double half = 0.5 * b->length[k];
    return !b->wraps[k] ? d : d > half ? d - b->length[k] : d < -half ? d + b->length[k] : d;
}

/* Appends the balls of a cell that a ball may touch within `far`, but not ball i. */
static int collect_cell(ball_grid *b, uint32_t cell, uint32_t i, const double x[3], double radius,
                        double far)
{
    for (uint32_t j = b->head[cell]; j != SCREE_NONE; j = b->one[j].next) {
        const balls_one *one = &b->one[j];
        double d[3] = {one->at[0] - x[0], one->at[1] - x[1], one->at[2] - x[2]};
        const double reach = radius + one->radius, most = reach + far;
        if (b->repeats)
            for (int k = 0; k < 3; k++)
                d[k] = nearest(b, k, d[k]);
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= most * most || j == i)
            continue;
        b->near[b->n_near++] = (balls_near){{x[0] + d[0], x[1] + d[1], x[2] + d[2]}, reach};
        if (b->n_near == b->room_near &&
            !scree_grow(&b->near, &b->room_near, 2 * b->n_near, sizeof *b->near))
            return 0;
    }
    return 1;
}

/* [m^2] Squared distance of x from a row of cells along the first axis. */
static double row_distance2(const ball_grid *b, const balls_level *level, const double x[3],
                            const uint32_t at[3])
{
    double sum = 0.0;
    for (int k = 1; k < 3; k++) {
        const double half = 0.5 * level->side[k];
        const double d = fabs(nearest(b, k, b->lo[k] + (2 * at[k] + 1) * half - x[k])) - half;
        sum += d > 0.0 && level->cells[k] > 1 ? d * d : 0.0;
    }
    return sum;
}

/* Sets the first cell along an axis and their number, over [from, to]; cells may begin again. */
static inline uint32_t set_range(const ball_grid *b, const balls_level *level, int k, double from,
                                 double to, uint32_t *first)
{
    const int32_t n = (int32_t)level->cells[k], last = n - 1;
    int32_t lo = cell_along(b, level, k, from), hi = cell_along(b, level, k, to);
    if (b->wraps[k] && hi - lo < last) {
        *first = (uint32_t)(lo < 0 ? lo + n : lo);
        return (uint32_t)(hi - lo) + 1;
    }
    lo = b->wraps[k] || lo < 0 ? 0 : lo > last ? last : lo;
    hi = b->wraps[k] || hi > last ? last : hi < 0 ? 0 : hi;
    *first = (uint32_t)lo;
    return (uint32_t)(hi - lo) + 1;
}

static inline uint32_t wrapped(uint32_t cell, uint32_t n)
{
    return cell < n ? cell : cell - n;
}

/* Collects the balls that a ball at x, not ball i, may touch within `far`. */
static int collect(ball_grid *b, uint32_t i, const double x[3], double radius, double far)
{
    b->n_near = 0;
    if (!b->near && !scree_grow(&b->near, &b->room_near, 64, sizeof *b->near))
        return 0;
    for (int m = 0; m < BALL_LEVELS; m++) {
        const balls_level *level = &b->level[m];
        const double reach = radius + far + level->most;
        uint32_t first[3], n[3], at[3];
        if (!level->n)
            continue;
        for (int k = 1; k < 3; k++)
            n[k] = set_range(b, level, k, x[k] - reach, x[k] + reach, &first[k]);
        for (uint32_t z = 0; z < n[2]; z++)
            for (uint32_t y = 0; y < n[1]; y++) {
                at[2] = wrapped(first[2] + z, level->cells[2]);
                at[1] = wrapped(first[1] + y, level->cells[1]);
                const double left2 = reach * reach - row_distance2(b, level, x, at);
                if (left2 <= 0.0)
                    continue;
                n[0] = set_range(b, level, 0, x[0] - sqrt(left2), x[0] + sqrt(left2), &first[0]);
                const uint32_t row =
                    level->first + (at[2] * level->cells[1] + at[1]) * level->cells[0];
                for (uint32_t k = 0; k < n[0]; k++)
                    if (!collect_cell(b, row + wrapped(first[0] + k, level->cells[0]), i, x, radius,
                                      far))
                        return 0;
            }
    }
    return 1;
}

/* ---- ways ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = a[k] - b[k];
}

static int overlaps(const ball_grid *b, const double x[3])
{
    int any = 0;
    for (uint64_t j = 0; j < b->n_near; j++) {
        const balls_near *near = &b->near[j];
        double d[3];
        subtract(near->at, x, d);
        any |= dot(d, d) < near->reach * near->reach * (1.0 - DEEP);
    }
    return any;
}

int balls_meet(ball_grid *b, const double x[3], double radius)
{
    return collect(b, SCREE_NONE, x, radius, 0.0) ? overlaps(b, x) : -1;
}

/* The part t of v, at most 1, until a ball at x touches another one: that, or NULL. */
static const balls_near *find_touch(const ball_grid *b, const double x[3], const double v[3],
                                    double *t)
{
    const balls_near *first = NULL;
    const double vv = dot(v, v), speed = sqrt(vv);
    *t = 1.0;
    for (uint64_t j = 0; j < b->n_near; j++) {
        const balls_near *near = &b->near[j];
        const double reach = near->reach * (1.0 + APART);
        double d[3];
        subtract(x, near->at, d);
        const double dv = dot(d, v), gap = dot(d, d) - reach * reach, root = dv * dv - vv * gap;
        if (dv >= -ALONG * near->reach * speed || root <= 0.0)
            continue;
        const double at = gap <= 0.0 ? 0.0 : (-dv - sqrt(root)) / vv;
        if (at < *t) {
            *t = at;
            first = near;
        }
    }
    return first;
}

int balls_walk(ball_grid *b, uint32_t i, const double step[3], const double lo[3],
               const double hi[3], double x[3])
{
    const balls_one *one = &b->one[i];
    const double whole = sqrt(dot(step, step)), far = fmin(whole, b->longest);
    const double part = whole > far ? far / whole : 1.0;
    double v[3] = {part * step[0], part * step[1], part * step[2]};
    memcpy(x, one->at, sizeof one->at);
    if (!collect(b, i, x, one->radius, far))
        return 0;
    for (int bend = 0; bend < BENDS && dot(v, v) > 1e-12 * far * far; bend++) {
        double t, n[3];
        for (int k = 0; k < 3; k++)
            v[k] = x[k] + v[k] < lo[k] ? lo[k] - x[k] : x[k] + v[k] > hi[k] ? hi[k] - x[k] : v[k];
        const balls_near *touched = find_touch(b, x, v, &t);
        for (int k = 0; k < 3; k++)
            x[k] += t * v[k];
        if (!touched)
            break;
        subtract(x, touched->at, n);
        const double along = dot(v, n) / dot(n, n);
        for (int k = 0; k < 3; k++)
            v[k] = (1.0 - t) * (v[k] - along * n[k]);
    }
    if (overlaps(b, x)) // by rounding
        memcpy(x, one->at, sizeof one->at);
    return 1;
}
