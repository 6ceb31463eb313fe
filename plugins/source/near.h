/* SPDX-License-Identifier: Apache-2.0 */
/* Which balls are near each other? Lists that hold while no ball leaves its place by more than its
 * slack. */
#ifndef PLUGINS_SOURCE_NEAR_H
#define PLUGINS_SOURCE_NEAR_H

#include "scree/sdk.h"

enum { NEAR_LEVELS = 10 };

/** A ball in the grid, with its slack. */
typedef struct near_ball {
    double at[3], reach; /* [m] reach: radius + slack */
    uint32_t next, head; /* next ball of its grid cell; the cell, SCREE_NONE: it is in no cell */
    uint32_t first, n;   /* its list: other[first] to other[first + n - 1] */
} near_ball;

/** Balls of similar reach. */
typedef struct near_level {
    double side[3], most; /* [m] of a grid cell; largest reach */
    uint32_t cells[3];
    uint32_t first, n; /* first grid cell; number of balls */
} near_level;

typedef struct near_lists {
    double lo[3], length[3]; /* [m] */
    int wraps[3];
    double least; /* [m] least reach */
    near_level level[NEAR_LEVELS];
    near_ball *ball;
    uint32_t *head, *other;
    uint64_t room_balls, room_heads, room_others, n_others;
} near_lists;

/** Sets the box around all balls, and the axes along which space repeats: straight ones only. */
void near_set_box(near_lists *l, const scree_cell *cell, const double min[3], const double max[3],
                  uint32_t dimension);
/** Brings a place into the box along the axes that repeat. */
void near_wrap(const near_lists *l, double x[3]);
/** Returns the squared distance [m^2] of two places of the box. */
static inline double near_distance2(const near_lists *l, const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = a[k] - b[k];
        if (l->wraps[k])
            d = d > 0.5 * l->length[k]    ? d - l->length[k]
                : d < -0.5 * l->length[k] ? d + l->length[k]
                                          : d;
        sum += d * d;
    }
    return sum;
}
/** Makes room for n balls; 0: out of memory. */
int near_reserve(near_lists *l, uint32_t n);
/** Lists balls [0, n) again, with the `at` and `reach` that they have, and makes the grids fit all
 * of [0, all). 0: out of memory. */
int near_build(near_lists *l, uint32_t n, uint32_t all);
/** Lists a ball: its list holds those that have been listed before it, or `all` that are near. 0:
 * out of memory. */
int near_put(near_lists *l, uint32_t i);
/** Removes a ball from the grid; lists may still hold it. */
void near_take(near_lists *l, uint32_t i);
void near_clear(near_lists *l);

#endif
