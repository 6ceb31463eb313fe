/* SPDX-License-Identifier: Apache-2.0 */
/* Whether balls, facets, half-spaces and solids meet a ball or a box, exactly. */
#ifndef CORE_QUERY_SHAPE_H
#define CORE_QUERY_SHAPE_H

#include <stdbool.h>

#include "base/error.h"
#include "scene/scene.h"

/** A facet in space: a segment (2D), a triangle or a quad. */
typedef struct scree_query_facet {
    double v[4][3], lo[3], hi[3];
    double n[3]; /* unit; 0 for a segment */
    uint32_t corners;
} scree_query_facet;

/** A facet of a wall's body. */
void scree_query_facet_place(scree_query_facet *facet, const scree_mesh *mesh, uint32_t number,
                             const double x[3], const double q[4], double scale);
/** Squared distance [m^2] from x; `way` leads from x to the nearest point. */
double scree_query_facet_way(const scree_query_facet *facet, const double x[3], double way[3]);
/** Whether a closed facet and a closed box have a point in common. */
bool scree_query_facet_meets_box(const scree_query_facet *facet, uint32_t dimension,
                                 const double lo[3], const double hi[3]);

/** Whether a closed ball (2D: disc) meets a closed region. */
bool scree_query_ball_meets(const double x[3], double radius, uint32_t dimension,
                            const scree_region *region);
/** The same of the half-space n x <= at. */
bool scree_query_plane_meets(const double n[3], double at, uint32_t dimension,
                             const scree_region *region);
/** The same of a facet. */
bool scree_query_facet_meets(const scree_query_facet *facet, uint32_t dimension,
                             const scree_region *region);

/** Whether a solid meets a region, by its views: an exact mesh (2D: outline), else the support
 * function of a convex one up to 1e-9 of its size, else a mesh or outline that is exact up to 1e-3
 * of it. SCREE_EXIT_USAGE: it has none of these views; names the shape. */
bool scree_query_solid_meets(const scree_shape *shape, const char *name, const scree_body *body,
                             uint32_t dimension, const scree_region *region, bool *meets,
                             GError **error);

#endif
