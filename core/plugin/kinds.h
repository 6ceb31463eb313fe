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

#endif
