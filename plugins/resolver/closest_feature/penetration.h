/* SPDX-License-Identifier: Apache-2.0 */
/* How far two convex outlines that overlap must move to be apart. */
#ifndef CLOSEST_FEATURE_PENETRATION_H
#define CLOSEST_FEATURE_PENETRATION_H

#include "track.h"

/** An edge of one outline and the vertex of the other that is deepest below it. */
typedef struct facing {
    uint32_t edge, vertex;
    uint32_t of_b; /* 1: the edge is b's */
} facing;

/** The least translation that separates them, as a gap of negative length; *where: the edge and
 * vertex. */
gap convex_penetration(const placed *a, const placed *b, facing *where);

#endif
