/* SPDX-License-Identifier: Apache-2.0 */
/* The place of one plugin in a run: "gcd", "integrator", "resolvers[1]", "force[0]",
 * "modifiers.feed", "observers.frames". */
#ifndef CORE_SLOT_H
#define CORE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

/** How a scene holds the plugins of a kind. */
typedef enum scree_slot_form {
    SCREE_SLOT_ONE,   /* a run has one: "gcd" */
    SCREE_SLOT_LIST,  /* by index: "force[0]" */
    SCREE_SLOT_NAMED, /* by name: "modifiers.feed" */
} scree_slot_form;

typedef struct scree_slot {
    uint32_t kind;    /* SCREE_KIND_* */
    uint32_t index;   /* index in a list; otherwise 0 */
    const char *name; /* name of a named slot, borrowed; otherwise NULL */
} scree_slot;

#endif
