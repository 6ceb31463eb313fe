/* SPDX-License-Identifier: Apache-2.0 */
/* The key `query` of a scene: the GCD plugin that answers questions about space. */
#ifndef CORE_SCENE_QUERY_H
#define CORE_SCENE_QUERY_H

#include "scene/scene_build.h"

/** Reads `query = { gcd = { plugin = ..}; }`. */
void scree_build_query(scree_build *build);
/** That plugin: the scene's, else the default, which is loaded when it is first needed. NULL with an
 * error: it is missing or refused. */
const scree_choice_of *scree_scene_query_gcd(const scree_scene *scene, GError **error);

#endif
