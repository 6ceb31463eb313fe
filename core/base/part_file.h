/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a run: they have the name of a part until they are complete. */
#ifndef CORE_PART_FILE_H
#define CORE_PART_FILE_H

#include <glib.h>
#include <stdbool.h>

typedef struct scree_part_file {
    int fd; /* -1: not open */
    char *path, *part;
} scree_part_file;

/** Opens the part of `path`, a file in the folder of the run, and makes missing folders. False with
 * *text, a new string. */
bool scree_part_file_open(scree_part_file *file, const char *path, char **text);
/** Syncs, closes and renames a file, or (`keep` false) removes it. False with *text: the path, the
 * reason, and the place of what was written. The file is closed in any case. */
bool scree_part_file_end(scree_part_file *file, bool keep, char **text);
/** Frees the names. */
void scree_part_file_clear(scree_part_file *file);

#endif
