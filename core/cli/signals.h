/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that come before a command is ready for them. */
#ifndef CORE_SIGNALS_H
#define CORE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/** SIGUSR1 has come: a run saves its state and continues; other commands have nothing to save. */
extern volatile sig_atomic_t scree_save_asked;

/** First call of the program: SIGUSR1 no longer ends it. A signal since the program was loaded
 * counts. */
void scree_signals_begin(void);
/** Called before this process becomes another program of the host: SIGUSR1 waits until that program
 * has called scree_signals_begin(). */
void scree_signals_hold(void);
/** Called before this process becomes another program: signals are as they were at the start. */
void scree_signals_release(void);
/** Installs `handler` for SIGINT and SIGTERM: it is called once for each time that the user asks,
 * however often a request comes. */
void scree_signals_heed_stop(void (*handler)(int number, bool again));
/** Installs `handler` for a signal, unless it is ignored, as nohup asks. */
void scree_signals_heed(int number, void (*handler)(int), int flags);

#endif
