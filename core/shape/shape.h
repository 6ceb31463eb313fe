/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that bodies share: made from facets, or round; their mass, volume and facet normals. */
#ifndef CORE_SHAPE_H
#define CORE_SHAPE_H

#include <stdbool.h>

#include "base/error.h"
#include "scree/scree.h"

/** Mass [kg], principal moments [kg m^2] of a body of this shape, scale, density; 0 for facets and
 * planes. */
void scree_shape_mass(const scree_shape *shape, double scale, double density, double thickness,
                      double *mass, double inertia[3]);
/** Whether forces can move a body of this mass and moment: neither is 0, infinite, nor so small that its
 * inverse is infinite. */
bool scree_shape_mass_moves(double mass, const double inertia[3]);

/** A FACETS shape with its neighbours and edges worked out; takes copies. `facets`: 4 n_facets. */
scree_shape *scree_shape_new_facets(uint32_t dimension, uint32_t n_vertices, const double *xyz,
                                    uint32_t n_facets, const uint32_t *facets, GError **error);
scree_shape *scree_shape_new_round(bool flat); /* unit sphere, or disc */
scree_shape *scree_shape_new_plane(const double normal[3]);
void scree_shape_free(scree_shape *shape);

/** Unit normal of a facet in body axes. */
void scree_facet_normal(const scree_shape *shape, uint32_t facet, double n[3]);
/** Edges at which more than two facets meet; they are open for all of them. */
uint32_t scree_shape_branching(const scree_shape *shape);
/** [m] of the sphere that has the volume of the shape at scale 1, of a flat one the disc of its area;
 * a round one's own. 0 for facets and planes. */
double scree_shape_equal_radius(const scree_shape *shape);
/** [m^3] of a body, in 2D of that thickness; 0 for facets and planes. */
double scree_shape_volume(const scree_shape *shape, double scale, double thickness);

static inline bool scree_shape_is_round(const scree_shape *shape)
{
    return shape->flags & SCREE_CAP_ROUND;
}

/** True for facets and planes: their bodies are never free, and have no mass. */
static inline bool scree_shape_is_wall(const scree_shape *shape)
{
    return shape->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE);
}

static inline uint32_t scree_shape_facets(const scree_shape *shape)
{
    return shape->mesh ? shape->mesh->n_facets : 0;
}

#endif
