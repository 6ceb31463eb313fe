/* SPDX-License-Identifier: Apache-2.0 */
/* Walls of revolution about z: drums, pipes, hoppers. */
#ifndef PLUGINS_SHAPE_ROUND_H
#define PLUGINS_SHAPE_ROUND_H

#include "mesh.h"

#define ROUND_INWARD 0
#define ROUND_OUTWARD 1
/** Sides where the scene gives neither their number nor a tolerance. */
#define ROUND_SIDES 64
/** With so many sides the wall is within 5e-8 radii of the round one. In a drum that is not upright
 * the boxes of all facets may overlap, so time and memory of the first search grow with the square
 * of their number. */
#define ROUND_MOST_SIDES 10000
/** A facet is refused when its sides differ by more than this: its area is lost in doubles. */
#define ROUND_THINNEST 1e-9

/** Frustum about z from -length / 2, with radius[0], to length / 2, with radius[1]; one of them may
 * be 0. */
typedef struct round_wall {
    double radius[2], length; /* [m] */
    double tolerance;         /* [m], NaN: not given */
    int64_t sides;            /* 0: not given */
    scree_strings open;       /* ends that are left out: bottom, top */
    int32_t facing;           /* ROUND_* */
} round_wall;

/** create() of a type of walls. */
int32_t round_create(const scree_host *host, const round_wall *wall, void **instance);

#endif
