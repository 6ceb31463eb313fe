/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that the integrator of a scene brings (extension "scree.start/1"). */
#ifndef CORE_SCENE_START_H
#define CORE_SCENE_START_H

#include "scene/scene.h"
#include "scene/scene_build.h"

/** Takes the bodies of the integrator, which must have been chosen, for a group of `generate`. */
void scree_build_start(scree_build *build, scree_node *group);

void scree_started_clear(scree_started *started);

#endif
