/* SPDX-License-Identifier: Apache-2.0 */
/* Where plugins are found and what is known of them: search path, files, kind/id to descriptor. */
#ifndef CORE_REGISTRY_H
#define CORE_REGISTRY_H

#include "plugin/plugin_file.h"

/** `paths`: NULL-terminated folders that come first (scene `plugin_path`, then --plugin-path), then
 * follow SCREE_PLUGIN_PATH (absolute folders), $XDG_DATA_HOME/scree/plugins, the installed folder
 * or, in an uninstalled binary, the build tree. A folder may hold sub-folders named by kind.
 * `trusted`: files
 * (--trust) that are accepted though others can write them. */
scree_registry *scree_registry_new(const char *const *paths, const char *const *trusted);
/** A registry of this folder only. */
scree_registry *scree_registry_new_of(const char *folder);
void scree_registry_free(scree_registry *registry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_registry, scree_registry_free)
/** Folders to search before all others, from now on (the scene's plugin_path). */
void scree_registry_prepend(scree_registry *registry, const char *folder);

/** From now on hints name plugins by KIND/ID, as a command line does, not by ID, as a scene does.
 */
void scree_registry_hint_kinds(scree_registry *registry);
/** Whether a plugin that was asked for is in none of the folders. */
bool scree_registry_lacks(const scree_registry *registry);
/** Finds and loads kind/id. Only what is asked for is opened: KIND/ID.so by its name in each folder
 * first, a full scan when no file of that name has it. NULL: SCREE_EXIT_PLUGIN
 * when a file was refused, SCREE_EXIT_USAGE when there is none; the message names the nearest id.
 */
const scree_plugin *scree_registry_get(scree_registry *registry, uint32_t kind, const char *id,
                                       const scree_file **file, GError **error);

/** Loads one file by its path, with the trust of the registry. NULL: refused. */
const scree_file *scree_registry_load(scree_registry *registry, const char *path, GError **error);

/** From now on scree_registry_get gives the plugins of this file, whatever the folders hold. */
void scree_registry_give(scree_registry *registry, const scree_file *file);

/** One line of `scree plugins`: what is known of a plugin or a file that was not loaded. */
typedef struct scree_listing {
    char *path;
    uint32_t kind;
    const char *id, *version, *help; /* NULL when the file was refused before they were known */
    char *const
        *material_keys; /* names of parameters of materials; ends in NULL; or NULL as above */
    GPtrArray *offers;  /* owns these five; or NULL as above */
    char *refused;      /* why, or NULL */
    char *shadowed_by;  /* path of the file whose plugin is taken instead, or NULL */
} scree_listing;
/** All files of all folders, in search order; GPtrArray of scree_listing. */
GPtrArray *scree_registry_scan(scree_registry *registry);

#endif
