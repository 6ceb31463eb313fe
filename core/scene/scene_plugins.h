/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a scene: slots, named observers and modifiers, their needs. */
#ifndef CORE_SCENE_PLUGINS_H
#define CORE_SCENE_PLUGINS_H

#include "scene/scene_build.h"

/** Adds a problem if the plugin does not serve the scene's dimension; `choice` may be NULL. */
void scree_build_check_dimension(scree_build *build, const scree_choice_of *choice);
/** Read the plugins of the scene, and its schedule; integrator and resolvers before all bodies. */
void scree_build_integrator(scree_build *build);
void scree_build_resolvers(scree_build *build);
void scree_build_plugins(scree_build *build);
/** Reads `query = { gcd = { plugin = ..}; }`. */
void scree_build_query(scree_build *build);
/** Returns the GCD for questions about space: the scene's own, or the default, which is loaded when
 * first needed. NULL with an error: it is missing or refused. */
const scree_choice_of *scree_scene_query_gcd(const scree_scene *scene, GError **error);
/** Reads the plugin of a slot, a group in `from`; NULL with a problem. */
scree_choice_of *scree_build_choice(scree_build *build, scree_node *from, const char *key,
                                    uint32_t kind, const char *otherwise);
/** Reads a list of groups, or one group. If the key is missing, chooses the plugin `otherwise`, or
 * none if `otherwise` is NULL. */
GPtrArray *scree_build_choices(scree_build *build, scree_node *from, const char *key, uint32_t kind,
                               const char *otherwise);
/** Reads a named observer or modifier; NULL with a problem. */
scree_timed_choice *scree_build_timed(scree_build *build, scree_node *group, uint32_t kind);
void scree_timed_choice_free(void *timed);
/** Adds a problem if two observers of one plugin write the same file. */
void scree_build_compare_files(scree_build *build, const scree_timed_choice *one,
                               const scree_timed_choice *other);
/** Returns all outputs of the resolvers together (SCREE_GIVES_*); 0 for NULL. */
uint64_t scree_build_given(const GPtrArray *resolvers);
/** Adds problems for laws that need more than point, normal, depth and the `given` outputs. */
void scree_build_check_needs(scree_build *build, const GPtrArray *forces, uint64_t given);
/** Adds problems for missing groups of bodies that a plugin names (SCREE_PARAM_GROUP). */
void scree_build_check_groups(scree_build *build, const scree_choice_of *choice);

/** Node of the materials with a parameter's value, if the value in the plugin's group has no effect;
 * NULL: some pair of materials whose bodies can meet uses that value. */
const scree_node *scree_materials_overriding(const scree_scene *scene, const char *name);

#endif
