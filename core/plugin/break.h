/* SPDX-License-Identifier: Apache-2.0 */
/* The calls into a plugin before which a run stops: "force[0]/compute@26#3" (tools/again). */
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
    /** Called before a call with `n` items (`of`: "contacts"; NULL: not known). */
    void (*look)(const scree_instance *instance, const char *call, uint64_t n, const char *of);
} scree_break;
extern scree_break scree_break_named;
/** Whether calls may be named ones now: call.h then shows them to `look`. */
extern bool scree_break_on;

/** Notes the step that begins: whether its calls may be named ones. */
static inline void scree_break_at_step(uint64_t step)
{
    if (scree_break_named.text) // only a program names a call, and has one run
        scree_break_on = !scree_break_named.has_step || scree_break_named.step == step;
}

#endif
