/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of the process by the host, and calls into plugins that end their thread or do not
 * end. */
#include "plugin/exit_guard.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "base/say.h"
#include "base/shortage.h"
#include "plugin/guard.h"
#include "plugin/process_state.h"

enum { GRACE = 1 /* [s] */ };

static pid_t program; // 0: the process is not that of a program of scree
void (*scree_ends_hook)(const char *where);
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

void scree_ends_like(int status)
{
    if (getpid() == program)
        scree_ends_exit(status);
}

/** Prints the line that names the call, saves what it can, and ends the process. */
static _Noreturn void end_process(const char *what)
{
    while (atomic_flag_test_and_set(&ending)) // another thread is ending the process
        pause();
    g_autofree char *who = scree_guard_describe(&scree_guard_here()->now, "misbehaved");
    g_autofree char *where = scree_guard_where(&scree_guard_here()->now, scree_guard_step());
    const bool saves = getpid() == program && scree_ends_hook;
    scree_say(SCREE_SAY_NEWS, "%s: %s", who, what);
    scree_shared_said();
    if (saves) {
        leave_call(); // the host runs from here on
        scree_ends_hook(where);
    }
    _exit(SCREE_EXIT_PLUGIN);
}

void scree_ends_endless(const char *what)
{
    if (!program)
        return;
    g_autofree char *text = g_strconcat(what, "; it is refused, and does not end", NULL);
    end_process(text);
}

/** Opens a standard stream that is closed as the parent has it. False: it was open. */
static bool reopen_stream(int stream)
{
    if (fcntl(stream, F_GETFD) >= 0)
        return false;
    g_autofree char *path = g_strdup_printf("/proc/%d/fd/%d", (int)getppid(), stream);
    const int fd = open(path, stream == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_APPEND);
    if (fd >= 0 && fd != stream) {
        dup2(fd, stream);
        close(fd);
    }
    return true;
}

void scree_ends_look_at_streams(const scree_guard_call *call)
{
    static uint64_t seen; // step at which they were open
    const uint64_t step = scree_guard_step();
    bool closed = false;
    if (getpid() != program)
        return;
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        closed = reopen_stream(stream) || closed;
    if (!closed) {
        seen = step == UINT64_MAX ? 0 : step;
        return;
    }
    g_autofree char *who =
        call ? scree_guard_describe(call, "misbehaved")
             : g_strdup_printf("a plugin misbehaved in a call between steps "
                               "%" PRIu64 " and %" PRIu64 " (scree check FILE says which one)",
                               seen, step == UINT64_MAX ? 0 : step);
    g_autofree char *where = call ? scree_guard_where(call, step) : NULL;
    scree_say(SCREE_SAY_NEWS, "%s: it closed the standard streams of the program", who);
    leave_call();
    if (scree_ends_hook)
        scree_ends_hook(where);
    _exit(SCREE_EXIT_PLUGIN);
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
            scree_ends_hook = NULL; // main has returned from its frames, and from the run in them
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
    static const scree_shortage_place place = {name_call, leave_call};
    program = getpid();
    scree_process_own();
    scree_shared_now->own = program;
    scree_shortage_set_place(&place);
    scree_pool_on_thread(scree_guard_thread);
    pthread_atfork(look_at_fork, NULL, NULL);
}

/* ---- calls that go on ---- */

static volatile sig_atomic_t stop_number, ready;
volatile sig_atomic_t scree_ends_tools;

/** Passes a signal on to scree-tools, and waits for its end. False: it does not run. */
static bool pass_on(int number)
{
    if (scree_ends_tools <= 0 || kill(scree_ends_tools, number) != 0)
        return false;
    waitpid(scree_ends_tools, NULL, 0);
    return true;
}

void scree_ends_ready(void)
{
    if (program)
        ready = 1;
}

static void on_alarm(int number)
{
    (void)number;
    scree_guard_call call = {NULL, NULL, NULL};
    const char *name = stop_number == SIGINT ? "SIGINT" : "SIGTERM";
    const bool found = scree_guard_find_call(&call);
    if (!ready) {
        if (found || !pass_on(stop_number))
            scree_guard_write(name, ": the set-up is ended in ", &call, "; no state was saved");
        scree_ends_exit(SCREE_EXIT_STOPPED);
    }
    if (!found)
        alarm(GRACE); // the host works, or is between two calls
    else
        scree_guard_write(name, ": still in ", &call, "; a second signal ends the run");
}

/** Ends the process, and names the call under way, perhaps in a child that tries a plugin. */
static void end_at_once(int number, const char *what)
{
    scree_guard_call call;
    if (scree_guard_find_call(&call) || scree_shared_find_other(&call))
        scree_guard_write(number == SIGINT ? "SIGINT" : "SIGTERM", what, &call, "");
    pass_on(number);
    scree_shared_said(); // the host raises the signal
    signal(number, SIG_DFL);
    raise(number); // the signal is pending until this handler returns
}

void scree_ends_now(int number, bool again)
{
    (void)again;
    end_at_once(number, ": the command is ended in ");
}

void scree_ends_stop(int number)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (stop_number) {
        end_at_once(number, ": the run is ended in "); // the second signal
        return;
    }
    sigaction(SIGALRM, &action, NULL);
    stop_number = number;
    alarm(GRACE);
}
