/* SPDX-License-Identifier: Apache-2.0 */
/* A scene from the texts that were kept with a state, and two scenes compared key by key. */
#ifndef CORE_SCENE_AGAIN_H
#define CORE_SCENE_AGAIN_H

#include "run/checkpoint.h"

/** Returns the texts with their overrides, then `overrides` (NULL-terminated), as a tree. */
scree_config *scree_stored_scene_config(const scree_stored_scene *stored,
                                        const char *const *overrides, GError **error);
/** Returns the scene of this tree. */
scree_scene *scree_stored_scene_load(const scree_stored_scene *stored, const char *const *overrides,
                                     scree_registry *registry, GError **error);
/** Differences between two scenes, each "PATH: OLD, now NEW"; GPtrArray of char *. */
GPtrArray *scree_config_differences(const scree_config *from, const scree_config *to);

#endif
