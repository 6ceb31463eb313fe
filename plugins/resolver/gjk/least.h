/* SPDX-License-Identifier: Apache-2.0 */
/* The least overlap of two convex bodies over all directions. */
#ifndef GJK_LEAST_H
#define GJK_LEAST_H

#include "distance.h"
#include "settle.h"

/** Bytes of memory that least_span() needs. */
uint64_t least_bytes(void);

/** Finds the span of the least depth; at most one of the bodies has faces. 0: the gap is larger
 * than `range`, and only the normal is set, to an axis along which they are apart. */
int least_span(const convex *a, const convex *b, double range, void *room, span *out);

/** Points of the set of differences of two polytopes, in the direction of a - b, grown by a ball. A
 * direction n along which one of them is higher than `most` does not have the least depth. */
typedef struct inner {
    const scree_vec *point; /* [n] [m] in the room */
    uint32_t n;
    double most;  /* [m] */
    double depth; /* [m] depth along some direction, so at least the least depth */
} inner;

enum { INNER_MOST = 160 };

/** Finds inner points with the polytope of support points only; `d`: result of distance_of(). */
inner least_inner(const convex *a, const convex *b, const distance *d, void *room);

#endif
