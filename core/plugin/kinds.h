/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of plugins: their names, and what the vtable of each must hold. */
#ifndef CORE_KINDS_H
#define CORE_KINDS_H

#include "plugin/registry.h"

/** Names of a kind ("gcd") and back; NULL and 0 when unknown. */
const char *scree_kind_name(uint32_t kind);
/** Whether a plugin is called at intervals of the scene (every_steps, ..). */
bool scree_kind_has_intervals(const scree_plugin *plugin);
uint32_t scree_kind_from_name(const char *name);
/** Size that a vtable of this kind must have at least, and the offsets of functions it must set. */
bool scree_kind_check_ops(const scree_plugin *plugin, GError **error);

#endif
