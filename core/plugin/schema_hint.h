/* SPDX-License-Identifier: Apache-2.0 */
/* Hints for a scene that has a name, a list or a number instead of a plugin's group. */
#ifndef CORE_SCHEMA_HINT_H
#define CORE_SCHEMA_HINT_H

#include "plugin/choice.h"

/** Reports a node that should be the group of a plugin (`many`: a list of groups). */
void scree_schema_want_plugin(scree_config *config, const scree_node *at, bool many);
/** Reports a node that should be named groups of plugins (observers, modifiers). */
void scree_schema_want_named(scree_config *config, const scree_node *at);

#endif
