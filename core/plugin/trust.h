/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a file once, and says whether somebody else than root and the user can change it. */
#ifndef CORE_TRUST_H
#define CORE_TRUST_H

#include "base/error.h"
#include "plugin/opened.h"

/** False, with an error that starts with `path`: the file is missing, not readable or not regular.
 * `opened` is free with scree_opened_clear in any case. */
bool scree_opened_init(scree_opened *opened, const char *path, GError **error);
void scree_opened_clear(scree_opened *opened);

/** Appends what identifies this file, as it is now: path, inode, size, times. */
void scree_opened_describe(const scree_opened *opened, GString *out);

/** Bytes of a file, new; NULL: the file does not hold all of them, or `size` is 0. */
void *scree_read_part(int fd, uint64_t offset, uint64_t size);

/** Paths of `files` (NULL-terminated, or NULL) without links, for scree_opened_judge. */
GPtrArray *scree_trusted_new(const char *const *files);
/** False, with an error: there is a complaint, and `trusted` (of char *, or NULL) lacks the path.
 */
bool scree_opened_judge(const scree_opened *opened, const GPtrArray *trusted, GError **error);

#endif
