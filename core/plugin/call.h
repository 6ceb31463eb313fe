/* SPDX-License-Identifier: Apache-2.0 */
/* The one way into a plugin: the begin and the end of each call through a vtable. */
#ifndef CORE_CALL_H
#define CORE_CALL_H

#include "base/fpenv.h"
#include "plugin/break.h"
#include "plugin/guard.h"
#include "plugin/process_state.h"

/*
 *     scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "forces");
 *     int32_t code = ops->forces(instance->self, &forces);
 *     code = scree_call_end(&call, code, SCREE_OK, error);
 *     if (code < 0)
 *         return false;
 *
 * Each call of the host into a plugin is between such a begin and such an end (tests/lint). `begin`
 * notes function and plugin for the crash handler. `end` compares the state that belongs to the host,
 * restores it, and makes a call that changed it a failed one.
 */

/** The thread tag of a function (abi.h). It decides how much `end` compares. */
typedef enum scree_call_tag {
    SCREE_CALL_LANE, /* [lane], or a frequent [any]: the floating-point environment */
    SCREE_CALL_STEP, /* [step]: also the locale; in each hundredth step all of SCREE_CALL_CONFIG */
    SCREE_CALL_CONFIG, /* [config], or once in a run: also umask, folder, signal mask */
} scree_call_tag;

/** A call that the calling thread is in. */
typedef struct scree_call {
    scree_guard_call now, outer; /* outer: the call that this one is made from, if any */
    bool locale;                 /* whether `end` compares the locale, which costs a call or two */
    scree_process *process;      /* state before the call; NULL: not compared */
} scree_call;

/** Begins a call after which SCREE_CALL_CONFIG is compared; for scree_call_begin. */
scree_call scree_call_begin_config(scree_instance *instance, const char *name);

/** Begins a call that --break does not count: a chunk of a plugin's parallel_for, perhaps on another
 * thread. scree_call_begin uses it too. */
static inline scree_call scree_call_begin_part(scree_instance *instance, scree_call_tag tag,
                                               const char *name)
{
    if (tag == SCREE_CALL_CONFIG || (tag == SCREE_CALL_STEP && scree_context_now->careful))
        return scree_call_begin_config(instance, name);
    scree_guard_call *here = &scree_guard_here()->now;
    scree_call call = {{instance, name, instance->shown}, *here, tag == SCREE_CALL_STEP, NULL};
    *here = call.now;
    return call;
}

/** Begins a call as scree_call_begin does, with the number and the name of its items: 3,
 * "contacts". */
static inline scree_call scree_call_begin_many(scree_instance *instance, scree_call_tag tag,
                                               const char *name, uint64_t n, const char *of)
{
    if (G_UNLIKELY(scree_break_on))
        scree_break_named.look(instance, name, n, of);
    return scree_call_begin_part(instance, tag, name);
}

/** Begins a call. `name`: the function in the vtable, a constant. */
static inline scree_call scree_call_begin(scree_instance *instance, scree_call_tag tag,
                                          const char *name)
{
    return scree_call_begin_many(instance, tag, name, 0, NULL);
}

/** Ends a call that failed, or whose answer or surroundings must be judged; for scree_call_end. */
int32_t scree_call_judge(scree_call *call, int32_t code, int32_t most, GError **error);

/** Ends a call that returned `code`. Expected: 0 to `most`, or a negative code. Returns the code,
 * or SCREE_E_INTERNAL for any other one and for a plugin that changed what the host owns. A
 * negative result sets the error as scree_call_failed does. With error NULL the instance keeps the
 * text, and the caller of scree_pool_for takes it. */
static inline int32_t scree_call_end(scree_call *call, int32_t code, int32_t most, GError **error)
{
    scree_guard_here()->now = call->outer;
    if (G_LIKELY(code >= 0 && code <= most && !call->process && !call->now.instance->misbehaved &&
                 scree_fp_is_host()) &&
        (!call->locale || scree_locale_is_host()))
        return code;
    return scree_call_judge(call, code, most, error);
}

/** Ends a call that returned no code, for a caller that cannot return an error. It prints a fault
 * at once; the program ends with status 3 at its end. */
void scree_call_done(scree_call *call);
/** Prints the error of a call for a caller that cannot return it; the program ends with its
 * status. */
void scree_call_report(const GError *error);
/** The first fault that scree_call_done has printed in this process, or NULL. */
const char *scree_call_fault(void);

/** Sets the error of a call that ended with a negative code: "force/linear (force[0]) failed in
 * compute: TEXT (limit reached, -3)", where TEXT is what the plugin gave to host->fail. A fault
 * that the host has found comes first, as in scree_call_blame. Always false. */
bool scree_call_failed(scree_instance *instance, const char *name, int32_t code, GError **error);
/** Sets the error of a call in which the host has found a fault: "force/linear (force[0])
 * misbehaved in compute at step 3: TEXT". With a `status` other than SCREE_EXIT_PLUGIN it says
 * "failed" (scree_not_finite_status). Always false. */
bool scree_call_blame(const scree_instance *instance, const char *name, int status, GError **error,
                      const char *format, ...) G_GNUC_PRINTF(5, 6);

/** The call that an error blames, as --break takes it: "force[0]/compute@3"; NULL: none. */
const char *scree_call_where(const GError *error);

/** [any] Calls plugin->get_extension(name). NULL: the plugin has no such extension. */
const void *scree_call_extension(const scree_plugin *plugin, const char *name);
/** Largest omega dt of an oscillator with this damping ratio (scree.stability/1); NaN: the
 * integrator gives none. */
double scree_call_stability(const scree_plugin *integrator, const void *config, double zeta);
/** [step] Bytes that an instance holds; 0: it gives no number. */
uint64_t scree_call_bytes(scree_instance *instance);

#endif
