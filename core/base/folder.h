/* SPDX-License-Identifier: Apache-2.0 */
/* The folder that this process writes into: whether it is still there, and how paths are shown. */
#ifndef CORE_FOLDER_H
#define CORE_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/** The file that marks a folder as taken where the file system cannot lock a folder. */
#define SCREE_FOLDER_LOCK ".scree.lock"

/** Notes the current folder, which plugins and libraries may change later: paths that are not
 * absolute start there. Called before anything else of a run. */
void scree_folder_begin(void);
/** That folder; NULL: scree_folder_begin was not called. Borrowed. */
const char *scree_folder_start(void);
/** Whether paths are shown as they are, because the user has given an absolute one. */
void scree_folder_show_absolute(bool absolute);
/** Part of an absolute path that people need: without the folder in which the program was started.
 * Borrowed from `path`. */
const char *scree_folder_shown(const char *path);

/** Makes a name that was renamed to, or removed, last: syncs the folder of `path`. 0, or an errno. A
 * folder that the file system cannot sync, or that may not be read, counts as synced. */
int scree_folder_sync(const char *path);

/** This process writes into `path` from now on; `info`: of its stat. */
void scree_folder_hold(const char *path, const struct stat *info);
/** It does not any more. */
void scree_folder_drop(void);
/** False when the folder that this process holds is no longer there, or is another one. */
bool scree_folder_check(GError **error);

#endif
