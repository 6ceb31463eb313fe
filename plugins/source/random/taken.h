/* SPDX-License-Identifier: Apache-2.0 */
/* Source `random`: the balls that are placed, by size and place: does another one overlap them? */
#ifndef PLUGINS_SOURCE_TAKEN_H
#define PLUGINS_SOURCE_TAKEN_H

#include "scree/cell_sdk.h"

enum { TAKEN_LEVELS = 32 };

/* The newest ball of a cell, and rough values of it. */
typedef struct taken_cell {
    uint32_t ball;    /* number + 1, with TAKEN_MORE: older ones follow; 0: none */
    uint8_t place[3]; /* place in the cell, in parts of 256 */
    uint8_t radius;   /* rounded up, in parts of 255 of the largest; 0: place and radius are not
                       * known */
} taken_cell;
#define TAKEN_MORE 0x80000000u

typedef struct taken_ball {
    double x[3], r;
    taken_cell older; /* older balls of the same cell */
} taken_ball;

/* Balls of about one size. */
typedef struct taken_level {
    double most;    /* [m] radius of the largest possible ball */
    double edge[3]; /* [m] of a cell; 0 on an unused axis */
    double error;   /* [m] error of a place in a cell */
    uint32_t n[3];
    taken_cell *cell; /* NULL: no ball has this size */
} taken_level;

/* A box, and how space repeats. */
typedef struct taken_space {
    uint32_t dimension;
    double min[3], max[3];
    scree_cell cell;
} taken_space;

typedef struct taken {
    taken_space space;
    taken_level level[TAKEN_LEVELS];
    uint32_t n_levels; /* levels up to the highest one with a ball */
    uint32_t n, room;  /* balls, and room for balls */
    taken_ball *balls;
    double largest;      /* [m] radius */
    double slack;        /* [m] rounding of coordinates, and far more */
    double lo[3], hi[3]; /* box around the balls */
    scree_images images;
} taken;

/** Makes room for n balls of radius `largest` or less, most of them in the box. 0: no memory. */
int taken_init(taken *t, const taken_space *space, double largest, uint64_t n);
void taken_clear(taken *t);
/** Moves a place that is outside of the brick along a repeating axis into it. */
void taken_wrap(const taken *t, double x[3]);
/** Adds a ball. 0: no memory. */
int taken_add(taken *t, const double x[3], double r);
/** Does a ball overlap an added one, or a periodic image of one, by the rule of scree.query/1? */
int taken_hit(const taken *t, const double x[3], double r);

#endif
