/* SPDX-License-Identifier: Apache-2.0 */
/* Finds plugins: search path, files, and descriptors by kind and id. */
#ifndef CORE_REGISTRY_H
#define CORE_REGISTRY_H

#include "plugin/plugin_file.h"
#include "plugin/trial.h"

/** Folders of plugins, and what was found in them. Others may read `trusted` and `lacks`;
 * its owner sets `hints_kinds` and `says_shadowed`, and may take folders out before it asks. */
struct scree_registry {
    GPtrArray *folders;         /* elements: char *, absolute, in search order */
    GPtrArray *trusted;         /* elements: char *, absolute, without links */
    GPtrArray *listing;         /* elements: scree_listing; NULL until one was needed */
    GPtrArray *folder_listings; /* elements: GPtrArray of scree_listing, of the first folders */
    GHashTable *given;          /* "kind/id" -> known_plugin, given by scree_registry_get */
    bool lacks;                 /* no folder has a plugin that was asked for */
    bool hints_kinds; /* hints name plugins by KIND/ID, as a command line does; a scene: by ID */
    /* Prints once per plugin that a file of others is used in place of scree's own. */
    bool says_shadowed;
};

/** A registry with the user's search path. `paths`: folders that come first (scene `plugin_path`,
 * then --plugin-path); ends in NULL. SCREE_PLUGIN_PATH (absolute folders),
 * scree_paths_user_plugins() and the installed folder follow; the build tree takes the place of
 * the last in a program that is not installed. A folder may hold sub-folders named by kind.
 * `trusted`: files (--trust) that are accepted although others can write them. */
scree_registry *scree_registry_new(const char *const *paths, const char *const *trusted);
void scree_registry_free(scree_registry *registry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_registry, scree_registry_free)
/** Adds a folder that is searched before all others (the scene's plugin_path). */
void scree_registry_prepend(scree_registry *registry, const char *folder);

/** Finds and loads kind/id. It opens only what it needs: first KIND/ID.so by its name in each
 * folder, then all files. NULL: SCREE_EXIT_PLUGIN when a file was refused, or the plugin is left
 * out, SCREE_EXIT_USAGE when no file has it; the message names the nearest id. */
const scree_plugin *scree_registry_get(scree_registry *registry, uint32_t kind, const char *id,
                                       const scree_file **file, GError **error);

/** Makes scree_registry_get give the plugins of this file, whatever the folders hold; `pinned`:
 * also after a scene has added folders. */
void scree_registry_give(scree_registry *registry, const scree_file *file, bool pinned);
/** Whether scree_registry_get has given a plugin of the file since it was given last. */
bool scree_registry_asked(const scree_registry *registry, const scree_file *file);

/** "scree": in the folder of this program's plugins. "user": in the user's folder of plugins.
 * "other": in any other folder. `path` is absolute. A constant. */
const char *scree_origin_of(const char *path);
/** Path of scree's own file of kind/id that the file at `path` shadows, a new string; NULL: none,
 * or the file is scree's own. */
char *scree_origin_shadowed(const char *kind, const char *id, const char *path);

/** The reason why two files of a folder are refused: path, kind, id, other path. */
#define SCREE_OFFERED_TWICE "%s: offers %s/%s, and so does %s in the same folder"
/** All files of all folders, in search order; GPtrArray of scree_listing. */
GPtrArray *scree_registry_scan(scree_registry *registry);

#endif
