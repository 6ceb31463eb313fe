/* SPDX-License-Identifier: Apache-2.0 */
/* The `generate` groups of a scene: a source makes the bodies of each, and their shapes. */
#ifndef CORE_SCENE_SOURCE_H
#define CORE_SCENE_SOURCE_H

#include "scene/scene_build.h"

/** Reads a group, makes an instance of its source, and takes its bodies and shapes. `otherwise`:
 * the source of a group that names it by `method`, or NULL. */
void scree_build_source(scree_build *build, scree_node *group, const char *otherwise);

void scree_build_generate(scree_build *build);

/** Returns why a scene without a region cannot have the cell that a source gives; NULL: it can, with
 * these boundaries. */
char *scree_check_cell(const scree_scene *scene, const scree_cell *cell,
                       scree_boundary boundary[3]);

#endif
