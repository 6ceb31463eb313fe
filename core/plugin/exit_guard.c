/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of the process by the host, and calls into plugins that end their thread or do not
 * end. */
#include "plugin/exit_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/say.h"
#include "base/shortage.h"
#include "plugin/guard.h"

enum { GRACE = 1 /* [s] */ };

static pid_t program; // 0: a test has not noted it
static void (*save_hook)(const char *where);
static atomic_flag ending = ATOMIC_FLAG_INIT;

/* ---- ends ---- */

static void leave_call(void)
{
    scree_guard_here()->now = (scree_guard_call){NULL, NULL, NULL};
    scree_guard_here()->loading = NULL;
    scree_shared_said();
}

_Noreturn void scree_ends_exit(int status)
{
    leave_call();
    _exit(status);
}

void scree_ends_set_hook(void (*hook)(const char *where))
{
    save_hook = hook;
}

/** Prints the line that names the call, saves what it can, and ends the process. */
static _Noreturn void end_process(const char *what)
{
    while (atomic_flag_test_and_set(&ending)) // another thread is ending the process
        pause();
    g_autofree char *who = scree_guard_describe(&scree_guard_here()->now, "misbehaved");
    g_autofree char *where = scree_guard_where(&scree_guard_here()->now, scree_guard_step());
    const bool saves = getpid() == program && save_hook;
    scree_say(SCREE_SAY_NEWS, "%s: %s", who, what);
    scree_shared_said();
    if (saves) {
        leave_call(); // the host runs from here on
        save_hook(where);
    }
    _exit(SCREE_EXIT_PLUGIN);
}

_Noreturn void scree_ends_endless(const char *what)
{
    g_autofree char *text = g_strconcat(what, "; it is refused, and does not end", NULL);
    end_process(text);
}

/** Called before a fork: a copy of the run would continue and write the same files. */
static void look_at_fork(void)
{
    if (scree_guard_here()->now.instance && !scree_forks())
        end_process("it forks; a copy of the run would write its files as well");
}

/* ---- threads ---- */

static pthread_key_t thread_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/** Called when a thread ends. In a call the plugin has ended it, and its work would be lost without
 * a message. */
static void thread_ended(void *unused)
{
    (void)unused;
    if (scree_guard_here()->now.instance) {
        if (gettid() == getpid())
            save_hook = NULL; // main has returned from its frames, and from the run in them
        end_process("it ended the thread it was called on (pthread_exit or pthread_cancel)");
    }
    scree_guard_leave_place();
}

static void make_key(void)
{
    pthread_key_create(&thread_key, thread_ended);
}

void scree_ends_thread(void)
{
    pthread_once(&once, make_key);
    pthread_setspecific(thread_key, scree_guard_here());
}

static bool name_call(char *text, size_t size)
{
    const scree_guard_call *now = &scree_guard_here()->now;
    if (now->instance)
        g_snprintf(text, size, "%s, call %s", now->shown, now->call);
    return now->instance != NULL;
}

void scree_ends_program(void)
{
    static const scree_shortage_place place = {name_call, scree_guard_step, leave_call};
    program = getpid();
    scree_shared_own();
    scree_shortage_set_place(&place);
    scree_pool_on_thread(scree_guard_thread);
    pthread_atfork(look_at_fork, NULL, NULL);
}

/* ---- calls that go on ---- */

static volatile sig_atomic_t stop_number, ready;

void scree_ends_ready(void)
{
    ready = 1;
}

static void on_alarm(int number)
{
    (void)number;
    scree_guard_call call = {NULL, NULL, NULL};
    const char *name = stop_number == SIGINT ? "SIGINT" : "SIGTERM";
    const bool found = scree_guard_find_call(&call);
    if (!ready) {
        scree_guard_write(name, ": the set-up is ended in ", &call, "; no state was saved");
        scree_ends_exit(SCREE_EXIT_STOPPED);
    }
    if (!found)
        alarm(GRACE); // the host works, or is between two calls
    else
        scree_guard_write(name, ": still in ", &call, "; a second signal ends the run");
}

/** Ends the process after the second signal. */
static void end_at_once(int number)
{
    scree_guard_call call;
    if (scree_guard_find_call(&call))
        scree_guard_write(number == SIGINT ? "SIGINT" : "SIGTERM", ": the run is ended in ", &call,
                          "");
    scree_shared_said(); // the host raises the signal
    signal(number, SIG_DFL);
    raise(number); // the signal is pending until this handler returns
}

void scree_ends_stop(int number)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (stop_number) {
        end_at_once(number);
        return;
    }
    sigaction(SIGALRM, &action, NULL);
    stop_number = number;
    alarm(GRACE);
}
