/* SPDX-License-Identifier: Apache-2.0 */
/* The key `stop` of a scene: conditions that end a run. */
#ifndef CORE_SCENE_STOP_H
#define CORE_SCENE_STOP_H

#include "scene/scene_build.h"
#include "scene/scene_condition.h"

/** Reads `when` of a group, with `every` (100 steps); NULL with a problem. */
scree_condition *scree_build_condition(scree_build *build, scree_node *group);
/** Reads `stop`: an array of scree_condition. */
void scree_build_stop(scree_build *build);

#endif
