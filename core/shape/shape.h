/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that bodies share: round shapes of the host; mass and volume of any shape. */
#ifndef CORE_SHAPE_H
#define CORE_SHAPE_H

#include <stdbool.h>

#include "base/error.h"
#include "scree/scree.h"

/** Mass [kg] and principal moments [kg m^2] of a body with this shape, scale and density; 0 for
 * facets and planes. */
void scree_shape_mass(const scree_shape *shape, double scale, double density, double thickness,
                      double *mass, double inertia[3]);
/** Whether forces can move a body with this mass and these moments: none is 0, infinite, or so
 * small that its inverse is infinite. */
bool scree_shape_mass_moves(double mass, const double inertia[3]);

/** Makes the unit sphere or disc; g_free frees it. */
scree_shape *scree_shape_new_round(bool flat);
/** [m] Radius of the sphere with the volume of the shape at scale 1; for a flat shape, of the disc
 * with its area; for a round shape, its own radius. 0 for facets and planes. */
double scree_shape_equal_radius(const scree_shape *shape);
/** [m^3] Volume of a body; in 2D, with this thickness. 0 for facets and planes. */
double scree_shape_volume(const scree_shape *shape, double scale, double thickness);

static inline bool scree_shape_is_round(const scree_shape *shape)
{
    return shape->flags & SCREE_CAP_ROUND;
}

/** Whether the shape is a facet or a plane. Their bodies are never free, and have no mass. */
static inline bool scree_shape_is_wall(const scree_shape *shape)
{
    return shape->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE);
}

static inline uint32_t scree_shape_facets(const scree_shape *shape)
{
    return shape->mesh ? shape->mesh->n_facets : 0;
}

#endif
