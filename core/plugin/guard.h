/* SPDX-License-Identifier: Apache-2.0 */
/* The crash handler: it prints one line with the plugin and the call, then the signal ends the
 * process. */
#ifndef CORE_GUARD_H
#define CORE_GUARD_H

#include "base/context.h"
#include "plugin/instance_data.h"
#include "plugin/shared_calls.h"

/** Installs the handler for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT. */
void scree_guard_install(void);
/** Gives the calling thread a stack for the handler, which then reports an overflow, too. */
void scree_guard_thread(void);
/** "force/x (force[0]) misbehaved in compute at step 3"; without the step before the first one.
 * `verb`: "misbehaved", "failed". New string. */
char *scree_guard_describe(const scree_guard_call *call, const char *verb);
/** Writes "scree: `what``before`force/x (force[0]), call compute, step 3`after`" to standard error;
 * signal handlers may call it. */
void scree_guard_write(const char *what, const char *before, const scree_guard_call *call,
                       const char *after);
/** Called before a step: messages name it, and each hundredth step is a careful one. */
void scree_guard_at_step(uint64_t step);
/** Sets the step that messages name. */
void scree_guard_name_step(uint64_t step);
/** The step that messages name; UINT64_MAX before the first one. */
uint64_t scree_guard_step(void);

#endif
