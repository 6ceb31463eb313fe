/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the parameters and fields that a plugin declares, before anything relies on them. */
#ifndef CORE_DECLARATION_H
#define CORE_DECLARATION_H

#include "plugin/choice.h"

/** Checks the schema and fields of a descriptor at load: types, units, offsets (inside, aligned,
 * apart), defaults in range, names. `where` starts the error. */
bool scree_schema_check(const scree_plugin *plugin, GError **error);

#endif
