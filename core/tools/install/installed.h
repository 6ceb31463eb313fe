/* SPDX-License-Identifier: Apache-2.0 */
/* installed.json: which files of the user's folder of plugins `scree install` has copied there. */
#ifndef CORE_INSTALLED_H
#define CORE_INSTALLED_H

#include "base/error.h"

#define SCREE_INSTALLED_NAME "installed.json"

/** An installed file. */
typedef struct scree_installed {
    char *file;                 /* relative to the folder: KIND/ID.so */
    char *sha256, *twin_sha256; /* in hexadecimal; twin: the build for x86-64-v3, or NULL */
    char *source;               /* absolute path of the file that was copied */
    char **plugins;             /* KIND/ID of each of its plugins; ends in NULL */
    char *line;                 /* its object in JSON, on one line */
} scree_installed;

void scree_installed_free(scree_installed *one);
/** The object of a file, a new string. `plugins`: its array in JSON. The time is the current one. */
char *scree_installed_line(const scree_installed *one, const char *plugins);
/** A file from its object; NULL: malformed. */
scree_installed *scree_installed_read_line(const char *line);

/** Reads FOLDER/installed.json: GPtrArray of scree_installed; empty if the file does not exist.
 * NULL: it is damaged. */
GPtrArray *scree_installed_read(const char *folder, GError **error);
/** The text of installed.json, a new string. */
char *scree_installed_text(const GPtrArray *files);
/** The element with that file; NULL: none. */
scree_installed *scree_installed_find(const GPtrArray *files, const char *file);

#endif
