/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers. */
#ifndef CORE_CHECK_SHAPES_H
#define CORE_CHECK_SHAPES_H

#include "tools/check/check_resolver_data.h"

/** The cube [-1, 1]^3 (2D: the square) with faces cut into `cut`^2 quads and pairs of triangles. */
scree_shape *scree_check_cube(uint32_t dimension, uint32_t cut);
/** The same, and another one at `away`, which it does not touch; NULL: none. */
scree_shape *scree_check_cubes(uint32_t dimension, uint32_t cut, const double away[3]);
/** A plane through the origin. */
scree_shape *scree_check_plane(const double normal[3]);
/** Triangles (2D: segments in line) around a hub, all in the plane z = 0 (y = 0). */
scree_shape *scree_check_fan(uint32_t dimension, uint32_t spokes);
/** Three quads (2D: two segments) that meet in the origin as the planes of the axes do. */
scree_shape *scree_check_corner(uint32_t dimension);

#endif
