/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin file that was opened and judged, with the libraries that it needs. Data only. */
#ifndef CORE_HELD_H
#define CORE_HELD_H

#include "plugin/opened.h"
#include "plugin/plugin_file.h"

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

#endif
