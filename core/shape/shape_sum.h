/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of a shape: its type, its parameters, its measure, its exact views. */
#ifndef CORE_SHAPE_SUM_H
#define CORE_SHAPE_SUM_H

#include "shape/plugin_shape.h"

/** SHA-256 in hex; new string. The plugin's id and the values of its parameters (a file counts by what
 * the views hold of it), its measure, mesh, balls, outline and normal; never a code of a run. */
char *scree_shape_sum(const scree_shape *shape);

#endif
