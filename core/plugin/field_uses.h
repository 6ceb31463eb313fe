/* SPDX-License-Identifier: Apache-2.0 */
/* Fields that a plugin uses and another one has: which, and whether they fit. */
#ifndef CORE_FIELD_USES_H
#define CORE_FIELD_USES_H

#include "plugin/choice.h"

/** A field that a plugin uses, declared in its uses[] or named in a parameter with
 * SCREE_PARAM_FIELD. */
typedef struct scree_field_use {
    uint32_t scope, components, access; /* components 0: any number */
    bool optional;
    bool by_param;    /* named in a parameter: it may have any unit */
    const char *name; /* "NAME"; by_param also "SLOT/NAME" */
    const char *unit;
    const scree_node *at; /* by_param: place of the name in the scene; NULL: none */
} scree_field_use;

/** A field that a plugin of the scene has. */
typedef struct scree_field_of {
    const char *slot, *name, *unit, *plugin; /* plugin: "force/conduction"; NULL: not known */
    uint32_t scope, components;
} scree_field_of;

/** "body" for SCREE_SCOPE_BODY; the scope is a valid one. */
const char *scree_scope_name(uint32_t scope);
/** Number of fields that a choice uses: declared ones first, then those named in parameters. */
uint32_t scree_field_uses_count(const scree_choice_of *choice);
/** Use number k of a choice. */
scree_field_use scree_field_uses_at(const scree_choice_of *choice, uint32_t k);
/** Whether a field has this name: "NAME" or "SLOT/NAME". */
bool scree_field_uses_named(const scree_field_of *field, const char *name);
/** The index of the used field; -1: an optional field is missing, or *error is set. `user`:
 * "force[0] (force/conduction)". */
int32_t scree_field_uses_find(const scree_field_use *use, const char *user,
                              const scree_field_of *fields, uint32_t n, GError **error);

#endif
