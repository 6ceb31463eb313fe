/* SPDX-License-Identifier: Apache-2.0 */
/* The `shapes` of a scene: named geometry that bodies share. */
#ifndef CORE_SCENE_SHAPES_H
#define CORE_SCENE_SHAPES_H

#include "scene/scene_build.h"

void scree_build_shapes(scree_build *build);
/** Frees what the instances of the scene's shapes shared, after the shapes. */
void scree_scene_free_shape_runtime(scree_scene *scene);

#endif
