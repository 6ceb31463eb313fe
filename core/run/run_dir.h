/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a run: each run makes its own. */
#ifndef CORE_RUN_DIR_H
#define CORE_RUN_DIR_H

#include <stdbool.h>

#include "base/error.h"

/** Makes the folder of a run: `wanted`, which must be new or empty, or (NULL) runs/NAME-NUMBER with
 * the lowest free number. *made: the folder is new. Returns the absolute path, a new string. The
 * folder belongs to this process until scree_run_dir_release or the end of the process. */
char *scree_run_dir_make(const char *wanted, const char *name, bool *made, GError **error);
/** Points runs/latest to a folder with a number. A file of this name stays unless it is a link. */
bool scree_run_dir_set_latest(const char *folder, GError **error);
/** Writes a file of the folder under another name, then renames it. */
bool scree_run_dir_write(const char *folder, const char *name, const char *text, GError **error);

/** Lets other processes use the folder. */
void scree_run_dir_release(void);

#endif
