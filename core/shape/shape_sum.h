/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of a shape: its type, its parameters, its measure, its exact views. */
#ifndef CORE_SHAPE_SUM_H
#define CORE_SHAPE_SUM_H

#include "shape/plugin_shape.h"

/** SHA-256 in hex, a new string. It covers the plugin's id, the values of its parameters (of a
 * file, only its content in the views), measure, mesh, balls, outline, normal; never a code of a
 * run. */
char *scree_shape_sum(const scree_shape *shape);

#endif
