/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of integrator/integer_motion: numbers, bodies, cells, workloads. */
#ifndef INTEGER_MOTION_H
#define INTEGER_MOTION_H

#include <stdint.h>

#include "scree/sdk.h"

/*
 * Units: places, velocities, radii and the side of the box are integers of 2^-24 m (velocities per
 * step); forces are worked out in 2^-20 m. Reported places are whole multiples of 2^-13 m, radii
 * are multiples of 2^-15 m that are 1 modulo 4, so that no two boxes ever touch exactly.
 */
#define UNIT 16777216.0
enum { TO_FORCE = 4, TO_RADIUS = 9, TO_REPORTED = 11, MOST_LEVELS = 32, MOST_METRES = 2000 };

/** Place and reach (radius) of a body in 2^-20 m. */
typedef struct spot {
    int32_t x[3], reach;
} spot;

/** Bodies of like size, and their cells. */
typedef struct level {
    int32_t cell;    /* side of a cell, at least the largest diameter here */
    int32_t widest;  /* the largest reach here */
    uint32_t across; /* cells along an axis */
    uint32_t first;  /* number of its first cell */
    uint32_t n;      /* bodies */
} level;

typedef struct force {
    int64_t f[3]; /* 2^-20 m times 256 */
} force;

typedef struct cells {
    level level[MOST_LEVELS]; /* small bodies first */
    uint32_t n_levels, n_cells, room;
    uint8_t *level_of; /* [n] */
    uint32_t *cell_of; /* [n] */
    uint32_t *start;   /* [n_cells + 1] first body of each cell in the arrays below */
    uint32_t *body;    /* [n] by cells */
    spot *spot;        /* [n] by cells; while bodies are being placed: by number */
    force *force;      /* [n] by cells */
} cells;

typedef struct crowd {
    uint32_t dimension, n;
    int64_t side;           /* side of the box */
    int64_t *x[3], *v[3];   /* [n] */
    int64_t *r;             /* [n] */
    uint8_t *fixed;         /* [n] */
    const scree_host *host; /* asked whether to stop */
    cells cells;
} crowd;

enum { USUAL, PERKINS_1, PERKINS_2, MIXED_2D, SPHERES, MIXED_10, MIXED_100 };
enum { SHUFFLED, CREATION };

typedef struct config {
    int32_t workload, order;
    int64_t count, ratio, percent;
    double pace;
} config;

/** Values that follow from the config before any body is placed. */
typedef struct workload {
    int32_t kind, order;
    uint32_t dimension, n, across; /* across: bodies along an axis of a lattice */
    int64_t ratio, percent;
    uint64_t seed;
    int64_t v0, side;
    int64_t pitch, edge; /* perkins_2: from fixed disc to fixed disc; where the first ones are */
} workload;

/* crowd.c */
/** False: no memory. The content is kept when `n` does not change. */
int crowd_resize(crowd *c, uint32_t dimension, uint32_t n);
void crowd_clear(crowd *c);
uint64_t crowd_bytes(const crowd *c);

/* cells.c */
/** To be called when bodies have come, gone, or changed their radii. False: no memory. */
int cells_prepare(crowd *c);
/** Forces on all bodies, by cells. */
void cells_forces(crowd *c);
/** Random places in [low, high] along each axis, the largest bodies first (they are sorted), each
 * with at most `tries` tries; fixed bodies already have theirs. SCREE_OK or SCREE_E_CANCELLED. */
int32_t cells_place(crowd *c, uint64_t seed, uint32_t tries, int64_t low, int64_t high);

/* dynamics.c */
void crowd_step(crowd *c, int64_t v0);
void crowd_relax(crowd *c);
static inline int64_t reported(int64_t x)
{
    return (x + (1 << (TO_REPORTED - 1))) >> TO_REPORTED;
}

/* workload.c */
/** k-th number of a stream, below m. */
uint64_t random_below(uint64_t stream, uint64_t k, uint64_t m);
int32_t workload_read(const scree_host *host, const config *config, workload *w);
/** Makes frame 0: all bodies are placed, relaxed, shuffled and run in. */
int32_t workload_build(const workload *w, const scree_host *host, crowd *c);

#endif
