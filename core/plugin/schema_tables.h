/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters per material and per pair of materials, and the keys of `materials` as a whole. */
#ifndef CORE_SCHEMA_TABLES_H
#define CORE_SCHEMA_TABLES_H

#include "plugin/choice.h"
#include "plugin/schema_fill.h"

void scree_fill_per_material(scree_fill *fill, const scree_param *param, scree_reals *out);
void scree_fill_per_pair(scree_fill *fill, const scree_param *param, scree_reals *out);
/** The entries of material_pairs by their materials; new array. Wrong entries are left out: they
 * are reported by scree_schema_check_material_keys. */
scree_node **scree_materials_index_pairs(const scree_materials *materials);

/** One problem per key of `materials` and `material_pairs` that no installed plugin declares, one
 * note for those that are known but unused by this scene. Keys the host knows: `further`. */
void scree_schema_check_material_keys(scree_config *config, const scree_materials *materials,
                                      const char *const *further, scree_registry *registry);

#endif
