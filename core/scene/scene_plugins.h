/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins that a scene chooses: slots, named observers and modifiers, what they need. */
#ifndef CORE_SCENE_PLUGINS_H
#define CORE_SCENE_PLUGINS_H

#include "scene/scene_build.h"

/** A problem when the plugin does not serve the scene's dimension; `choice` may be NULL. */
void scree_build_check_dimension(scree_build *build, const scree_choice_of *choice);
/** The plugins of the scene, and its schedule; integrator and resolvers before all bodies. */
void scree_build_integrator(scree_build *build);
void scree_build_resolvers(scree_build *build);
void scree_build_plugins(scree_build *build);
/** Reads `query = { gcd = { plugin = ..}; }`. */
void scree_build_query(scree_build *build);
/** The GCD that answers questions about space: the scene's, else the default, which is loaded when it
 * is first needed. NULL with an error: it is missing or refused. */
const scree_choice_of *scree_scene_query_gcd(const scree_scene *scene, GError **error);
/** The plugin of one slot, a group of `from`; NULL with a problem. */
scree_choice_of *scree_build_choice(scree_build *build, scree_node *from, const char *key,
                                    uint32_t kind, const char *otherwise);
/** A list of groups, or a single group; missing: `otherwise`, when there is one. */
GPtrArray *scree_build_choices(scree_build *build, scree_node *from, const char *key, uint32_t kind,
                               const char *otherwise);
/** A named observer or modifier; NULL with a problem. */
scree_timed_choice *scree_build_timed(scree_build *build, scree_node *group, uint32_t kind);
void scree_timed_choice_free(void *timed);
/** Outputs of resolvers (SCREE_GIVES_*), all together; 0 for NULL. */
uint64_t scree_build_given(const GPtrArray *resolvers);
/** Problems for laws that need, beyond point, normal and depth, what is not given. */
void scree_build_check_needs(scree_build *build, const GPtrArray *forces, uint64_t given);
/** Problems for groups of bodies that a plugin names (SCREE_PARAM_GROUP) and that are not there. */
void scree_build_check_groups(scree_build *build, const scree_choice_of *choice);

#endif
