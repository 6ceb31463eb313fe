/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a scene shared by all instances of its plugins. Before their first pair, resolvers
 * prepare shapes, and report the types that they serve. */
#ifndef CORE_SCENE_RUNTIME_H
#define CORE_SCENE_RUNTIME_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

/** Returns a runtime that owns `pool` and has dimension, materials, names, seed and thickness; the
 * rest is 0. */
scree_runtime scree_scene_runtime(const scree_scene *scene, scree_pool *pool);

/** Listens to instances of trials (`say` of a runtime), and prints nothing. */
void scree_keep_quiet(void *listener, int32_t level_or_code, const char *text);

/** Calls prepare() of a resolver for each of these shapes (scree_shape). A refused shape is an
 * error of the scene: it has that status, and the shape's file and line. */
bool scree_prepare_shapes(const GPtrArray *shapes, scree_instance *resolver, GError **error);
/** Calls supports() of a resolver. The caller has set `a` and `b` of the answer. */
bool scree_ask_supports(scree_instance *resolver, scree_pair_support *answer, GError **error);
/** Calls resolve() of a resolver. */
bool scree_ask_contacts(scree_instance *resolver, const scree_candidates *in, scree_contacts *out,
                        uint32_t *done, GError **error);

/** Calls init() and step_init() of a GCD that has its own boxes. */
bool scree_ask_index(scree_instance *gcd, const scree_boxes *boxes, GError **error);
/** Calls find_objects() of a GCD. */
bool scree_ask_objects(scree_instance *gcd, const scree_zone *zone, scree_index_sink *sink,
                       GError **error);

#endif
