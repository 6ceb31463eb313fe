/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters per material and per pair of materials, and the keys of `materials` as a whole. */
#ifndef CORE_SCHEMA_TABLES_H
#define CORE_SCHEMA_TABLES_H

#include "plugin/choice.h"
#include "plugin/schema_fill.h"

void scree_fill_per_material(scree_fill *fill, const scree_param *param, scree_reals *out);
void scree_fill_per_pair(scree_fill *fill, const scree_param *param, scree_reals *out);
/** Each entry must name two materials, and no pair may have two. */
void scree_materials_check_pairs(scree_config *config, const scree_materials *materials);
/** One problem per key of `materials` and `material_pairs` that no installed plugin declares, one
 * note for those that are known but unused by this scene. `own`: keys of a material that the host knows. */
void scree_schema_check_material_keys(scree_config *config, const scree_materials *materials,
                                      const scree_key_table *own, scree_registry *registry);

#endif
