/* SPDX-License-Identifier: Apache-2.0 */
/* The `generate` groups of a scene: a source makes the bodies of each, and their shapes. */
#ifndef CORE_SCENE_SOURCE_H
#define CORE_SCENE_SOURCE_H

#include "scene/scene_build.h"

/** Reads a group, and takes the bodies and shapes that its source makes. It may be written in the
 * former words of its room, instead of `plugin`. */
void scree_build_source_group(scree_build *build, scree_node *group, scree_former room);

void scree_build_generate(scree_build *build);

#endif
