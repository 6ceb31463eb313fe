/* SPDX-License-Identifier: Apache-2.0 */
/* Stops before the calls into a plugin that the user names: "force[0]/compute@26#3". */
#ifndef CORE_BREAK_H
#define CORE_BREAK_H

#include "plugin/instance_data.h"

/** The calls that the user has named. */
typedef struct scree_break {
    char *text;        /* SLOT/CALL[@STEP][#N] as the user gave it; NULL: no call is named */
    char *slot, *call; /* "force[0]", "compute" */
    uint32_t kind;     /* SCREE_KIND_* of the slot; 0: another plugin owns the plugin of the slot */
    bool has_step;     /* false: no step was given; the first such call sets `step` */
    uint64_t step;     /* UINT64_MAX: before the first step */
    uint64_t only;     /* number of the named call in its step; 0: all calls */
    uint64_t n;        /* number of such calls so far */
} scree_break;
extern scree_break scree_break_named;
/** Whether calls may be named ones now: call.h then shows them to scree_break_look. */
extern bool scree_break_on;

/** Reads SLOT/CALL[@STEP][#N]: the calls of that step, or only its N-th one. Without a step it
 * names the calls of the first step, or of the set-up, that has any. Called once, before the first
 * call into a plugin. */
bool scree_break_set(const char *text, GError **error);
/** Notes the step that begins: whether its calls may be named ones. */
void scree_break_at_step(uint64_t step);
/** Called before a call with `n` items (`of`: "contacts"; NULL: not known). For a named call it
 * prints a line and raises SIGTRAP, which only a debugger sees. */
void scree_break_look(const scree_instance *instance, const char *call, uint64_t n, const char *of);

#endif
