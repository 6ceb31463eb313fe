// SPDX-License-Identifier: Apache-2.0
// The surface of a convex shape that offers a support function and no mesh or outline.
#ifndef OBSERVER_HULL_H
#define OBSERVER_HULL_H

#include "scree/sdk.h"

/** A closed mesh without neighbours and edges; in 2D an outline. */
typedef struct hull {
    scree_mesh mesh;       // 3D
    scree_outline outline; // 2D
    double *x[3];          // [room] [m]
    uint32_t *facet;
    uint64_t room, facet_room;
} hull;

/** Makes the hull of a shape to a tolerance [m]. *out is NULL when the shape has no
 * scree.support/1, or one without extent. 0: out of memory. */
int hull_make(const scree_shape *shape, uint32_t dimension, double tolerance, hull **out);
/** Accepts NULL. */
void hull_free(hull *h);

#endif
