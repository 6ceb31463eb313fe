/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the parameters and fields that a plugin declares, before anything relies on them. */
#ifndef CORE_DECLARATION_H
#define CORE_DECLARATION_H

#include "plugin/choice.h"

/** Checks the schema and fields of a descriptor at load: types, units, offsets (inside, aligned,
 * apart), defaults in range, names. Its kind is known. */
bool scree_schema_check(const scree_plugin *plugin, GError **error);

/** Whether a text is [a-z][a-z0-9_]*, and whether it is one line of UTF-8, not empty; NULL: false. */
bool scree_is_identifier(const char *text);
bool scree_is_line(const char *text);

#endif
