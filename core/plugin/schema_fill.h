/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the schema: what filling a config struct (schema.c) and its tables (schema_tables.c)
 * share. */
#ifndef CORE_SCHEMA_FILL_H
#define CORE_SCHEMA_FILL_H

#include "plugin/schema.h"

/** A config struct being filled. */
typedef struct scree_fill {
    scree_config *config;
    scree_choice_of *choice;
    const scree_materials *materials; /* never NULL; may have none */
    scree_node **pair_of;             /* [n * n] entries of material_pairs, symmetric, or NULL */
} scree_fill;

/** Zeroed memory that lives as long as the choice. */
void *scree_fill_alloc(scree_fill *fill, size_t n, size_t size);
/** One number of a REAL kind from a node, checked; false with a problem. */
bool scree_fill_real(scree_fill *fill, const scree_param *param, const scree_node *node,
                     double *out);
/** "force/linear needs it", for what is missing. */
const char *scree_fill_user(const scree_fill *fill);

void scree_fill_per_material(scree_fill *fill, const scree_param *param, scree_reals *out);
void scree_fill_per_pair(scree_fill *fill, const scree_param *param, scree_reals *out);
/** The entries of material_pairs by their materials; new array. Wrong entries are left out: they
 * are reported by scree_schema_check_material_keys. */
scree_node **scree_materials_index_pairs(const scree_materials *materials);

#endif
