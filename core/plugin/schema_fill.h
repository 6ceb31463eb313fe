/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by schema.c and schema_tables.c: a config struct while it is being filled. */
#ifndef CORE_SCHEMA_FILL_H
#define CORE_SCHEMA_FILL_H

#include "config/keys.h"
#include "plugin/choice.h"

/** A config struct being filled. */
typedef struct scree_fill {
    scree_keys keys;
    const scree_plugin *plugin;
    const scree_materials *materials; /* never NULL; may be empty */
    scree_node **pair_of;             /* [n * n] entries of material_pairs, symmetric; or NULL */
} scree_fill;

#endif
