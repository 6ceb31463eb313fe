/* SPDX-License-Identifier: Apache-2.0 */
/* Writes new files and folders, completely or not at all; it replaces nothing. */
#ifndef CORE_NEW_FILES_H
#define CORE_NEW_FILES_H

#include "base/error.h"

/** A file to write. */
typedef struct scree_new_text {
    char *name; /* name in its folder */
    char *text;
} scree_new_text;

/** Writes the file DIR/NAME. It makes DIR (NULL: the current folder), and removes it if the file
 * cannot be written. *path: the path of the file, a new string. */
bool scree_new_file(const char *dir, const scree_new_text *file, char **path, GError **error);
/** Writes the folder DIR/NAME with these files, in the same way. */
bool scree_new_folder(const char *dir, const char *name, const scree_new_text *files, size_t n,
                      char **path, GError **error);
/** The path quoted for a shell. New string. */
char *scree_new_quoted(const char *path);

#endif
