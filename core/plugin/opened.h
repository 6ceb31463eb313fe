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
    /* Why it must not be trusted, or NULL: it, a folder above it or a link on the way to it belongs
     * to another user or can be written by others. Without the path of the file. */
    char *complaint;
} scree_opened;

#endif
