/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: facets of a mesh, as searches from facet to facet need them. */
#ifndef CORE_CHECK_MESH_H
#define CORE_CHECK_MESH_H

#include "tools/check/check_shape_bench.h"

/** number of corners of a facet, 2 to 4 */
static inline uint32_t scree_mesh_corners(const scree_mesh *mesh, uint32_t facet)
{
    uint32_t n = 0;
    while (n < 4 && mesh->facet[4 * (size_t)facet + n] != SCREE_NONE)
        n++;
    return n;
}

/** Corners of triangle t of a facet, 0 or 1 (2D: of the segment). Returns their number; 0: there
 * are fewer triangles. */
static inline int scree_mesh_triangle(const scree_mesh *mesh, uint32_t facet, uint32_t t,
                                      double corner[3][3])
{
    const uint32_t n = scree_mesh_corners(mesh, facet);
    if (n == 2 ? t > 0 : t + 2 >= n)
        return 0;
    for (uint32_t c = 0; c < MIN(n, 3); c++)
        for (int k = 0; k < 3; k++)
            corner[c][k] = mesh->vertex[k][mesh->facet[4 * (size_t)facet + (c ? c + t : 0)]];
    return n == 2 ? 2 : 3;
}

/** Fails the check unless facets are convex with an area (2D: a length), neighbours name each
 * other, and edges without a neighbour are open. Numbers of the mesh are in range. */
void scree_shape_check_mesh(const scree_shape_bench *b);

#endif
