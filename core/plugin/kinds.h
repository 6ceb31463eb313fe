/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of plugins: their names, and what the vtable of each must hold. */
#ifndef CORE_KINDS_H
#define CORE_KINDS_H

#include "plugin/plugin_file.h"
#include "plugin/slot.h"

/** A kind of plugins. */
typedef struct scree_kind {
    const char *name; /* "resolver" */
    const char *key;  /* "resolvers": of a scene, holds its plugins */
    scree_slot_form form;
    bool
        in_steps; /* its instances follow the bodies of a run: they are resized, and may have a state */
    /* Masks by 1u << SCREE_SCOPE_*: fields that its plugins may have, and those of others that they may
     * read, and add to. */
    uint32_t fields, reads, adds;
} scree_kind;
/** By SCREE_KIND_*; the name of the last is NULL. */
extern const scree_kind scree_kinds[];

/** A capability flag of descriptors. */
typedef struct scree_cap {
    uint32_t flag;
    const char *name; /* of the macro without SCREE_CAP_, in lower case */
    uint32_t kinds;   /* mask by 1u << SCREE_KIND_*: the kinds whose descriptors may have it */
} scree_cap;
/** All flags that this host knows; the name of the last is NULL. */
extern const scree_cap scree_caps[];
/** Whether a descriptor's flags are known, and of its kind. */
bool scree_kind_check_flags(const scree_plugin *plugin, GError **error);
/** Whether a shape whose id names a type of the host's (types.h) is of that sort. */
bool scree_kind_check_id(const scree_plugin *plugin, GError **error);

/** Names of a kind ("gcd") and back; NULL and 0 when unknown. */
const char *scree_kind_name(uint32_t kind);
/** The names of the calls that the host makes into plugins of a kind, with a space between them; new
 * string. */
char *scree_kind_calls(uint32_t kind);
/** Whether a plugin is called at intervals of the scene (every_steps, ..). */
bool scree_kind_has_intervals(const scree_plugin *plugin);
uint32_t scree_kind_from_name(const char *name);
/** Size that a vtable of this kind must have at least, the functions that it must set, and that its
 * reserved word is 0. */
bool scree_kind_check_ops(const scree_plugin *plugin, GError **error);

#endif
