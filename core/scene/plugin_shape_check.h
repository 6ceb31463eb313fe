/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the measure and the views of a shape that a plugin makes. */
#ifndef CORE_PLUGIN_SHAPE_CHECK_H
#define CORE_PLUGIN_SHAPE_CHECK_H

#include "plugin/instance_data.h"
#include "shape/shape.h"

/** Each of these blames the plugin by name and function (SCREE_EXIT_PLUGIN). */

/** Numbers of a measure: finite, of the signs that the flags ask for, an inertia that a body can
 * have. */
bool scree_measure_check(const scree_instance *instance, const scree_measure *m, GError **error);
/** A measure after place(): the centroid is the origin, the axes are principal, and what no frame
 * changes is as in `was`, the measure before. */
bool scree_measure_check_placed(const scree_instance *instance, const scree_measure *was,
                                const scree_measure *m, GError **error);
/** A view by its name: its size, its numbers, all of it within `radius` [m] of the origin (0: not
 * compared). Views that the host does not know pass. */
bool scree_view_check(const scree_instance *instance, const char *name, const void *view,
                      double radius, GError **error);
#endif
