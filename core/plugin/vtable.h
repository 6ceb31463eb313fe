/* SPDX-License-Identifier: Apache-2.0 */
/* The head with which the vtables of all kinds begin (abi.h). */
#ifndef CORE_VTABLE_H
#define CORE_VTABLE_H

#include "scree/scree.h"

typedef uint64_t (*scree_bytes_fn)(void *instance);

const scree_ops_head *scree_vtable_head(const scree_plugin *plugin);
/** The plugin's function; NULL: it has none. */
scree_bytes_fn scree_vtable_bytes(const scree_plugin *plugin);

#endif
