/* SPDX-License-Identifier: Apache-2.0 */
/* New files and folders, written whole or not at all; nothing that exists is replaced. */
#ifndef CORE_NEW_FILES_H
#define CORE_NEW_FILES_H

#include "base/error.h"

/** A file to write. */
typedef struct scree_new_text {
    char *name; /* in its folder */
    char *text;
} scree_new_text;

/** Writes DIR/NAME, a file. DIR (NULL: the current folder) is made when it is missing, and removed
 * again when the file cannot be written. *path: its path, a new string. */
bool scree_new_file(const char *dir, const scree_new_text *file, char **path, GError **error);
/** Writes DIR/NAME, a folder with these files, in the same way. */
bool scree_new_folder(const char *dir, const char *name, const scree_new_text *files, size_t n,
                      char **path, GError **error);
/** The path as a shell wants it. New string. */
char *scree_new_quoted(const char *path);

#endif
