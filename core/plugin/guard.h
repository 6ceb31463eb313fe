/* SPDX-License-Identifier: Apache-2.0 */
/* The crash handler: one line that names the plugin and the call, then the signal takes its course.
 */
#ifndef CORE_GUARD_H
#define CORE_GUARD_H

#include "plugin/instance_data.h"
#include "plugin/shared_calls.h"

/** Whether [step] functions are looked after as [config] ones are (call.h): every hundredth step.
 */
extern bool scree_guard_careful;

/** Handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, from now on. */
void scree_guard_install(void);
/** Gives the calling thread a stack for the handler, so that its overflow is reported too. */
void scree_guard_thread(void);
/** "force/x (force[0]) misbehaved in compute at step 3", to be freed; `verb`: "misbehaved",
 * "failed". Without a step before the first one. */
char *scree_guard_describe(const scree_guard_call *call, const char *verb);
/** From a signal handler: "scree: `what``before`force/x (force[0]), call compute, step 3`after`" to
 * standard error. */
void scree_guard_write(const char *what, const char *before, const scree_guard_call *call,
                       const char *after);
/** Before a step: messages name it, and every hundredth is a careful one. */
void scree_guard_at_step(uint64_t step);
/** The step that messages name from now on. */
void scree_guard_name_step(uint64_t step);
/** That, or UINT64_MAX before the first one. */
uint64_t scree_guard_step(void);

#endif
