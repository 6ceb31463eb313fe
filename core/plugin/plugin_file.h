/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin file that was loaded and accepted. Data only. */
#ifndef CORE_PLUGIN_FILE_H
#define CORE_PLUGIN_FILE_H

#include <stdbool.h>

#include "base/error.h"
#include "scree/scree.h"

typedef struct scree_registry scree_registry; /* registry.h */

/** A plugin file that was loaded and accepted; it is never unloaded. */
typedef struct scree_file {
    char *path;                     /* absolute; path of the build for this CPU */
    char *sha256;                   /* of the loaded bytes, hex */
    int fd;                         /* reads the loaded bytes, whatever is at the path by now */
    const char *build_id;           /* of the file, hex; "": it has none */
    const scree_manifest *manifest; /* of the descriptors that this host serves */
    GPtrArray *left_out;            /* elements: scree_offer (trial.h), those of the others */
    const char *cpu_level;          /* "x86-64-v3" or "baseline" */
} scree_file;

#endif
