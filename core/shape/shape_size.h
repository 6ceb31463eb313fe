/* SPDX-License-Identifier: Apache-2.0 */
/* How large a shape is: the sides of the box around it, and the one size that warnings speak of. */
#ifndef CORE_SHAPE_SIZE_H
#define CORE_SHAPE_SIZE_H

#include "shape/plugin_shape.h"

/** Half the sides [m] of the box around the origin that holds the shape at scale 1, in its own axes;
 * 0 of walls. 2D: the third is 0. */
void scree_shape_sides(const scree_shape *shape, double half[3]);
/** [m] At scale 1: of a round shape its radius, of a clump that of its smallest ball, of a solid half
 * its thinnest side, or the radius of the ball (2D: disc) of equal volume where that is smaller; 0 of
 * walls. */
double scree_shape_size(const scree_shape *shape);
/** For plugin_shape_new.c: finds sides and size. */
bool scree_shape_measure_sides(scree_plugin_shape *shape, GError **error);

#endif
