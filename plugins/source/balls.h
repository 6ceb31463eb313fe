/* SPDX-License-Identifier: Apache-2.0 */
/* Balls that move one after the other, each along the free part of its way. */
#ifndef PLUGINS_SOURCE_BALLS_H
#define PLUGINS_SOURCE_BALLS_H

#include "scree/sdk.h"

enum { BALL_LEVELS = 16 };

/** A ball in a grid. */
typedef struct balls_one {
    double at[3], radius; /* [m] */
    uint32_t cell, next;  /* its cell; the next ball of this cell */
} balls_one;

/** A grid of balls of similar size. */
typedef struct balls_level {
    double side[3], most; /* [m] sides of a cell; largest radius */
    double per[3];        /* [1/m] cells over a length; 0: one cell */
    uint32_t cells[3];
    uint32_t first, n; /* first cell; number of balls */
} balls_level;

/** A ball that another one may touch on its way. */
typedef struct balls_near {
    double at[3], reach; /* [m] the nearest image; sum of the radii */
} balls_near;

typedef struct ball_grid {
    double lo[3], length[3]; /* [m] box around all balls */
    int wraps[3], repeats;   /* 1: space repeats along the axis, along any */
    double least;            /* [m] least radius */
    double longest;          /* [m] way of a step: no ball comes near a second image of another */
    balls_level level[BALL_LEVELS];
    balls_one *one; /* [n] */
    uint32_t *head; /* [cells] first ball; SCREE_NONE: none */
    balls_near *near;
    uint64_t n_near, room_near;
} ball_grid;

/** Returns whether the cell of a scene suits balls of a radius: it repeats straight, if at all,
 * and is wide enough that only nearest images touch. */
int balls_suit(const scree_cell *cell, double most);
/** Makes grids for n balls of these radii, which are in none yet; 0: out of memory. */
int balls_begin(ball_grid *b, const scree_cell *cell, uint32_t dimension, const double min[3],
                const double max[3], uint64_t n, const double *radius);
/** Brings a place into the box along axes that repeat. */
void balls_wrap(const ball_grid *b, double x[3]);
/** Puts ball i into its grid. */
void balls_put(ball_grid *b, uint32_t i, const double x[3]);
/** Moves ball i. */
void balls_move(ball_grid *b, uint32_t i, const double x[3]);
/** Returns whether a ball of that radius would overlap one of the grids; below 0: out of memory. */
int balls_meet(ball_grid *b, const double x[3], double radius);
/** Sets x to where ball i gets to by a step, with its centre between lo and hi: it goes on until it
 * touches a ball, then with the rest of the step along this ball, and so on. A step longer than
 * `longest` is shortened. Returns 0 when out of
 * memory. */
int balls_walk(ball_grid *b, uint32_t i, const double step[3], const double lo[3],
               const double hi[3], double x[3]);
void balls_clear(ball_grid *b);

#endif
