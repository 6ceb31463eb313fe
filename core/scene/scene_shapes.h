/* SPDX-License-Identifier: Apache-2.0 */
/* The `shapes` of a scene: named geometry that bodies share. */
#ifndef CORE_SCENE_SHAPES_H
#define CORE_SCENE_SHAPES_H

#include "scene/scene_build.h"

void scree_build_shapes(scree_build *build);
/** Gives the shapes their types; called again after some were added. */
void scree_build_type_shapes(scree_build *build);
/** Adds a shape given by a text, as in `shapes.NAME = { text }`. False with problems at `at`. */
bool scree_build_add_shape(scree_build *build, const scree_node *at, const char *name,
                           const char *text, uint32_t *index);
/** Frees the runtime of the scene's shapes, after the shapes. */
void scree_scene_free_shape_runtime(scree_scene *scene);

#endif
