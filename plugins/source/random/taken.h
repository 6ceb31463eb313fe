/* SPDX-License-Identifier: Apache-2.0 */
/* Source `random`: the balls that are placed, by size and place: does another one overlap them? */
#ifndef PLUGINS_SOURCE_TAKEN_H
#define PLUGINS_SOURCE_TAKEN_H

#include <stdint.h>

enum { TAKEN_LEVELS = 32 };

/* The newest ball of a cell, and roughly what it is. */
typedef struct taken_cell {
    uint32_t ball;    /* + 1, and TAKEN_MORE: there are older ones; 0: none */
    uint8_t place[3]; /* in the cell, in parts of 256 */
    uint8_t radius;   /* rounded up, in parts of 255 of the largest; 0: the numbers are not known */
} taken_cell;
#define TAKEN_MORE 0x80000000u

typedef struct taken_ball {
    double x[3], r;
    taken_cell older; /* of the same cell */
} taken_ball;

/* Balls of about one size. */
typedef struct taken_level {
    double most;    /* [m] radius of the largest that can be there */
    double edge[3]; /* [m] of a cell; 0: of an axis that counts for nothing */
    double error;   /* [m] of a place in a cell */
    uint32_t n[3];
    taken_cell *cell; /* NULL: no ball has this size */
} taken_level;

/* A box, and the periodic cell of the scene. */
typedef struct taken_space {
    uint32_t dimension;
    double min[3], max[3];
    double origin[3], length[3]; /* [m] length 0: not periodic */
} taken_space;

typedef struct taken {
    taken_space space;
    taken_level level[TAKEN_LEVELS];
    uint32_t n_levels; /* that have a ball, or lie above one */
    uint32_t n, room;  /* balls, and for how many there is memory */
    taken_ball *balls;
    double largest;      /* [m] radius */
    double slack;        /* [m] rounding of coordinates, and far more */
    double lo[3], hi[3]; /* box around the balls */
} taken;

/** For n balls of at most the radius `largest`, most of them in the box. 0: no memory. */
int taken_init(taken *t, const taken_space *space, double largest, uint64_t n);
void taken_clear(taken *t);
/** Moves a place that is off the periodic cell into it. */
void taken_wrap(const taken *t, double x[3]);
/** A ball that is there. 0: no memory. */
int taken_add(taken *t, const double x[3], double r);
/** Whether a ball overlaps one that is there, or a periodic image of one, by the rule of scree.query/1. */
int taken_hit(const taken *t, const double x[3], double r);

#endif
