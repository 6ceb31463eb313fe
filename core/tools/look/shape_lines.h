/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of `scree validate` about shapes. */
#ifndef CORE_SHAPE_LINES_H
#define CORE_SHAPE_LINES_H

#include "scene/scene_data.h"

/** Prints volume and moments of solids and clumps, and area, volume and faults of walls of facets. */
void scree_print_shapes(const scree_scene *s);

#endif
