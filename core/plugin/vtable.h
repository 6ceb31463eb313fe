/* SPDX-License-Identifier: Apache-2.0 */
/* The head with which the vtables of all kinds begin (abi.h). */
#ifndef CORE_VTABLE_H
#define CORE_VTABLE_H

#include "scree/scree.h"

typedef int32_t (*scree_resized_fn)(void *instance, uint32_t n, const uint32_t *old_of_new);
typedef uint64_t (*scree_bytes_fn)(void *instance);

const scree_ops_head *scree_vtable_head(const scree_plugin *plugin);
/** The plugin's function; NULL: it has none. A gcd's resized() is never called (abi.h): NULL. */
scree_resized_fn scree_vtable_resized(const scree_plugin *plugin);
scree_bytes_fn scree_vtable_bytes(const scree_plugin *plugin);

#endif
