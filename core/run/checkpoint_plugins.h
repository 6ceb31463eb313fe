/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a checkpoint about plugins: names, fields, acted entries of the schedule, values
 * that plugins and conditions remember; the identity of the scene. */
#ifndef CORE_CHECKPOINT_PLUGINS_H
#define CORE_CHECKPOINT_PLUGINS_H

#include "run/checkpoint.h"

/* An empty array of scree_saved_plugin. */
GArray *scree_saved_plugins_new(void);
/** Appends an instance, and the instances that it has made. */
void scree_saved_plugins_add(GArray *plugins, const scree_instance *instance);
/** Appends a plugin without an instance. */
void scree_saved_plugins_add_of(GArray *plugins, const char *slot, const scree_plugin *plugin,
                                const scree_file *file);
GArray *scree_saved_plugins_of(const scree_sim *sim);
/** All plugins that a restart compares, with each type of shapes once, which older checkpoints
 * lack. */
GArray *scree_saved_plugins_for_restart(const scree_sim *sim);
GPtrArray *scree_keeping_laws_of(const scree_sim *sim);

/* Texts of a scene; tools/restart reads it again without its files. */
scree_stored_scene *scree_stored_scene_new(void); /* an empty one */
scree_stored_scene *scree_stored_scene_of(const scree_scene *scene);
void scree_stored_scene_free(scree_stored_scene *stored);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_stored_scene, scree_stored_scene_free)

#endif
