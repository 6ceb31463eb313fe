/* SPDX-License-Identifier: Apache-2.0 */
/* Judges what the views of a shape that a plugin makes answer. */
#ifndef CORE_PLUGIN_SHAPE_ANSWERS_H
#define CORE_PLUGIN_SHAPE_ANSWERS_H

#include "scene/plugin_shape.h"

/** Farthest points in n directions. False, with blame, when one is beyond the radius, or not a number; any lane may
 * call it. */
bool scree_shape_ask_farthest(const scree_shape *shape, const scree_support *support, uint32_t n,
                              const double *const direction[3], double *const point[3],
                              GError **error);
/** After a resolver has failed: false, with blame, when the support or the implicit function of a shape gives
 * what no resolver can use. Asks in many directions, some of them of small length; any lane may call it. */
bool scree_shape_check_answers(const scree_shape *shape, GError **error);

#endif
