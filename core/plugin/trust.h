/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a file once, and reports whether others than root and the user can change it. */
#ifndef CORE_TRUST_H
#define CORE_TRUST_H

#include "base/error.h"
#include "plugin/opened.h"

/** Opens a file. False, with an error that starts with `path`: it is missing, not readable or not
 * regular. scree_opened_clear frees `opened` in any case. */
bool scree_opened_init(scree_opened *opened, const char *path, GError **error);
void scree_opened_clear(scree_opened *opened);

/** Reads bytes of a file into a new array; NULL: the file does not hold all of them, or `size` is
 * 0. */
void *scree_read_part(int fd, uint64_t offset, uint64_t size);

/** Paths of `files` (ending in NULL, or NULL) without links, for scree_opened_judge. */
GPtrArray *scree_trusted_new(const char *const *files);
/** Judges an opened file. False, with an error: it has a complaint, and `trusted` (elements: char
 * *; or NULL) lacks its path. */
bool scree_opened_judge(const scree_opened *opened, const GPtrArray *trusted, GError **error);

#endif
