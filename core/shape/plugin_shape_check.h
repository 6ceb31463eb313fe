/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the measure and the views of a shape made by a plugin: all that the host relies on. */
#ifndef CORE_PLUGIN_SHAPE_CHECK_H
#define CORE_PLUGIN_SHAPE_CHECK_H

#include "plugin/instance_data.h"
#include "shape/shape.h"

/** Each function blames the plugin by name and function (SCREE_EXIT_PLUGIN). */

/** Checks that a measure is finite and has the signs that the flags require. */
bool scree_measure_check(const scree_instance *instance, const scree_measure *m, GError **error);
/** Checks a view by its name: size, arrays, functions, indices, finite numbers. Views that the host
 * does not know pass. */
bool scree_view_check(const scree_instance *instance, const char *name, const void *view,
                      GError **error);

#endif
