/* SPDX-License-Identifier: Apache-2.0 */
/* The `generate` groups of a scene: a source makes the bodies of each, and their shapes. */
#ifndef CORE_SCENE_SOURCE_H
#define CORE_SCENE_SOURCE_H

#include "scene/scene_build.h"

/** Reads a group, makes an instance of its source, and takes its bodies and shapes. `otherwise`:
 * the source of a group that names it by `method`, or NULL. */
void scree_build_source(scree_build *build, scree_node *group, const char *otherwise);

void scree_build_generate(scree_build *build);

#endif
