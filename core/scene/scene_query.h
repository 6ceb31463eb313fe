/* SPDX-License-Identifier: Apache-2.0 */
/* The key `query` of a scene: the GCD plugin that answers questions about space. */
#ifndef CORE_SCENE_QUERY_H
#define CORE_SCENE_QUERY_H

#include "scene/scene_build.h"

typedef struct scree_query_settings {
    scree_choice_of *gcd; /* NULL: the default, not needed yet */
} scree_query_settings;

scree_query_settings *scree_query_settings_new(void);
void scree_query_settings_free(scree_query_settings *settings);
/** Reads `query = { gcd = { plugin = ..}; }`. */
void scree_build_query(scree_build *build);
/** That plugin: the scene's, else the default, which is loaded when it is first needed. NULL with an
 * error: it is missing or refused. */
const scree_choice_of *scree_scene_query_gcd(const scree_scene *scene, GError **error);

#endif
