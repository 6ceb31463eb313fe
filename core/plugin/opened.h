/* SPDX-License-Identifier: Apache-2.0 */
/* A file that was opened and judged. Data only. */
#ifndef CORE_OPENED_H
#define CORE_OPENED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"

/** A regular file, opened by a walk over each folder and link of its path. */
typedef struct scree_opened {
    int fd;     /* read only, closed on exec */
    char *path; /* absolute, without links */
    struct stat status;
    /* Why the file must not be trusted, without its path; NULL: it may be. It, a folder above it or
     * a link on the way belongs to another user, or others can write it. */
    char *complaint;
} scree_opened;

#endif
