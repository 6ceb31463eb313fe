/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that bodies share: the round ones of the host; mass and volume of all. */
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

/** The unit sphere, or disc; freed with g_free. */
scree_shape *scree_shape_new_round(bool flat);
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
