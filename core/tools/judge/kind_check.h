/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the flags, the id and the vtable of a descriptor by its kind. */
#ifndef CORE_KIND_CHECK_H
#define CORE_KIND_CHECK_H

#include "base/error.h"
#include "scree/scree.h"

/** A capability flag of descriptors. */
typedef struct scree_cap {
    uint32_t flag;
    const char *name; /* name of the macro in lower case, without SCREE_CAP_ */
    uint32_t kinds;   /* mask by 1u << SCREE_KIND_*: kinds whose descriptors may have the flag */
} scree_cap;
/** All flags that this host knows; the name of the last is NULL. */
extern const scree_cap scree_caps[];
/** The needs SCREE_WANTS_*, without this prefix, as the flags; the name of the last is NULL. */
extern const scree_cap scree_wants[];
/** Mask of the needs that a descriptor of a kind may have. */
uint64_t scree_kind_wants(uint32_t kind);

/** Whether the flags of a descriptor are known and fit its kind. */
bool scree_kind_check_flags(const scree_plugin *plugin, GError **error);
/** Whether a shape that has the id of one of the host's types (types.h) is such a shape. */
bool scree_kind_check_id(const scree_plugin *plugin, GError **error);
/** Checks the size of a vtable, its required functions and its reserved word. */
bool scree_kind_check_ops(const scree_plugin *plugin, GError **error);

#endif
