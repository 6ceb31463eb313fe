/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of the process inside a call into a plugin, and calls that do not end when the run is to. */
#include "plugin/exit_guard.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shortage.h"
#include "plugin/guard.h"
#include "plugin/kinds.h"

enum { MOST_THREADS = 257, GRACE = 1 /* [s] */ };

static pid_t program; // 0: not noted, a test
static void (*save_hook)(const char *text);
static atomic_flag ending = ATOMIC_FLAG_INIT;

/* ---- threads ---- */

static const scree_guard_call *_Atomic calls[MOST_THREADS]; // of each thread that calls plugins
static pthread_key_t thread_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/** A thread ends: if a call is under way the plugin has ended it, and its work would be lost
 * without a message. */
static void thread_ended(void *place)
{
    if (scree_ends_in_call()) {
        if (gettid() == getpid())
            save_hook = NULL; // the frames of main, and the run in them, are gone
        scree_ends_report("pthread_exit or pthread_cancel", SCREE_EXIT_PLUGIN);
    }
    atomic_store((const scree_guard_call *_Atomic *)place, NULL);
}

/** The plugin's call of exit() when it did not come by way of interpose.c. */
static void process_ended(int status, void *unused)
{
    (void)unused;
    if (!scree_ends_in_call())
        return;
    char how[32];
    snprintf(how, sizeof how, "exit(%d)", status);
    save_hook = NULL; // libraries have been finished already
    scree_ends_report(how, status);
}

static void prepare(void)
{
    pthread_key_create(&thread_key, thread_ended);
    on_exit(process_ended, NULL);
}

void scree_ends_thread(void)
{
    pthread_once(&once, prepare);
    if (pthread_getspecific(thread_key))
        return;
    for (size_t i = 0; i < MOST_THREADS; i++) {
        const scree_guard_call *none = NULL;
        if (!atomic_compare_exchange_strong(&calls[i], &none, &scree_guard_now))
            continue;
        pthread_setspecific(thread_key, (void *)&calls[i]);
        return;
    }
}

static bool name_call(char *text, size_t size)
{
    const scree_guard_call *now = &scree_guard_now;
    if (!now->instance || !now->instance->plugin)
        return false;
    g_snprintf(text, size, "%s/%s (%s), call %s", scree_kind_name(now->instance->plugin->kind),
               now->instance->plugin->id, now->instance->slot, now->call);
    return true;
}

static void leave_call(void)
{
    scree_guard_now = (scree_guard_call){NULL, NULL};
    scree_guard_loading = NULL;
}

void scree_ends_program(void)
{
    static const scree_shortage_place place = {name_call, scree_guard_step, leave_call};
    program = getpid();
    scree_shortage_set_place(&place);
    scree_pool_on_thread(scree_guard_thread);
}

/* ---- ends ---- */

bool scree_ends_in_call(void)
{
    return scree_guard_now.instance || scree_guard_loading;
}

bool scree_ends_in_load(void)
{
    return scree_guard_loading != NULL;
}

_Noreturn void scree_ends_exit(int status)
{
    leave_call();
    _exit(status);
}

void scree_ends_set_hook(void (*hook)(const char *text))
{
    save_hook = hook;
}

/** Who has done it, and in which call; to be freed. */
static char *name_plugin(void)
{
    return scree_guard_now.instance
               ? scree_guard_describe(&scree_guard_now, "misbehaved")
               : g_strdup_printf("%s misbehaved while it was loaded", scree_guard_loading);
}

/** The line, what can be saved, the end. */
static _Noreturn void end_process(const char *what, int status)
{
    while (atomic_flag_test_and_set(&ending)) // another thread is at it
        pause();
    g_autofree char *who = name_plugin(), *text = g_strdup_printf("%s: %s", who, what);
    scree_guard_now = (scree_guard_call){NULL, NULL}; // from here on the host runs
    scree_guard_loading = NULL;
    fprintf(stderr, "scree: %s\n", text);
    if (getpid() == program) {
        status = SCREE_EXIT_PLUGIN;
        if (save_hook)
            save_hook(text);
    }
    _exit(status);
}

_Noreturn void scree_ends_report(const char *how, int status)
{
    g_autofree char *what =
        g_strdup_printf("it ended the %s (%s)",
                        strstr(how, "pthread") ? "thread it was called on" : "process", how);
    end_process(what, status);
}

_Noreturn void scree_ends_endless(const char *what)
{
    g_autofree char *text = g_strconcat(what, "; it is refused, and does not end", NULL);
    end_process(text, SCREE_EXIT_PLUGIN);
}

/* ---- calls that go on ---- */

static volatile sig_atomic_t stop_number, ready;

void scree_ends_ready(void)
{
    ready = 1;
}

/** The call of the lowest thread that is in one. */
static bool find_call(scree_guard_call *found)
{
    for (size_t i = 0; i < MOST_THREADS; i++) {
        const scree_guard_call *call = atomic_load(&calls[i]);
        if (!call || !call->instance)
            continue;
        *found = *call;
        return found->instance != NULL;
    }
    return false;
}

static void on_alarm(int number)
{
    (void)number;
    scree_guard_call call = {NULL, NULL};
    const char *name = stop_number == SIGINT ? "SIGINT" : "SIGTERM";
    const bool found = find_call(&call);
    if (!ready) {
        scree_guard_write(name, ": the set-up is ended in ", &call, "; no state was saved");
        scree_ends_exit(SCREE_EXIT_STOPPED);
    }
    if (!found)
        alarm(GRACE); // the host's own work, or between two calls
    else
        scree_guard_write(name, ": still in ", &call, "; a second signal ends the run");
}

static void on_second(int number)
{
    scree_guard_call call;
    if (find_call(&call))
        scree_guard_write(number == SIGINT ? "SIGINT" : "SIGTERM", ": the run is ended in ", &call,
                          "");
    scree_guard_now = (scree_guard_call){NULL, NULL}; // it is the host that raises it
    signal(number, SIG_DFL);
    raise(number); // pending until this handler returns
}

void scree_ends_stop(int number)
{
    struct sigaction action = {.sa_handler = on_second, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    stop_number = number;
    alarm(GRACE);
}
