// SPDX-License-Identifier: Apache-2.0
/*
 * Lists of near balls.
 *
 * Source: L. Verlet, Computer "experiments" on classical fluids I, Phys. Rev. 159 (1967) 98.
 *
 * Idea: each ball has a reach, its radius and a slack of its own, about a place of its own. Two
 * balls whose reaches meet are near: one of them has the other in its list. A list so holds as long
 * as no ball is further from its place than its slack. A ball that leaves is listed again, alone.
 *
 * Steps: balls are in grids, one for each power of two of the reach; cells are twice as wide as the
 * largest reach of their grid, and no more than some for each ball. A ball looks for others in the
 * cells of each grid that its reach and the largest one of the grid cover.
 *
 * Cost: O(1) for each ball and near ball, for any mixture of sizes.
 */
#include "near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_CELLS = 64 };

void near_set_box(near_lists *l, const scree_cell *cell, const double min[3], const double max[3],
                  uint32_t dimension)
{
    for (uint32_t k = 0; k < 3; k++) {
        l->wraps[k] = k < dimension && scree_repeats(cell, (int)k);
        l->lo[k] = l->wraps[k] ? cell->lo[k] : k < dimension ? min[k] : 0.0;
        l->length[k] = l->wraps[k] ? cell->vector[k][k] : k < dimension ? max[k] - min[k] : 0.0;
    }
}

void near_wrap(const near_lists *l, double x[3])
{
    for (int k = 0; k < 3; k++)
        if (l->wraps[k])
            x[k] -= l->length[k] * floor((x[k] - l->lo[k]) / l->length[k]);
}

int near_reserve(near_lists *l, uint32_t n)
{
    return scree_grow(&l->ball, &l->room_balls, n, sizeof *l->ball);
}

void near_clear(near_lists *l)
{
    free(l->ball);
    free(l->head);
    free(l->other);
    memset(l, 0, sizeof *l);
}

static uint32_t level_of(const near_lists *l, double reach)
{
    int power;
    frexp(reach / l->least, &power);
    return power < 1 ? 0 : power > NEAR_LEVELS ? NEAR_LEVELS - 1 : (uint32_t)power - 1;
}

/* Sets the grid of a level; returns its number of cells. */
static uint32_t set_grid(const near_lists *l, near_level *level, uint32_t at, uint32_t most)
{
    double side = 4.0 * ldexp(l->least, (int)at);
    uint64_t all;
    do {
        all = 1;
        for (int k = 0; k < 3; k++) {
            const double n = fmin(floor(l->length[k] / side), (double)most);
            level->cells[k] = n < 1.0 ? 1 : (uint32_t)n;
            level->side[k] = l->length[k] / level->cells[k];
            all *= level->cells[k];
        }
        side *= 1.25;
    } while (all > most);
    return (uint32_t)all;
}

/* The grid cell along an axis, not wrapped. */
static double cell_along(const near_lists *l, const near_level *level, int k, double x)
{
    return level->side[k] > 0.0 ? floor((x - l->lo[k]) / level->side[k]) : 0.0;
}

static uint32_t head_of(const near_lists *l, const near_level *level, const double x[3])
{
    uint32_t at = 0;
    for (int k = 2; k >= 0; k--) {
        const double c = cell_along(l, level, k, x[k]), last = level->cells[k] - 1;
        at = at * level->cells[k] + (uint32_t)(c < 0.0 ? 0.0 : c > last ? last : c);
    }
    return level->first + at;
}

/* Appends the balls of a grid cell that are near. */
static int list_cell(near_lists *l, near_ball *to, uint32_t head)
{
    for (uint32_t j = l->head[head]; j != SCREE_NONE; j = l->ball[j].next) {
        const double reach = to->reach + l->ball[j].reach;
        if (near_distance2(l, to->at, l->ball[j].at) >= reach * reach)
            continue;
        if (l->n_others == l->room_others &&
            !scree_grow(&l->other, &l->room_others, 2 * l->n_others + 64, sizeof *l->other))
            return 0;
        l->other[l->n_others++] = j;
    }
    return 1;
}

/* Appends the balls of a level that are near. */
static int list_level(near_lists *l, near_ball *to, const near_level *level)
{
    const double reach = to->reach + level->most;
    uint32_t from[3], n[3];
    for (int k = 0; k < 3; k++) {
        const double last = level->cells[k] - 1;
        double lo = cell_along(l, level, k, to->at[k] - reach),
               hi = cell_along(l, level, k, to->at[k] + reach);
        if (l->wraps[k] && hi - lo >= last) {
            lo = 0.0;
            hi = last;
        } else if (!l->wraps[k]) {
            lo = fmin(fmax(lo, 0.0), last);
            hi = fmin(fmax(hi, 0.0), last);
        }
        n[k] = (uint32_t)(hi - lo) + 1;
        from[k] = (uint32_t)(lo < 0.0 ? lo + last + 1.0 : lo); // along an axis that repeats
    }
    for (uint32_t z = 0; z < n[2]; z++)
        for (uint32_t y = 0; y < n[1]; y++) {
            const uint32_t row = (from[2] + z) % level->cells[2] * level->cells[1] +
                                 (from[1] + y) % level->cells[1];
            for (uint32_t x = 0, c = from[0]; x < n[0]; x++, c++) {
                c = c >= level->cells[0] ? c - level->cells[0] : c;
                if (!list_cell(l, to, level->first + row * level->cells[0] + c))
                    return 0;
            }
        }
    return 1;
}

int near_put(near_lists *l, uint32_t i)
{
    near_ball *to = &l->ball[i];
    near_level *own = &l->level[level_of(l, to->reach)];
    to->first = (uint32_t)l->n_others;
    for (int k = 0; k < NEAR_LEVELS; k++)
        if (l->level[k].n && !list_level(l, to, &l->level[k]))
            return 0;
    to->n = (uint32_t)l->n_others - to->first;
    to->head = head_of(l, own, to->at);
    to->next = l->head[to->head];
    l->head[to->head] = i;
    own->n++;
    own->most = fmax(own->most, to->reach);
    return 1;
}

void near_take(near_lists *l, uint32_t i)
{
    near_ball *ball = &l->ball[i];
    uint32_t *at = &l->head[ball->head];
    while (*at != i)
        at = &l->ball[*at].next;
    *at = ball->next;
    ball->head = SCREE_NONE;
    l->level[level_of(l, ball->reach)].n--;
}

int near_build(near_lists *l, uint32_t n, uint32_t all)
{
    uint32_t heads = 0;
    memset(l->level, 0, sizeof l->level);
    l->n_others = 0;
    l->least = HUGE_VAL;
    for (uint32_t i = 0; i < all; i++)
        l->least = fmin(l->least, l->ball[i].reach);
    for (uint32_t i = 0; i < all; i++)
        l->level[level_of(l, l->ball[i].reach)].n++;
    for (uint32_t k = 0; k < NEAR_LEVELS; k++) {
        near_level *level = &l->level[k];
        const uint32_t most = 2 * level->n + all / 8 + FEW_CELLS;
        level->first = heads;
        heads += set_grid(l, level, k, most);
        level->n = 0;
    }
    if (!scree_grow(&l->head, &l->room_heads, heads, sizeof *l->head))
        return 0;
    memset(l->head, 0xff, heads * sizeof *l->head);
    for (uint32_t k = NEAR_LEVELS; k-- > 0;) // large ones first: small ones then look for them
        for (uint32_t i = 0; i < n; i++)
            if (level_of(l, l->ball[i].reach) == k && !near_put(l, i))
                return 0;
    return 1;
}
