/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a plugin file from the descriptor that was judged, and watches what that does. */
#ifndef CORE_DL_H
#define CORE_DL_H

#include "plugin/plugin_file.h"
#include "plugin/trust.h"

/** A file that was opened and judged, with the libraries that it needs. Its descriptors are
 * read, hashed, tried and loaded, even if the path leads to another file by then. */
typedef struct scree_held {
    scree_opened opened;
    GPtrArray *libraries; /* of scree_opened: scree_libraries_open() */
    GPtrArray *trusted;   /* of char *, or NULL */
    char *sha256;         /* of the file when it was opened, hex; NULL: not yet asked for */
    bool settled;         /* it was last changed so long ago that its times show a change */
    bool for_good;        /* it was loaded: the linker knows it by its descriptor */
} scree_held;

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
