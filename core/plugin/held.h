/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin file that was opened and judged. Data only. */
#ifndef CORE_HELD_H
#define CORE_HELD_H

#include "plugin/opened.h"
#include "plugin/plugin_file.h"

/** A file that was opened and judged. Its descriptor is read, hashed and loaded, even if the path
 * leads to another file by then. */
typedef struct scree_held {
    scree_opened opened;
    GPtrArray *trusted; /* elements: char *; or NULL */
    char *sha256;       /* of the bytes at the opening, hex; NULL: not computed yet */
    bool led;           /* as scree_verdict.led: it is loaded by its path */
    bool settled;       /* its last change is so old that any later one shows in its times */
    bool for_good;      /* it was loaded: the linker knows its descriptor */
} scree_held;

#endif
