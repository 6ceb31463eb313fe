/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a shape: the sides of the box around it, and the one size that warnings print. */
#ifndef CORE_SHAPE_SIZE_H
#define CORE_SHAPE_SIZE_H

#include "shape/plugin_shape.h"

/** Half the sides [m] of the box around the origin that holds the shape at scale 1, in the shape's
 * own axes; 0 for walls. 2D: the third is 0. */
void scree_shape_sides(const scree_shape *shape, double half[3]);
/** [m] Size at scale 1: the radius of a round shape; the radius of a clump's smallest ball; for a
 * solid, half its thinnest side, or the radius of the ball (2D: disc) of equal volume if that is
 * smaller; 0 for walls. */
double scree_shape_size(const scree_shape *shape);
/** Finds sides and size; called by plugin_shape_new.c. */
bool scree_shape_measure_sides(scree_plugin_shape *shape, GError **error);

#endif
