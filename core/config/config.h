/* SPDX-License-Identifier: Apache-2.0 */
/* The one reader of scene files: libconfig text in, a tree of nodes out (config_tree.h). */
#ifndef CORE_CONFIG_H
#define CORE_CONFIG_H

#include "config/config_tree.h"

/** Reads `path` with its includes and bases. `texts` (NULL: files are read) maps absolute paths to
 * texts that were kept. NULL: nothing could be read at all (missing file); every other mistake goes
 * to problems. */
scree_config *scree_config_load(const char *path, GHashTable *texts, GError **error);
/** Reads a string like a file; `name` stands for the file's name in messages. */
scree_config *scree_config_parse(const char *text, const char *name, const char *dir);
void scree_config_free(scree_config *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_config, scree_config_free)

scree_config *scree_config_new(void);             /* without a root */
scree_stored_scene *scree_stored_scene_new(void); /* an empty one */
void scree_stored_scene_free(scree_stored_scene *stored);

#endif
