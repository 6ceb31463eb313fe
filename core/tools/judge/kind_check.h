/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the flags, the id and the vtable of a descriptor by its kind. */
#ifndef CORE_KIND_CHECK_H
#define CORE_KIND_CHECK_H

#include "base/error.h"
#include "scree/scree.h"

/** Whether the flags of a descriptor are known and fit its kind. */
bool scree_kind_check_flags(const scree_plugin *plugin, GError **error);
/** Whether a shape that has the id of one of the host's types (types.h) is such a shape. */
bool scree_kind_check_id(const scree_plugin *plugin, GError **error);
/** Checks the size of a vtable, its required functions and its reserved word. */
bool scree_kind_check_ops(const scree_plugin *plugin, GError **error);

#endif
