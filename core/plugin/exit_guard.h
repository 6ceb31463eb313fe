/* SPDX-License-Identifier: Apache-2.0 */
/* However a call into a plugin ends, hangs or goes on too long, the user reads which one it was. */
#ifndef CORE_EXIT_GUARD_H
#define CORE_EXIT_GUARD_H

#include <stdbool.h>

/** Whether this thread is in a call into a plugin, or loads one (and not in a process that a plugin
 * has forked).
 */
bool scree_ends_in_call(void);
/** Whether this thread runs the constructors of a plugin. */
bool scree_ends_in_load(void);
/** The plugin is about to end the process, or its thread; `how`: "exit(0)". Prints the line, in the
 * program itself lets the command save what it can, and ends the process: with status 3, in a child
 * of scree with `status`, because its parent checks that. */
_Noreturn void scree_ends_report(const char *how, int status);
/** The host itself ends the process, maybe in a service that a plugin has called. */
_Noreturn void scree_ends_exit(int status);
/** The same of a plugin that does without end what the host refuses; `what`: "it committed ...". */
_Noreturn void scree_ends_endless(const char *what);
/** Work of the command between the line and the end; `text` is the line. NULL: nothing. Called on
 * the thread that the plugin was called on. */
void scree_ends_set_hook(void (*hook)(const char *text));
/** From a signal handler: the user wants the run to stop. A call that still goes on after a second,
 * or at the next signal, is named. */
void scree_ends_stop(int number);
/** Until scree_ends_ready nothing is worth saving: a set-up that goes on for a second after
 * scree_ends_stop ends the process with status 4. */
void scree_ends_ready(void);
/** Called once by each thread that calls plugins, before the first call. */
void scree_ends_thread(void);
/** Called once by the program, first thing: its status is the one that counts, the threads of its
 * pools are looked after, and a line about a shortage names the plugin that is called. */
void scree_ends_program(void);

#endif
