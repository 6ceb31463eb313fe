/* SPDX-License-Identifier: Apache-2.0 */
/* The `bodies` of a scene: one by one, or from a table. */
#ifndef CORE_SCENE_BODIES_H
#define CORE_SCENE_BODIES_H

#include "scene/scene_build.h"

void scree_build_bodies(scree_build *build);
/** An `orientation`, or NULL: a unit quaternion from (w, x, y, z), from { axis, angle }, in 2D from an
 * angle. `words`: what else it may be, for a message. */
void scree_build_turn(scree_build *build, scree_node *node, const char *words, double q[4]);
/** Gives numbers to bodies without one and sorts by number. */
void scree_build_number(scree_build *build);

#endif
