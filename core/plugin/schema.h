/* SPDX-License-Identifier: Apache-2.0 */
/* From a plugin's declared parameters and a group of the scene to its filled config struct. */
#ifndef CORE_SCHEMA_H
#define CORE_SCHEMA_H

#include "plugin/choice.h"

/** Reads `group` (its key `plugin` names the plugin; missing: `otherwise`) for a plugin of `kind`.
 * Problems go to config: unknown plugin (nearest name), unknown key, type, unit, range, missing
 * material property. Keys of the group that the host itself reads must have been asked for. NULL
 * when the plugin is missing or refused. `group` may be NULL (all defaults). */
scree_choice_of *scree_schema_choose(scree_config *config, scree_node *group, uint32_t kind,
                                     const char *otherwise, const scree_materials *materials,
                                     scree_registry *registry);
void scree_choice_of_free(scree_choice_of *choice);

#endif
