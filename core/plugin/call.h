/* SPDX-License-Identifier: Apache-2.0 */
/* The one way into a plugin: what comes before and after each call through a vtable. */
#ifndef CORE_CALL_H
#define CORE_CALL_H

#include "base/fpenv.h"
#include "plugin/guard.h"
#include "plugin/process_state.h"

/*
 *     scree_call call = scree_call_begin(instance, "compute");
 *     int32_t code = ops->compute(instance->self, &batch);
 *     code = scree_call_end(&call, code);
 *     if (code < 0)
 *         scree_instance_set_error(instance, "compute", code, error);
 *
 * Every call of the host into a plugin is between such a begin and such an end (tests/lint); how
 * much is compared follows the thread tag of the function (abi.h). What the plugin changed is put
 * back, and `end` makes the call a failed one.
 */

/** A call under way, of this thread. */
typedef struct scree_call {
    scree_guard_call now, outer; /* outer: a plugin may make others */
    bool locale;                 /* whether the locale is compared, which costs a call or two */
    scree_process *process;      /* as it was before; NULL: not compared */
} scree_call;

/** Before a [lane] function, or an [any] one that is called often. After it the floating-point
 * environment is compared. */
static inline scree_call scree_call_begin(scree_instance *instance, const char *name)
{
    scree_call call = {{instance, name}, scree_guard_now, false, NULL};
    scree_guard_now = call.now;
    return call;
}

/** Before a [config] function, or one that is called once in a run: locale, umask, current
 * folder and signal mask are compared too. */
scree_call scree_call_begin_config(scree_instance *instance, const char *name);

/** Before a [step] function: the locale is compared too, and in every hundredth step all that is
 * compared of a [config] one. */
static inline scree_call scree_call_begin_step(scree_instance *instance, const char *name)
{
    if (scree_guard_careful)
        return scree_call_begin_config(instance, name);
    scree_call call = scree_call_begin(instance, name);
    call.locale = true;
    return call;
}

/** After all that is not as it must be: the code of the failure. */
int32_t scree_call_judge(scree_call *call, int32_t code, int32_t most);

/** After a function that returns SCREE_OK or a negative code: that, or SCREE_E_INTERNAL when it
 * returned something else or changed what is the host's; the instance knows what. */
static inline int32_t scree_call_end(scree_call *call, int32_t code)
{
    scree_guard_now = call->outer;
    if (G_LIKELY(code <= 0 && !call->process && !call->now.instance->misbehaved &&
                 scree_fp_is_host()) &&
        (!call->locale || scree_locale_is_host()))
        return code;
    return scree_call_judge(call, code, SCREE_OK);
}

/** The same after a function that answers 0 to `most`. */
static inline int32_t scree_call_answer(scree_call *call, int32_t answer, int32_t most)
{
    scree_guard_now = call->outer;
    return scree_call_judge(call, answer, most);
}

/** The same after a function that returns no code, where no error can be returned either: a fault
 * is printed at once, and the program ends with status 3 at the end. */
void scree_call_done(scree_call *call);
/** The first fault that scree_call_done has printed in this process, or NULL. */
const char *scree_call_fault(void);

/** [any] plugin->get_extension(name), NULL when there is none. */
const void *scree_call_extension(const scree_plugin *plugin, const char *name);
/** Largest omega dt of an oscillator of this damping ratio (scree.stability/1); NaN: the integrator
 * does not say. */
double scree_call_stability(const scree_plugin *integrator, const void *config, double zeta);
/** [step] Bytes that a GCD holds; 0 when it does not say. */
uint64_t scree_call_gcd_bytes(scree_instance *gcd);

#endif
