/* SPDX-License-Identifier: Apache-2.0 */
/* Two polytopes: the direction of the least overlap among the possible ones. */
#ifndef GJK_AXES_H
#define GJK_AXES_H

#include "least.h"

enum { AXIS_FACE_A, AXIS_FACE_B, AXIS_EDGES, AXIS_GAP };

typedef struct axis {
    span span;     /* on_a, on_b: the closest points along the normal */
    uint32_t type; /* AXIS_* */
    uint32_t i, j; /* face of a and corner of b; corner of a and face of b; edges; corners */
} axis;

/** The direction of the least depth; across a gap the direction of the distance. 0: the gap is
 * larger than `range`, and only the normal is set. `side`: where b is a facet, the one of its faces
 * that counts. `room`: least_bytes(). */
int axes_least(const convex *a, const convex *b, double range, uint32_t side, void *room,
               axis *out);

/** Tries the normal of face f of a, or of b; a lesser depth replaces `best`. */
void axes_face(const convex *a, const convex *b, int of_b, uint32_t f, axis *best);

/** Tries the normals across edges i of a, which is `e`, and j of b, likewise. */
void axes_pair(const convex *a, const convex *b, uint32_t i, uint32_t j, const edge *e, axis *best);

/** Edges i of a and j of b as an axis along n, which is across both. */
axis axes_edges(const convex *a, const convex *b, uint32_t i, uint32_t j, scree_vec n);

#endif
