/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that come before a command is ready for them. */
#include "cli/signals.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "plugin/shared_calls.h"

/* SIGUSR1 asks a run to save its state; without a handler it ends a program. The dynamic linker
 * runs constructors of libraries before main, so the signal is blocked before them, and waits for
 * its handler. */

/* The kernel's set of signals: 64 bits. */
typedef unsigned long signal_set;

static const signal_set usr1 = 1ul << (SIGUSR1 - 1);
static signal_set mask_before;

volatile sig_atomic_t scree_save_asked;

static void set_mask(int how, const signal_set *set, signal_set *before)
{
    syscall(SYS_rt_sigprocmask, how, set, before, sizeof *set); // a system call: libc is not ready
                                                                // yet
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
    set_mask(SIG_UNBLOCK, &usr1, NULL); // even if the program that started this one blocked it
}

void scree_signals_hold(void)
{
    set_mask(SIG_BLOCK, &usr1, NULL);
}

void scree_signals_release(void)
{
    const signal_set mask = mask_before & ~usr1; // scree has held it for scree-tools
    set_mask(SIG_SETMASK, &mask, NULL);
}

void scree_signals_heed(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

/* ---- requests to stop ---- */

static void (*stop_handler)(int number, bool again);

/** How often the user has asked. One request may arrive twice: a group gets it at once, and this
 * process again from its parent (program.c); timeout(1) sends it to a process and to its group. */
static unsigned count_requests(const siginfo_t *info)
{
    enum { SAME = 250000000 /* [ns] */, SECOND = 1000000000 };
    static struct timespec last[2];
    static unsigned n[2];
    const int way = info->si_code == SI_QUEUE;
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long since =
        (now.tv_sec - last[way].tv_sec) * (long long)SECOND + now.tv_nsec - last[way].tv_nsec;
    n[way] += !n[way] || since > SAME;
    last[way] = now;
    return n[way] > n[!way] ? n[way] : n[!way];
}

static void on_request(int number, siginfo_t *info, void *context)
{
    static unsigned known;
    (void)context;
    const bool user = info->si_code == SI_USER || info->si_code == SI_TKILL;
    if (user && (info->si_pid == getpid() || scree_shared_is_trial(info->si_pid))) {
        signal(number, SIG_DFL);
        raise(number); // a plugin sent it, perhaps in a trial: the parent names it
        return;
    }
    const unsigned n = count_requests(info);
    if (n > known)
        stop_handler(number, known > 0);
    known = n;
}

void scree_signals_heed_stop(void (*handler)(int number, bool again))
{
    struct sigaction action = {.sa_sigaction = on_request,
                               .sa_flags = (int)(SA_SIGINFO | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    stop_handler = handler;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
