/* SPDX-License-Identifier: Apache-2.0 */
/* Stops before the calls into a plugin that the user names: "force[0]/compute@26#3". */
#ifndef CORE_BREAK_H
#define CORE_BREAK_H

#include "plugin/instance_data.h"

/** The named calls. */
typedef struct scree_break {
    char *text;        /* as it was given; NULL: no call is named */
    char *slot, *call; /* "force[0]", "compute" */
    uint32_t kind;     /* of the slot; 0: it is of a plugin that another one owns */
    bool has_step;     /* else the step of the first such call becomes that of all */
    uint64_t step;     /* UINT64_MAX: before the first one */
    uint64_t only;     /* the call of the step that is named; 0: all of them */
    uint64_t n;        /* such calls until now */
} scree_break;
extern scree_break scree_break_named;
/** Whether the calls under way may be named ones, so that call.h shows them to scree_break_look. */
extern bool scree_break_on;

/** Reads SLOT/CALL[@STEP][#N]: the calls of that step, or its N-th one only; without a step, those of
 * the first step, or of the set-up, that makes any. Called once, before the first call into a plugin.
 */
bool scree_break_set(const char *text, GError **error);
/** Before a step: whether its calls may be named ones. */
void scree_break_at_step(uint64_t step);
/** Before a call of `n` items (`of`: "contacts"; NULL: not known): if it is a named one, prints a line
 * and raises SIGTRAP, which only a debugger sees. */
void scree_break_look(const scree_instance *instance, const char *call, uint64_t n, const char *of);

#endif
