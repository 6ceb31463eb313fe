/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and checks a scene (scene_data.h). */
#ifndef CORE_SCENE_H
#define CORE_SCENE_H

#include "scene/scene_data.h"

/** Reads a scene: a path, or a name in configs/ or the installed folder. `overrides`:
 * NULL-terminated "PATH=VALUE". All errors at once. */
scree_scene *scree_scene_load(const char *scene, const char *const *overrides,
                              scree_registry *registry, GError **error);
/** Reads the text of such a scene, and judges only its syntax. */
scree_config *scree_scene_read(const char *scene, const char *const *overrides, GError **error);
/** Reads a scene from a config, which it owns from now on, even on failure. */
scree_scene *scree_scene_new(scree_config *config, const char *name, scree_registry *registry,
                             GError **error);
void scree_scene_free(scree_scene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_scene, scree_scene_free)

#endif
