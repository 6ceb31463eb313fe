/* SPDX-License-Identifier: Apache-2.0 */
/* The begin and end of each call on a run: whether it may be made, and in which surroundings. */
#include "lib/visit.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "plugin/guard.h"
#include "plugin/process_state.h"

/*
 * The thread of a call belongs to another program. For the time of the call it gets the host's
 * floating-point environment, a locale "C" of its own, and the context of the run; it gets its own
 * ones back at the end and in each function of the caller. Threads of the pool have the host's ones
 * from their start.
 */

static _Thread_local char mark;             // its address is the number of a thread
static _Thread_local const sc_run *wronged; // the run of the last call that was refused here
static _Thread_local const char *wrong;     // why; a constant
static _Thread_local int32_t begun;         // code of the first evaluation that a call has tried

static void drop_line(const char *who, scree_say_level level, const char *text)
{
    (void)who;
    (void)level;
    (void)text;
}

static void begin_thread(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); // signals of the process are for its own threads
    scree_fp_restore();
    uselocale(scree_host_locale);
    scree_ends_thread();
}

static void begin_process(void)
{
    scree_host_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    scree_say_set(drop_line); // of threads that a plugin has started
    scree_pool_on_thread(begin_thread);
}

void scree_lib_in(sc_run *run)
{
    scree_lib_outside *o = &run->outside;
    fegetenv(&o->floats);
    scree_fp_restore();
    o->locale = uselocale(scree_host_locale);
    o->context = scree_context_now;
    scree_context_now = &run->context;
}

void scree_lib_out(sc_run *run)
{
    const scree_lib_outside *o = &run->outside;
    scree_context_now = o->context;
    uselocale(o->locale);
    fesetenv(&o->floats);
}

/** Why a call may not be made; NULL: it may. */
static const char *find_fault(sc_run *run, scree_lib_phase least, bool reads)
{
    if (run->process != getpid())
        return "this run belongs to the process that opened it: a child after fork cannot use it";
    uintptr_t worker = 0;
    const uintptr_t self = (uintptr_t)&mark;
    if (!atomic_compare_exchange_strong(&run->worker, &worker, self)) {
        if (worker != self)
            return "this run is at work in another thread";
        run->nested = run->shows && reads && least > SCREE_LIB_REFUSED; // sc_close needs no phase
        return run->nested  ? NULL
               : run->shows ? "the function of sc_on_progress may only read from its run"
                            : "the functions of sc_on_forces and say may call only sc_fail, "
                              "sc_cancel, sc_step_count, sc_time and sc_dt on their run";
    }
    const char *fault = NULL;
    if (run->phase == SCREE_LIB_REFUSED && least > SCREE_LIB_REFUSED)
        fault = "this run was not opened";
    else if (run->phase == SCREE_LIB_FAILED && !reads && least != SCREE_LIB_FAILED)
        fault = "this run has failed: it can be read, closed, and put back to a state";
    else if (run->phase == SCREE_LIB_FINISHED && !reads)
        fault = "this run is finished: it can only be read and closed";
    if (fault)
        atomic_store(&run->worker, 0);
    return fault;
}

bool scree_lib_enter(sc_run *run, scree_lib_phase least, bool reads)
{
    if (!run)
        return false;
    begun = SC_OK;
    wronged = run;
    wrong = find_fault(run, least, reads);
    if (wrong)
        return false;
    wronged = NULL;
    if (!run->nested)
        run->placed = scree_guard_place_taken != NULL;
    scree_lib_in(run);
    GError *error = NULL;
    if (least < SCREE_LIB_READY || run->phase != SCREE_LIB_OPEN || run->ready(run, &error))
        return true;
    begun = scree_lib_leave(run, error);
    return false;
}

int32_t scree_lib_refused(const sc_run *run)
{
    return run && begun ? begun : SC_E_USE;
}

int32_t scree_lib_refuse(sc_run *run, const char *text)
{
    GError *error = NULL;
    if (!scree_lib_enter(run, SCREE_LIB_OPEN, true))
        return scree_lib_refused(run);
    scree_fail(&error, SCREE_EXIT_USAGE, "%s", text);
    return scree_lib_leave(run, error);
}

int32_t scree_lib_leave(sc_run *run, GError *error)
{
    const bool own = error && error->domain == SCREE_ERROR;
    const int32_t code = !error                                                    ? SC_OK
                         : own && error->code > 0 && error->code <= SC_E_CANCELLED ? error->code
                                                                                   : SC_E_RUN;
    if (error) {
        wronged = NULL; // a call below this one may have been refused
        g_free(run->error);
        run->error = g_strdup(error->message);
        g_error_free(error);
    }
    if (run->nested) {
        run->nested = false;
        scree_lib_out(run);
        return code;
    }
    scree_lib_say_rest(run);
    if (run->run.sim)
        run->look(run);
    if (!run->placed)
        scree_guard_leave_place();
    scree_lib_out(run);
    atomic_store(&run->worker, 0);
    return code;
}

const char *sc_error(const sc_run *run)
{
    if (!run)
        return "expected a run, got NULL";
    if (wronged == run && wrong)
        return wrong;
    return run->error ? run->error : "";
}

/* ---- lines ---- */

static void hand_on(sc_run *run, int32_t level, const char *text)
{
    scree_lib_out(run);
    run->say(run->say_user, level, text);
    scree_lib_in(run);
}

static void hear(const char *who, scree_say_level level, const char *text)
{
    sc_run *run = (sc_run *)(void *)scree_context_now; // its first member
    scree_lib_line line = {level, strcmp(who, "scree") ? g_strdup_printf("%s: %s", who, text)
                                                       : g_strdup(text)};
    if (atomic_load(&run->worker) == (uintptr_t)&mark) {
        hand_on(run, level, line.text);
        g_free(line.text);
        return;
    }
    pthread_mutex_lock(&run->lines_mutex);
    g_array_append_val(run->lines, line);
    pthread_mutex_unlock(&run->lines_mutex);
}

void scree_lib_say_rest(sc_run *run)
{
    for (;;) {
        scree_lib_line line = {.text = NULL};
        pthread_mutex_lock(&run->lines_mutex);
        if (run->lines->len) {
            line = g_array_index(run->lines, scree_lib_line, 0);
            g_array_remove_index(run->lines, 0);
        }
        pthread_mutex_unlock(&run->lines_mutex);
        if (!line.text)
            return;
        hand_on(run, line.level, line.text);
        g_free(line.text);
    }
}

static void clear_change(void *change)
{
    g_free(((scree_lib_change *)change)->cause);
}

sc_run *scree_lib_new(void (*say)(void *user, int32_t level, const char *text), void *user)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static atomic_uint_fast64_t numbers;
    pthread_once(&once, begin_process);
    sc_run *run = g_new0(sc_run, 1);
    run->number = atomic_fetch_add(&numbers, 1);
    run->process = getpid();
    run->say = say;
    run->say_user = user;
    run->context.say = say ? hear : drop_line;
    run->lines = g_array_new(FALSE, FALSE, sizeof(scree_lib_line));
    run->changes = g_array_new(FALSE, FALSE, sizeof(scree_lib_change));
    g_array_set_clear_func(run->changes, clear_change);
    pthread_mutex_init(&run->lines_mutex, NULL);
    return run;
}
