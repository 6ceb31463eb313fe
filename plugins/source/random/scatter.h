/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequential addition: shared by the sources `random` and `polygons`. */
#ifndef PLUGINS_SOURCE_SCATTER_H
#define PLUGINS_SOURCE_SCATTER_H

#include "../packing.h"

typedef struct scatter_config {
    packing_config packing; /* first */
    int64_t tries;          /* places tried for a body */
} scatter_config;

/** make() of a source. family NULL: all bodies have the shape of the recipe. */
int32_t scatter_make(const scatter_config *config, const scree_host *host, const scree_query *query,
                     const packing_family *family, const scree_making *args);

#endif
