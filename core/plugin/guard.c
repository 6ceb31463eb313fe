/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of the process. The crash handler names the plugin under call; it saves nothing, because
 * no data can be trusted. The other ends are by the host, and in calls that end their thread or do
 * not end. */
#include "plugin/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/process.h"
#include "base/say.h"
#include "base/shortage.h"
#include "plugin/process_state.h"

enum { CAREFUL_EVERY = 100, STACK_BYTES = 65536, LINE_BYTES = 400 };

static _Thread_local char handler_stack[STACK_BYTES];

static const struct {
    int number;
    const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"},
               {SIGBUS, "SIGBUS"},
               {SIGFPE, "SIGFPE"},
               {SIGILL, "SIGILL"},
               {SIGABRT, "SIGABRT"}};

/** A line that is built without the C library's stdio, which a signal handler must not call. */
typedef struct line {
    char text[LINE_BYTES];
    size_t n;
} line;

static void add_text(line *to, const char *text)
{
    while (*text && to->n < LINE_BYTES - 1)
        to->text[to->n++] = *text++;
}

static void add_number(line *to, uint64_t value)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    add_text(to, digits + at);
}

/** Whether the process has crashed because memory is short. GLib's slices and C++'s bad_alloc
 * abort; code that does not look at the result of malloc writes to the first page; GLib's message
 * about a failed allocation allocates again, until the stack ends. */
static bool is_out_of_memory(int number, const siginfo_t *info, const ucontext_t *context)
{
    enum { FIRST_PAGE = 4096, NEAR_STACK = 65536 };
    const uintptr_t at = (uintptr_t)info->si_addr;
    const uintptr_t top = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    const bool at_top = at + NEAR_STACK > top && at < top + NEAR_STACK;
    return errno == ENOMEM &&
           (number == SIGABRT || (number == SIGSEGV && (at < FIRST_PAGE || at_top)));
}

/** Whether the host has started this thread, or runs in it as its first thread. */
static _Thread_local bool host_thread;

void scree_guard_write(const char *what, const char *before, const scree_guard_call *call,
                       const char *after)
{
    line text = {.n = 0};
    add_text(&text, "scree: ");
    add_text(&text, what);
    add_text(&text, before);
    if (call->instance) {
        add_text(&text, call->shown);
        add_text(&text, ", call ");
        add_text(&text, call->call);
    } else if (scree_guard_here()->loading) {
        add_text(&text, scree_guard_here()->loading);
        add_text(&text, " while it was loaded");
    } else {
        add_text(&text, host_thread ? "the host, outside of any plugin"
                                    : "a thread that a plugin, or a library of it, has started");
    }
    if (scree_guard_step() != UINT64_MAX) {
        add_text(&text, ", step ");
        add_number(&text, scree_guard_step());
    }
    add_text(&text, after);
    text.text[text.n++] = '\n';
    // A closed standard error cannot be helped.
    if (write(STDERR_FILENO, text.text, text.n) < 0)
        text.n = 0;
}

/** Ends the process by the signal, once its handler has returned. */
static void crash_at_last(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

/** Prints that this rank ends because another one probably has: a library of MPI may abort then. */
static void write_lost(const scree_guard_call *call)
{
    const scree_shared_run *run = &scree_shared_now->run;
    line text = {.n = 0};
    if (run->ranks) {
        add_text(&text, "rank ");
        add_number(&text, run->rank);
        add_text(&text, ": ");
    }
    add_text(&text, "another rank is probably lost (SIGABRT)");
    scree_guard_write(text.text, " in ", call, "");
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    static _Thread_local volatile sig_atomic_t mine;
    if (mine) { // the handler itself has crashed
        crash_at_last(number);
        return;
    }
    mine = 1;
    while (atomic_flag_test_and_set(&reported))
        pause(); // the first thread that crashed prints its line and ends the process
    if (is_out_of_memory(number, info, context))
        scree_out_of_memory(0, NULL);
    line name = {.n = 0};
    add_text(&name, "crash (");
    for (size_t k = 0; k < G_N_ELEMENTS(signals); k++)
        add_text(&name, signals[k].number == number ? signals[k].name : "");
    add_text(&name, ")");
    const scree_guard_call *now = &scree_guard_here()->now;
    if (number == SIGABRT && now->instance && g_str_has_prefix(now->shown, "domain/"))
        write_lost(now);
    else
        scree_guard_write(name.text, " in ", now, "");
    scree_shared_said();
    crash_at_last(number);
}

void scree_guard_thread(void)
{
    scree_ends_thread();
    host_thread = true;
    stack_t before, own = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    // A thread of a sanitizer has such a stack already, and unmaps it at its end.
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE))
        sigaltstack(&own, NULL);
}

void scree_guard_install(void)
{
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK)};
    sigemptyset(&action.sa_mask);
    scree_guard_thread();
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        sigaction(signals[i].number, &action, NULL);
}

char *scree_guard_describe(const scree_guard_call *call, const char *verb)
{
    const uint64_t now = scree_guard_step();
    g_autofree char *step =
        now == UINT64_MAX ? g_strdup("") : g_strdup_printf(" at step %" PRIu64, now);
    return g_strdup_printf("%s %s in %s%s", call->shown, verb, call->call, step);
}

void scree_guard_name_step(uint64_t step)
{
    scree_context_now->steps = step + 1;
    scree_guard_here()->step = step;
}

void scree_guard_at_step(uint64_t step)
{
    scree_guard_name_step(step);
    scree_context_now->careful = step % CAREFUL_EVERY == 0;
}

uint64_t scree_guard_step(void)
{
    return scree_context_now->steps - 1; // 0 - 1: before the first step
}

/* ---- ends by the host ---- */

enum { GRACE = 1 /* [s] */ };

static pid_t program; // 0: the process is not that of a program of scree
void (*scree_ends_hook)(const char *where);
static atomic_flag ending = ATOMIC_FLAG_INIT;

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

/** Prints the line of a call (NULL: `who`), saves what it can, and ends the process. */
static _Noreturn void end_process(const scree_guard_call *call, const char *who, const char *what)
{
    while (atomic_flag_test_and_set(&ending)) // another thread is ending the process
        pause();
    g_autofree char *named = call ? scree_guard_describe(call, "misbehaved") : NULL;
    g_autofree char *where = call ? scree_guard_where(call, scree_guard_step()) : NULL;
    scree_say(SCREE_SAY_NEWS, "%s: %s", named ? named : who, what);
    scree_shared_said();
    if (getpid() == program && scree_ends_hook) {
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
    end_process(&scree_guard_here()->now, NULL, text);
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
        g_strdup_printf("a plugin misbehaved in a call between steps "
                        "%" PRIu64 " and %" PRIu64 " (scree check FILE says which one)",
                        seen, step == UINT64_MAX ? 0 : step);
    end_process(call, who, "it closed the standard streams of the program");
}

/** Called before a fork: a copy of the run would continue and write the same files. */
static void look_at_fork(void)
{
    if (scree_guard_here()->now.instance && !scree_forks())
        end_process(&scree_guard_here()->now, NULL,
                    "it forks; a copy of the run would write its files as well");
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
        end_process(&scree_guard_here()->now, NULL,
                    "it ended the thread it was called on (pthread_exit or pthread_cancel)");
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

static volatile sig_atomic_t stop_number, ready, failed;
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

void scree_ends_failed(int status)
{
    failed = status;
}

static void on_alarm(int number)
{
    (void)number;
    if (failed)
        scree_ends_exit(failed);
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
