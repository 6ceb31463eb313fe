/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of convex bodies that are apart, by the algorithm of Gilbert, Johnson and Keerthi. */
#ifndef GJK_DISTANCE_H
#define GJK_DISTANCE_H

#include "convex.h"

#define DISTANCE_FAR 0u  /* farther than the range, or only known to be apart */
#define DISTANCE_GAP 1u  /* apart */
#define DISTANCE_NONE 2u /* they overlap, or the gap is below 1e-9 of the size */

typedef struct distance {
    uint32_t state;
    uint32_t vertex[2];   /* polytopes: lowest number of a corner next to the closest point */
    double gap;           /* [m] */
    scree_vec normal;     /* [-] from a to b; DISTANCE_FAR: an axis along which they are apart */
    scree_vec on_a, on_b; /* [m] closest points */
} distance;

/** The distance. `part`: the relative error that the search may leave; a larger one ends sooner. */
distance distance_of(const convex *a, const convex *b, double range, double part);

#endif
