/* SPDX-License-Identifier: Apache-2.0 */
/* Fills a plugin's config struct from a group of the scene. */
#ifndef CORE_SCHEMA_H
#define CORE_SCHEMA_H

#include "plugin/choice.h"

/** Reads `group` for a plugin of `kind`: its key `plugin` names the plugin, `otherwise` is the
 * default. Problems go to config: unknown plugin (with the nearest name), unknown key, type, unit,
 * range, missing material property. The host must have asked for its own keys of the group before.
 * NULL: the plugin is missing or refused. `group` may be NULL (all defaults). */
scree_choice_of *scree_schema_choose(scree_config *config, scree_node *group, uint32_t kind,
                                     const char *otherwise, const scree_materials *materials,
                                     scree_registry *registry);
void scree_choice_of_free(scree_choice_of *choice);

/** Reports a node that should be the group of a plugin (`many`: a list of groups). */
void scree_schema_want_plugin(scree_config *config, const scree_node *at, bool many);
/** Reports a node that should be named groups of plugins (observers, modifiers). */
void scree_schema_want_named(scree_config *config, const scree_node *at);

#endif
