/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of the process that are the host's, and calls into plugins that end their thread, hang or
 * go on too long. An end of the process is seen by its parent (cli/parent.h). */
#ifndef CORE_EXIT_GUARD_H
#define CORE_EXIT_GUARD_H

/** The host itself ends the process, maybe in a service that a plugin has called. */
_Noreturn void scree_ends_exit(int status);
/** Ends the process because a plugin goes on doing what the host refuses; `what`: "it committed
 * ...". Prints the line, lets the command of the program save what it can, and ends with status 3. */
_Noreturn void scree_ends_endless(const char *what);
/** Work of the command between the line and the end; `where` is the call, as --break
 * takes it. NULL: nothing. Called on the thread that the plugin was called on. */
void scree_ends_set_hook(void (*hook)(const char *where));
/** From a signal handler: the user wants the run to stop. A call that still goes on after a second
 * is named. The second time the process ends by the signal, and the call is named. */
void scree_ends_stop(int number);
/** Until scree_ends_ready nothing is worth saving: a set-up that goes on for a second after
 * scree_ends_stop ends the process with status 4. */
void scree_ends_ready(void);
/** Called once by each thread that calls plugins, before the first call. */
void scree_ends_thread(void);
/** Called once by the program, in the process whose status counts: the threads of its pools are
 * looked after, and a line about a shortage names the plugin that is called. */
void scree_ends_program(void);

#endif
