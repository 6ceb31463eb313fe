/* SPDX-License-Identifier: Apache-2.0 */
/* A file that was opened, and one that was judged, too. Data only. */
#ifndef CORE_OPENED_H
#define CORE_OPENED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "plugin/plugin_file.h"

/** A regular file, opened by a walk over each folder and link of its path. */
typedef struct scree_opened {
    int fd;     /* read only, closed on exec */
    char *path; /* absolute, without links */
    struct stat status;
    /* Why the file must not be trusted, without its path; NULL: it may be. It, a folder above it or
     * a link on the way belongs to another user, or others can write it. */
    char *complaint;
} scree_opened;

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
