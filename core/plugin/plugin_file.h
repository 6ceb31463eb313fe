/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin file that was loaded and accepted. Data only. */
#ifndef CORE_PLUGIN_FILE_H
#define CORE_PLUGIN_FILE_H

#include <stdbool.h>

#include "base/error.h"
#include "scree/scree.h"

typedef struct scree_registry scree_registry; /* registry.h */

/** A plugin file that was loaded and accepted. Lives as long as the process (never dlclosed). */
typedef struct scree_file {
    char *path;   /* absolute; of the CPU level that was taken */
    char *sha256; /* of the bytes that were loaded, hex */
    int fd;       /* they can be read here, whatever the path names by now */
    const scree_manifest *manifest;
    const char *cpu_level; /* "x86-64-v3" or "baseline" */
} scree_file;

#endif
