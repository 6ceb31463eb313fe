/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of plugins: a row each. */
#ifndef CORE_KINDS_H
#define CORE_KINDS_H

#include "plugin/plugin_file.h"
#include "plugin/slot.h"
#include "scree/draft/domain.h"

/** A kind of plugins. */
typedef struct scree_kind {
    const char *name; /* "resolver" */
    const char *key;  /* "resolvers": the key of a scene that holds its plugins */
    scree_slot_form form;
    bool in_steps; /* instances follow the bodies of a run, and may have a state */
    /* Masks by 1u << SCREE_SCOPE_*: a plugin's own fields; fields of others to read; to add to. */
    uint32_t fields, reads, adds;
} scree_kind;
/** By SCREE_KIND_*; the name of the last is NULL. */
extern const scree_kind scree_kinds[];

/** Name of a kind ("gcd"); NULL: unknown. */
const char *scree_kind_name(uint32_t kind);
/** Whether the host calls a plugin at intervals of the scene (every_steps, ..). */
bool scree_kind_has_intervals(const scree_plugin *plugin);
uint32_t scree_kind_from_name(const char *name);

/** The kind whose key is the first `n` characters; 0: none. */
uint32_t scree_slot_kind_of(const char *key, uint64_t n);
/** The text of a slot, a new string. */
char *scree_slot_print(scree_slot slot);

/** The head with which the vtable of each kind begins (abi.h). */
const scree_ops_head *scree_vtable_head(const scree_plugin *plugin);
typedef uint64_t (*scree_bytes_fn)(void *instance);
/** The plugin's function; NULL: it has none. */
scree_bytes_fn scree_vtable_bytes(const scree_plugin *plugin);

#endif
