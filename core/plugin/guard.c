/* SPDX-License-Identifier: Apache-2.0 */
/* The crash handler: it names the plugin under call; it saves nothing, because no data can be
 * trusted. */
#include "plugin/guard.h"

#include "plugin/exit_guard.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/shortage.h"

enum { CAREFUL_EVERY = 100, STACK_BYTES = 65536, LINE_BYTES = 400 };

static _Thread_local char handler_stack[STACK_BYTES];

static const struct {
    int number;
    const char *text;
} signals[] = {{SIGSEGV, "crash (SIGSEGV)"},
               {SIGBUS, "crash (SIGBUS)"},
               {SIGFPE, "crash (SIGFPE)"},
               {SIGILL, "crash (SIGILL)"},
               {SIGABRT, "crash (SIGABRT)"}};

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
    text.text[text.n] = '\0';
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
    const char *name = "";
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        if (signals[i].number == number)
            name = signals[i].text;
    const scree_guard_call *now = &scree_guard_here()->now;
    if (number == SIGABRT && now->instance && g_str_has_prefix(now->shown, "domain/"))
        write_lost(now);
    else
        scree_guard_write(name, " in ", now, "");
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
