/* SPDX-License-Identifier: Apache-2.0 */
/* From a plugin's declared parameters and a group of the scene to its filled config struct. */
#ifndef CORE_SCHEMA_H
#define CORE_SCHEMA_H

#include "plugin/choice.h"

/** Reads `group` (its key `plugin` names the plugin; missing: `otherwise`) for a plugin of `kind`.
 * Problems go to config: unknown plugin (nearest name), unknown key, type, unit, range, missing
 * material property. `further`: keys of the group that the host itself knows, NULL-terminated, or
 * NULL. NULL when the plugin is missing or refused. `group` may be NULL (all defaults). */
scree_choice_of *scree_schema_choose(scree_config *config, scree_node *group, uint32_t kind,
                                     const char *otherwise, const char *const *further,
                                     const scree_materials *materials, scree_registry *registry);
void scree_choice_of_free(scree_choice_of *choice);

/** Zeroed memory that lives as long as the choice. */
void *scree_fill_alloc(scree_fill *fill, size_t n, size_t size);
/** One number of a REAL kind from a node, checked; false with a problem. */
bool scree_fill_real(scree_fill *fill, const scree_param *param, const scree_node *node,
                     double *out);
/** "force/linear needs it", for what is missing. */
const char *scree_fill_user(const scree_fill *fill);

#endif
