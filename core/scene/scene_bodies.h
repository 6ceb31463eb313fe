/* SPDX-License-Identifier: Apache-2.0 */
/* The `bodies` of a scene: one by one, or from a table. */
#ifndef CORE_SCENE_BODIES_H
#define CORE_SCENE_BODIES_H

#include "scene/scene_build.h"

void scree_build_bodies(scree_build *build);
/** Reads an `orientation`, or NULL: a unit quaternion from (w, x, y, z), from { axis, angle }, in
 * 2D from an angle. `words`: other values for a message. */
void scree_build_turn(scree_build *build, scree_node *node, const char *words, double q[4]);
/** Numbers bodies without a number, and sorts all by number. */
void scree_build_number(scree_build *build);

#endif
