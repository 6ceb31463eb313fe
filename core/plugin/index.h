/* SPDX-License-Identifier: Apache-2.0 */
/* The index of plugins: results of trials, in plugins.json of this program and in that of the
 * user. */
#ifndef CORE_INDEX_H
#define CORE_INDEX_H

#include "build_config.h"
#include "plugin/trial.h"

/** Offers of the file, GPtrArray of scree_offer; NULL: no row fits. With `bytes` the SHA-256 must
 * fit; without, a SHA-256 is computed only for a file whose times differ or are too young. */
GPtrArray *scree_index_find(scree_held *held, bool bytes);
/** Whether an index has a row about the file. */
bool scree_index_has(const char *path);

/** Makes the next question read the indices again: another process may have changed the user's. */
void scree_index_forget(void);

/** Path of the only index, which is left out if it is older than this program; NULL: that of the
 * program and that of the user. Set before the first question. */
extern const char *scree_index_taken;
/** Whether an index is older than this program. */
bool scree_index_is_old(const char *path);

/* The text of an index (index.c). */
#define SCREE_INDEX_HEAD                                                                           \
    "{\"format\":3,\"scree\":\"" SCREE_VERSION "\",\"abi\":\"" SCREE_ABI_DIGEST "\",\"files\":["
#define SCREE_INDEX_MIDDLE "],\"plugins\":["
#define SCREE_INDEX_FILE "{\"file\":\""

/** The lines about files of an index, without commas at their ends. */
typedef struct scree_index_lines {
    char *text, *folder; /* folder: of the index, without links */
    GPtrArray *files;
} scree_index_lines;
/** Reads an index; one that cannot be used gives no lines. */
scree_index_lines scree_index_read(const char *path);
void scree_index_clear(scree_index_lines *index);
/** The absolute path of a file from its line. New string. */
char *scree_index_path_of(const char *line, const char *folder);
/** Whether JSON holds a text as it is, without escapes. */
bool scree_index_is_plain(const char *text);
/** The member `stat` of a row. New string. */
char *scree_index_stat(const struct stat *is);

#endif
