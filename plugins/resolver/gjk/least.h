/* SPDX-License-Identifier: Apache-2.0 */
/* The least overlap of two convex bodies over all directions. */
#ifndef GJK_LEAST_H
#define GJK_LEAST_H

#include "distance.h"
#include "settle.h"

/** Bytes of memory that least_span() needs. */
uint64_t least_bytes(void);

/** The span of the least depth, for bodies of which at most one has faces. 0: the gap is larger than
 * `range`, and only the normal is set, to an axis along which they are apart. */
int least_span(const convex *a, const convex *b, double range, void *room, span *out);

/** Points of the set of differences of two polytopes, in the direction of a - b, all of it grown by a
 * ball: a direction n along which one of them is higher than `most` has a depth that is not the least. */
typedef struct inner {
    const scree_vec *point; /* [n] [m] in the room */
    uint32_t n;
    double most;  /* [m] */
    double depth; /* [m] along some direction, so no less than the least */
} inner;

enum { INNER_MOST = 160 };

/** From the polytope of support points only; `d`: distance_of() the two. */
inner least_inner(const convex *a, const convex *b, const distance *d, void *room);

#endif
