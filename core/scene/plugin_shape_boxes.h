/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the boxes of a shape that a plugin makes against its views. */
#ifndef CORE_PLUGIN_SHAPE_BOXES_H
#define CORE_PLUGIN_SHAPE_BOXES_H

#include "scene/plugin_shape.h"

/** boxes() of a solid or a wall in some poses: they hold what its views show, and their balls hold
 * no less. */
bool scree_shape_check_boxes(scree_instance *instance, const scree_shape *shape, GError **error);

/** After a resolver has failed: false, with blame, when the support or the implicit function of a shape gives
 * what no resolver can use. Asks in many directions, some of them of small length; any lane may call it. */
bool scree_shape_check_answers(const scree_shape *shape, GError **error);

#endif
