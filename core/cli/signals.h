/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that come before a command is ready for them. */
#ifndef CORE_SIGNALS_H
#define CORE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/** Set by SIGUSR1: a run saves its state and continues; other commands have nothing to save. */
extern volatile sig_atomic_t scree_save_asked;

/** Called first by the program: SIGUSR1 no longer ends it. A signal since the start counts. */
void scree_signals_begin(void);
/** Called before this process becomes the other program of the host: SIGUSR1 waits until that
 * program calls scree_signals_begin(). */
void scree_signals_hold(void);
/** Called before this process becomes any other program: restores the signals of the start. */
void scree_signals_release(void);
/** Installs `handler` for SIGINT and SIGTERM. It is called once for each request of the user, even
 * if a request arrives twice. */
void scree_signals_heed_stop(void (*handler)(int number, bool again));
/** Installs `handler` for a signal, unless the signal is ignored, as under nohup. */
void scree_signals_heed(int number, void (*handler)(int), int flags);

#endif
