/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the scene that all instances of its plugins share, and what resolvers are asked before their
 * first pair: they prepare shapes, and say which types they serve. */
#ifndef CORE_SCENE_RUNTIME_H
#define CORE_SCENE_RUNTIME_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

/** A runtime that takes `pool` and knows dimension, materials, names, seed and thickness; all else
 * is 0. */
scree_runtime scree_scene_runtime(const scree_scene *scene, scree_pool *pool);

/** Calls prepare() of a resolver for each of these shapes (of scree_shape). A shape that it refuses
 * is a mistake of the scene: the error has the status of one and names the shape's file and line. */
bool scree_prepare_shapes(const GPtrArray *shapes, scree_instance *resolver, GError **error);
/** Asks supports() of a resolver. The caller has set `a` and `b` of the answer. */
bool scree_ask_supports(scree_instance *resolver, scree_pair_support *answer, GError **error);

#endif
