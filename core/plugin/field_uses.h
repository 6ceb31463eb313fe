/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of others: what a plugin of the scene uses, and which field that is. */
#ifndef CORE_FIELD_USES_H
#define CORE_FIELD_USES_H

#include "plugin/choice.h"

/** One field that a plugin uses: of the uses[] of its descriptor, or named in a parameter with
 * SCREE_PARAM_FIELD. */
typedef struct scree_field_use {
    uint32_t scope, components, access; /* components 0: any */
    bool optional;
    bool by_param;    /* named in a parameter: any unit */
    const char *name; /* "NAME"; by_param also "SLOT/NAME" */
    const char *unit;
    const scree_node *at; /* by_param: where the scene names it; NULL: nowhere */
} scree_field_use;

/** A field that a plugin of the scene has. */
typedef struct scree_field_of {
    const char *slot, *name, *unit, *plugin; /* plugin: "force/conduction", NULL: not known */
    uint32_t scope, components;
} scree_field_of;

/** "body" for SCREE_SCOPE_BODY; the scope is a valid one. */
const char *scree_scope_name(uint32_t scope);
/** How many uses a descriptor lists; 0 of one that is older than uses[]. */
uint32_t scree_field_uses_declared(const scree_plugin *plugin);
/** How many fields a choice uses: those of its descriptor, then those that its parameters name. */
uint32_t scree_field_uses_count(const scree_choice_of *choice);
/** Number k of them. */
scree_field_use scree_field_uses_at(const scree_choice_of *choice, uint32_t k);
/** Whether that is a field of this name: "NAME" or "SLOT/NAME". */
bool scree_field_uses_named(const scree_field_of *field, const char *name);
/** The index of the field that is used, or -1: an optional one that is not there, or an error.
 * `user`: "force[0] (force/conduction)". */
int32_t scree_field_uses_find(const scree_field_use *use, const char *user,
                              const scree_field_of *fields, uint32_t n, GError **error);

#endif
