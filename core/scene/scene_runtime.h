/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the scene that all instances of its plugins share. */
#ifndef CORE_SCENE_RUNTIME_H
#define CORE_SCENE_RUNTIME_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

/** A runtime that takes `pool` and knows dimension, materials, names, seed and thickness; all else
 * is 0. */
scree_runtime scree_scene_runtime(const scree_scene *scene, scree_pool *pool);

#endif
