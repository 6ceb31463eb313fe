/* SPDX-License-Identifier: Apache-2.0 */
/* The `shapes` of a scene: named geometry that bodies share. */
#ifndef CORE_SCENE_SHAPES_H
#define CORE_SCENE_SHAPES_H

#include "scene/scene_build.h"

void scree_build_shapes(scree_build *build);
/** Gives the shapes their types, again after some were added. */
void scree_build_type_shapes(scree_build *build);
/** Adds a shape from a text as in `shapes.NAME = { text }`; false with problems at `at`. */
bool scree_build_add_shape(scree_build *build, const scree_node *at, const char *name,
                           const char *text, uint32_t *index);
/** Frees what the instances of the scene's shapes shared, after the shapes. */
void scree_scene_free_shape_runtime(scree_scene *scene);

#endif
