/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a plugin file from the descriptor that was judged. */
#ifndef CORE_DL_H
#define CORE_DL_H

#include "base/error.h"
#include "plugin/opened.h"
#include "plugin/plugin_file.h"

/** Opens a file, and judges its owner and mode. NULL: it is missing, or not to be trusted. */
scree_held *scree_held_new(const char *path, GPtrArray *trusted, GError **error);
void scree_held_free(scree_held *held);
/** Whether the file still holds the bytes that it had when it was opened. */
bool scree_held_is_same(const scree_held *held);
/** SHA-256 of these bytes, hex, borrowed; NULL: the file was written to, or cannot be
 * read. */
const char *scree_held_sha256(scree_held *held, GError **error);
/** Loads the file into this process, and judges the libraries that came with it; only a trial judges
 * what it exports. Returns the linker's handle. NULL: refused; the message does not hold the path. */
void *scree_held_load(scree_held *held, GError **error);

#endif
