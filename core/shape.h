/* SPDX-License-Identifier: Apache-2.0 */
/* What core needs of shapes beyond scene.h: facet normals, volumes, closest points. */
#ifndef CORE_SHAPE_H
#define CORE_SHAPE_H

#include "scene.h"

/** Unit normal of a facet in body axes. */
void scree_facet_normal(const scree_shape *shape, uint32_t facet, double n[3]);
/** Edges at which more than two facets meet; they are open for all of them. */
uint32_t scree_shape_branching(const scree_shape *shape);
/** [m^3] of a sphere, or of a disc of that thickness; 0 for facets and planes. */
double scree_shape_volume(const scree_shape *shape, double scale, double thickness);

#endif
