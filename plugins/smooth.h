/* SPDX-License-Identifier: Apache-2.0 */
/* A view of smooth convex solids that shapes and resolvers of this tree share. */
#ifndef PLUGINS_SMOOTH_H
#define PLUGINS_SMOOTH_H

#include <stdint.h>

/** Support function with its derivatives, at scale 1 in the frame of the shape. Exact only. A shape
 * without this view has scree.support/1, and a resolver then finds the same contacts by a longer search. */
#define SMOOTH_VIEW "plugins.smooth/1"
typedef struct smooth_view {
    uint32_t size;
    uint32_t reserved; /* 0 */
    /** [m] A ball of this radius rolls freely inside: one is in the solid at each of its points, and
     * touches the surface there. 0: none is known. */
    double roll;
    const void *ctx; /* first argument */
    /** [lane] way: three unit vectors, each across the others. point [m]: farthest along way[0], bit
     * by bit that of scree.support/1. radii [m]: how it moves along way[1] and way[2] when the
     * direction turns towards them: 11, 22, 12; their eigenvalues are the principal radii of
     * curvature. They are finite: flat places have large ones. */
    void (*farthest)(const void *ctx, const double way[3][3], double point[3], double radii[3]);
} smooth_view;

#endif
