/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: the measure against integrals over what the views enclose. */
#ifndef CORE_CHECK_SHAPE_MEASURE_H
#define CORE_CHECK_SHAPE_MEASURE_H

#include "tools/check/check_shape_bench.h"

/** Case `measure`, for a bench in the user's frame. */
void scree_shape_check_measure(const scree_shape_bench *b);
/** Volume (2D: area) inside a closed mesh; *error: effect of its tolerance. */
double scree_shape_mesh_content(const scree_shape_bench *b, double *error);

#endif
