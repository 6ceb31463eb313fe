/* SPDX-License-Identifier: Apache-2.0 */
/* The folder into which this process writes: whether it still exists, and how paths are shown. */
#ifndef CORE_FOLDER_H
#define CORE_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/** The file that marks a folder as taken, on file systems that cannot lock a folder. */
#define SCREE_FOLDER_LOCK ".scree.lock"

/** Notes the current folder: relative paths start there, even if a plugin changes it later. Called
 * before all else of a run. */
void scree_folder_begin(void);
/** The folder noted by scree_folder_begin, borrowed; NULL: it was not called. */
const char *scree_folder_start(void);
/** Makes messages show absolute paths in full, because the user has given one. */
void scree_folder_show_absolute(bool absolute);
/** The part of an absolute path that users need: without the folder in which the program was
 * started. Borrowed from `path`. */
const char *scree_folder_shown(const char *path);

/** Makes all syncs of this process do nothing: its files need not outlive a loss of power. */
void scree_folder_spare_syncs(void);
/** Syncs an open file. Returns 0 or an errno. */
int scree_file_sync(int fd);
/** Syncs the folder of `path`, so that a new or removed name lasts. Returns 0 or an errno. A folder
 * that cannot be synced or read counts as synced. */
int scree_folder_sync(const char *path);

/** Removes a folder with all that it holds. False: some of it is left, see errno. */
bool scree_folder_remove(const char *path);

/** Says that this process writes into `path` from now on; `info`: from its stat. */
void scree_folder_hold(const char *path, const struct stat *info);
/** Says that this process writes into the folder no longer. */
void scree_folder_drop(void);
/** Whether the folder that this process holds still exists, and is the same one. */
bool scree_folder_check(GError **error);

#endif
