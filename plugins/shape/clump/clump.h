/* SPDX-License-Identifier: Apache-2.0 */
/* Volume and moments of balls that overlap. */
#ifndef PLUGINS_SHAPE_CLUMP_H
#define PLUGINS_SHAPE_CLUMP_H

#include "../mesh/mesh.h"

#define CLUMP_PI 3.14159265358979323846
/** Most balls of a clump. */
#define CLUMP_MOST_BALLS 10000
/** [-] Error of the integrated union of balls: of its volume, and of its moments over volume and
 * reach. */
#define CLUMP_ERROR 1e-9

/** Balls; discs are balls whose z is 0. */
typedef struct clump_balls {
    uint32_t n;
    double *x[3], *r; /* [n] [m] */
    const char *file; /* file of the balls, borrowed; NULL: the scene */
    const uint32_t *line;
} clump_balls;

/* Moments: the integrals of 1, x, y, z, xx, yy, zz, xy, xz, yz. */
enum { M_1, M_X, M_Y, M_Z, M_XX, M_YY, M_ZZ, M_XY, M_XZ, M_YZ, N_MOMENTS };
typedef struct clump_moments {
    double m[N_MOMENTS]; /* [m^d] to [m^(d + 2)] */
    double error;        /* [-] estimate, as CLUMP_ERROR; 0: exact */
} clump_moments;

/* ---- discs.c ---- */

typedef struct clump_arc {
    double begin, end; /* [rad] covered part of a circle */
} clump_arc;

/** Memory for the arcs of a circle among n discs: [2 n + 2]. NULL: no memory. */
clump_arc *clump_arcs_new(uint32_t n);
/** The discs that may overlap disc i: near[first[i]] to near[first[i + 1] - 1]. */
typedef struct clump_near {
    uint32_t *first, *near; /* [n + 1], [first[n]] */
} clump_near;
/** Adds area, x, y, xx, yy, xy of the union of n discs to m, exactly. Discs of radius 0 do not
 * count. near NULL: any two may overlap. */
void clump_add_discs(uint32_t n, const double *x, const double *y, const double *r,
                     const clump_near *near, clump_arc *arcs, double m[N_MOMENTS]);

/* ---- balls.c ---- */

/** Sums the balls one by one, so that overlaps count for each ball. */
void clump_sum_balls(const clump_balls *b, int flat, clump_moments *out);
/** Unites discs, exactly. 0: no memory. */
int clump_unite_discs(const clump_balls *b, clump_moments *out);
/** Unites balls, exactly if no three of them overlap each other pairwise. 0: no memory. */
int clump_unite_balls(const clump_balls *b, clump_moments *out);

/* ---- slices.c ---- */

/** Integrates any union of balls by slices. 0: no memory. */
int clump_integrate(const clump_balls *b, clump_moments *out);

#endif
