/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: measure and views, as far as the host relies on them. */
#ifndef CORE_CHECK_SHAPE_ANSWERS_H
#define CORE_CHECK_SHAPE_ANSWERS_H

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
