/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of the process: a crash, which one line names with the plugin and the call; ends by the
 * host; calls into plugins that end their thread, hang or take too long. The parent sees any other
 * end of the process (cli/program.c). */
#ifndef CORE_GUARD_H
#define CORE_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

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

/* Ends by the host. */

/** The host ends the process, perhaps in a service that a plugin has called. */
_Noreturn void scree_ends_exit(int status);
/** Ends the process of a program with the status of another one, which has printed the reason. */
void scree_ends_like(int status);
/** Ends the process of a program because a plugin repeats what the host refuses; `what`: "it
 * committed ...". Prints the line, lets the command save what it can, and ends with status 3. The
 * process of another program goes on: the plugin is refused again. */
void scree_ends_endless(const char *what);
/** Number of the process scree-tools that tries plugin files for this one: it gets the signals that
 * end this process first, and names the file. 0 or less: it does not run. */
extern volatile sig_atomic_t scree_ends_tools;
/** Saves between the line and the end; NULL: none. `where` is the call, as --break takes it. It
 * runs on the thread of the call. */
extern void (*scree_ends_hook)(const char *where);
/** Called from a signal handler: names the call under way, and ends the process by the signal. */
void scree_ends_now(int number, bool again);
/** Called from a signal handler: the user asks the run to stop. After a second the call under way
 * is named. The second request names the call and ends the process by the signal. */
void scree_ends_stop(int number);
/** Ends the process with status 3 when a plugin has closed its standard streams, in that call or
 * (NULL) an earlier one: gets them again from the parent, prints the line, lets the command save
 * what it can. */
void scree_ends_look_at_streams(const scree_guard_call *call);
/** Says that the state is worth saving from now on. Before, a set-up that takes a second after
 * scree_ends_stop ends the process with status 4. */
void scree_ends_ready(void);
/** Says that the run has failed, and that its message is printed, by this rank or by another one:
 * scree_ends_stop ends the process with this status after a second, without a line. */
void scree_ends_failed(int status);
/** Called by each thread before its first call into a plugin. */
void scree_ends_thread(void);
/** Called once by the program, in the process whose status counts. Threads of its pools are
 * watched, and a line about a shortage names the plugin under call. */
void scree_ends_program(void);

#endif
