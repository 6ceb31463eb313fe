/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the measure, the views and later answers of a shape that a plugin makes: what the host relies on. */
#ifndef CORE_PLUGIN_SHAPE_CHECK_H
#define CORE_PLUGIN_SHAPE_CHECK_H

#include "plugin/instance_data.h"
#include "scene/plugin_shape.h"
#include "shape/shape.h"

/** Each of these blames the plugin by name and function (SCREE_EXIT_PLUGIN). */

/** Numbers of a measure: finite, of the signs that the flags ask for. */
bool scree_measure_check(const scree_instance *instance, const scree_measure *m, GError **error);
/** A view by its name: its size, arrays, functions, indices, finite numbers. Views that the host does not know
 * pass. */
bool scree_view_check(const scree_instance *instance, const char *name, const void *view,
                      GError **error);

/** Farthest points in n directions. False, with blame, when one is beyond the radius, or not a number; any lane may
 * call it. */
bool scree_shape_ask_farthest(const scree_shape *shape, const scree_support *support, uint32_t n,
                              const double *const direction[3], double *const point[3],
                              GError **error);
/** After a resolver has failed: false, with blame, when the support or the implicit function of a shape gives
 * what no resolver can use. Asks in many directions, some of them of small length; any lane may call it. */
bool scree_shape_check_answers(const scree_shape *shape, GError **error);

#endif
