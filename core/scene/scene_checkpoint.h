/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the key `checkpoint` of a scene: when a run saves its state, and how many files stay. */
#ifndef CORE_SCENE_CHECKPOINT_H
#define CORE_SCENE_CHECKPOINT_H

#include "scene/scene_build.h"

/** When the run is saved: the group `checkpoint`. */
void scree_build_checkpoint(scree_build *build);

#endif
