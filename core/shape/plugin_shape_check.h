/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the measure and the views of a shape that a plugin makes: what the host relies on. */
#ifndef CORE_PLUGIN_SHAPE_CHECK_H
#define CORE_PLUGIN_SHAPE_CHECK_H

#include "plugin/instance_data.h"
#include "shape/shape.h"

/** Each of these blames the plugin by name and function (SCREE_EXIT_PLUGIN). */

/** Numbers of a measure: finite, of the signs that the flags ask for. */
bool scree_measure_check(const scree_instance *instance, const scree_measure *m, GError **error);
/** A view by its name: its size, arrays, functions, indices, finite numbers. Views that the host does not know
 * pass. */
bool scree_view_check(const scree_instance *instance, const char *name, const void *view,
                      GError **error);

#endif
