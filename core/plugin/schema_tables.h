/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters per material and per pair of materials, and the keys of `materials` as a whole. */
#ifndef CORE_SCHEMA_TABLES_H
#define CORE_SCHEMA_TABLES_H

#include "config/keys.h"
#include "plugin/choice.h"

/** A config struct being filled. */
typedef struct scree_fill {
    scree_keys keys;
    const scree_plugin *plugin;
    const scree_materials *materials; /* never NULL; may be empty */
    scree_node **pair_of;             /* [n * n] entries of material_pairs, symmetric; or NULL */
    scree_registry *registry;         /* of nested plugins */
    int depth;                        /* 0: no plugin owns it */
} scree_fill;

void scree_fill_per_material(scree_fill *fill, const scree_param *param, scree_reals *out);
void scree_fill_per_pair(scree_fill *fill, const scree_param *param, scree_reals *out);
/** The entries of material_pairs, [n_materials^2] by their materials; NULL where a pair has none. A
 * new array; an entry that does not name two materials, or a pair again, is left out, and is a
 * problem unless config is NULL. */
scree_node **scree_materials_pairs(scree_config *config, const scree_materials *materials);
/** Reports each key of `materials` and `material_pairs` that no installed plugin declares, and
 * notes the known ones that this scene does not use. `own`: the host's keys of a material. */
void scree_schema_check_material_keys(scree_config *config, const scree_materials *materials,
                                      const scree_key_table *own, scree_registry *registry);

#endif
