/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a run: made anew, never reused. */
#ifndef CORE_RUN_DIR_H
#define CORE_RUN_DIR_H

#include <stdbool.h>

#include "base/error.h"

/** Makes the folder of a run: `wanted`, which must be new or empty, or (NULL) runs/NAME-NUMBER with
 * the lowest free number. *made: it was not there before. New string: an absolute path. The folder
 * is this process's until scree_run_dir_release; a process that is killed gives it back. */
char *scree_run_dir_make(const char *wanted, const char *name, bool *made, GError **error);
/** Points runs/latest to a folder that was numbered here; a file of that name that is no link
 * stays. */
bool scree_run_dir_set_latest(const char *folder, GError **error);
/** Writes a file of the folder under another name, then renames it. */
bool scree_run_dir_write(const char *folder, const char *name, const char *text, GError **error);

/** Gives the folder back to others. */
void scree_run_dir_release(void);
/** Removes a folder with all that is in it; what cannot be is told on standard error. */
void scree_run_dir_remove(const char *folder);

#endif
