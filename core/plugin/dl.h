/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a plugin file from the descriptor that was judged, and watches what that does. */
#ifndef CORE_DL_H
#define CORE_DL_H

#include "base/error.h"
#include "plugin/held.h"
#include "plugin/plugin_file.h"

/** NULL: it is missing, or it or a library that it needs is not to be trusted. */
scree_held *scree_held_new(const char *path, GPtrArray *trusted, GError **error);
void scree_held_free(scree_held *held);
/** True when the file holds the bytes that it held when it was opened. */
bool scree_held_is_same(const scree_held *held);
/** Hash of these bytes, hex, borrowed; NULL: the file was written to, or cannot be read. */
const char *scree_held_sha256(scree_held *held, GError **error);
/** dlopen and all checks, in this process. NULL: refused; the message does not hold the path. */
const scree_manifest *scree_held_load(scree_held *held, GError **error);

#endif
