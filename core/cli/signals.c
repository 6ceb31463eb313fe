/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that come before a command is ready for them. */
#include "cli/signals.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * SIGUSR1 asks a run to save its state; it ends a program without a handler. Before main the
 * dynamic linker runs the constructors of all libraries, so the signal is blocked before those, and
 * waits until its handler is installed.
 */

/* The kernel's set of signals: 64 bits. */
typedef unsigned long signal_set;

static const signal_set usr1 = 1ul << (SIGUSR1 - 1);
static signal_set mask_before;

volatile sig_atomic_t scree_save_asked;

static void set_mask(int how, const signal_set *set, signal_set *before)
{
    syscall(SYS_rt_sigprocmask, how, set, before, sizeof *set); // no libc before its constructors
}

static void hold(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    (void)environment;
    set_mask(SIG_BLOCK, &usr1, &mask_before);
}

/* Called before the constructors of all libraries. */
typedef void (*early_fn)(int, char **, char **);
__attribute__((section(".preinit_array"), used)) static const early_fn early = hold;

static void on_save(int number)
{
    (void)number;
    scree_save_asked = 1;
}

void scree_signals_begin(void)
{
    scree_signals_heed(SIGUSR1, on_save, SA_RESTART);
    set_mask(SIG_UNBLOCK, &usr1, NULL); // also when the program that started this one held it
}

void scree_signals_hold(void)
{
    set_mask(SIG_BLOCK, &usr1, NULL);
}

void scree_signals_release(void)
{
    set_mask(SIG_SETMASK, &mask_before, NULL);
}

void scree_signals_heed(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}
