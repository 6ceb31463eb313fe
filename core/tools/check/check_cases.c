/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the cases of a plugin, each in its own child process, and judges their ends. */
#include "tools/check/check_cases.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/shortage.h"
#include "plugin/call.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"
#include "tools/check/check_variants.h"
#include "tools/check/guard_pages.h"
#include "tools/judge/child.h"

#define MEMORY_LIMIT (4ull << 30) /* [bytes] of one case */
#define SLEEP 10.0                /* so many times longer a case may sleep, as on a busy disk */
#define FIRST_WORD(outcome) ("OFS"[outcome])

/* A sanitizer maps terabytes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

const scree_check_suite *scree_check_suite_of(uint32_t kind)
{
    static const scree_check_suite *const suites[] = {
        &scree_check_gcd,        &scree_check_resolver, &scree_check_force,
        &scree_check_integrator, &scree_check_modifier, &scree_check_observer,
        &scree_check_shape,      &scree_check_sources,  &scree_check_domain};
    for (size_t i = 0; i < G_N_ELEMENTS(suites); i++)
        if (suites[i]->kind == kind)
            return suites[i];
    return NULL;
}

/* A case and its result. */

typedef struct job {
    scree_check check;
    const scree_check_case *what;
} job;

/** Whether a case makes instances. */
static bool makes_instances(const scree_check_case *what)
{
    for (const scree_check_case *c = scree_check_static; c->id; c++)
        if (c == what)
            return false;
    return true;
}

static void try_each(scree_check *check, const scree_check_case *what)
{
    check->one_choice = what->one_choice;
    scree_check_variants(check, what->each);
    check->one_choice = false;
}

/** Runs a case, or says what it lacks. */
static void try_case(scree_check *check, const scree_check_case *what)
{
    const bool made_up = makes_instances(what) && !(check->scene && what->of_scenes);
    const scree_param *missing = made_up ? scree_check_missing_file(check) : NULL;
    const char *lack = what->lacks ? what->lacks(check) : NULL;
    check->flat = made_up && !missing && scree_check_is_flat(check);
    if (made_up && check->plugin->flags & SCREE_CAP_BY_INTEGRATOR)
        scree_check_skip(check, "its bodies come from the integrator, in whose runs it is tried");
    else if (missing)
        scree_check_skip(check,
                         "it reads a file, parameter %s, which the check cannot make up: --set "
                         "'%s=\"FILE\"' gives one",
                         missing->name, missing->name);
    else if (lack)
        scree_check_skip(check, "%s", lack);
    else if (what->each)
        try_each(check, what);
    else if (what->by)
        what->by(check, what->row);
    else
        what->run(check);
}

static void run_case(void *user, GString *answer)
{
    job *j = user;
    j->check.case_id = j->what->id;
    scree_guard_install();
    scree_check_explain_crashes();
    scree_check_refuse_stops(getppid()); // an old kernel cannot
    j->check.text = g_string_new(NULL);
    try_case(&j->check, j->what);
    if (scree_call_fault())
        scree_check_fail(&j->check, "%s", scree_call_fault());
    scree_check_outcome outcome = j->check.failed    ? SCREE_CHECK_FAILED
                                  : j->check.skipped ? SCREE_CHECK_SKIPPED
                                                     : SCREE_CHECK_OK;
    g_string_append_c(answer, FIRST_WORD(outcome));
    g_string_append(answer, j->check.text->str);
}

/** The last lines that the child wrote to standard error, each after a line break. */
static void append_errors(GString *text, const GString *errors)
{
    enum { MOST = 6 };
    g_autofree char *valid = g_utf8_make_valid(errors->str, (gssize)errors->len);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(valid), "\n", -1);
    guint n = g_strv_length(lines);
    for (guint i = n > MOST ? n - MOST : 0; i < n; i++)
        if (*lines[i])
            g_string_append_printf(text, "\n%s", lines[i]);
}

/** Describes the end of a child without an answer, which took so much CPU time. */
static void describe_end(const scree_child *child, double cpu, GString *text)
{
    if (scree_check_is_late(child, cpu, child->limit) && !child->hung)
        g_string_printf(text, "it used up its %g s of CPU time (SCREE_CHECK_LIMIT)", child->limit);
    else if (child->hung)
        g_string_printf(
            text,
            "it did not end within %g s of CPU time, nor %g s of sleep: %.1f s of CPU time, %.1f s "
            "asleep (SCREE_CHECK_LIMIT)",
            child->limit, child->rest, child->own.cpu, child->own.asleep);
    else if (WIFSIGNALED(child->status))
        g_string_printf(text, "it crashed: signal %d, %s", WTERMSIG(child->status),
                        strsignal(WTERMSIG(child->status)));
    else
        g_string_printf(text, "it ended the process, with exit status %d",
                        WEXITSTATUS(child->status));
    if (scree_check_is_late(child, cpu, child->limit))
        g_string_append(text, "; no other case was tried");
    append_errors(text, child->errors);
}

static scree_check_verdict *judge(const scree_check_case *what, const scree_child *child,
                                  double cpu)
{
    scree_check_verdict *verdict = g_new0(scree_check_verdict, 1);
    g_autoptr(GString) text = g_string_new(NULL);
    verdict->id = what->id;
    verdict->claim = what->claim;
    verdict->outcome = SCREE_CHECK_FAILED;
    if (!child->answered) {
        describe_end(child, cpu, text);
    } else if (child->answer->len == 0 || !strchr("OFS", child->answer->str[0])) {
        g_string_assign(text, "it writes to file descriptors that are not its own");
    } else {
        verdict->outcome = child->answer->str[0] == 'O'   ? SCREE_CHECK_OK
                           : child->answer->str[0] == 'S' ? SCREE_CHECK_SKIPPED
                                                          : SCREE_CHECK_FAILED;
        g_string_assign(text, child->answer->str + 1);
        if (verdict->outcome == SCREE_CHECK_FAILED)
            append_errors(text, child->errors);
    }
    verdict->text = g_utf8_make_valid(text->str, -1);
    return verdict;
}

/** Ends the process when a case failed because of the user's limit of memory, without a verdict. */
static void pass_on_shortage(const scree_child *child, const scree_check_verdict *verdict)
{
    struct rlimit limit;
    if (child->shortage)
        scree_pass_on_shortage(child->shortage);
    if (verdict->outcome != SCREE_CHECK_FAILED || getrlimit(RLIMIT_AS, &limit) != 0 ||
        limit.rlim_cur >= MEMORY_LIMIT || !strstr(verdict->text, "out of memory"))
        return;
    g_autofree char *line =
        g_strdup_printf(SCREE_OUT_OF_MEMORY "case %s: %s", verdict->id, verdict->text);
    scree_pass_on_shortage(line);
}

void scree_check_verdict_free(scree_check_verdict *verdict)
{
    if (verdict)
        g_free(verdict->text);
    g_free(verdict);
}

const scree_check_case *scree_check_case_at(uint32_t kind, uint32_t number)
{
    const scree_check_case *const lists[] = {scree_check_static, scree_check_all,
                                             scree_check_suite_of(kind)->cases, scree_check_routes};
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (const scree_check_case *c = lists[l]; c->id; c++)
            if ((!c->kinds || c->kinds & 1u << kind) && number-- == 0)
                return c;
    return NULL;
}

/** Case number k of a plugin, or of a scene without one. */
static const scree_check_case *case_of(const scree_check *subject, uint32_t k)
{
    if (subject->plugin)
        return scree_check_case_at(subject->plugin->kind, k);
    for (const scree_check_case *c = scree_check_routes; c->id; c++)
        if (c->of_scenes && k-- == 0)
            return c;
    return NULL;
}

/** Runs a case in a child process, for `limit` seconds of CPU time. NULL: none could be started. */
static scree_check_verdict *run_in_child(const scree_check *subject, const scree_check_case *what,
                                         double limit, bool *late, GError **error)
{
    job j = {*subject, what};
    scree_child child = {.limit = limit,
                         .rest = SLEEP * limit,
                         .bytes = SANITIZED ? 0 : MEMORY_LIMIT,
                         .work = run_case,
                         .user = &j};
    const gint64 start = g_get_monotonic_time();
    const double before = scree_check_cpu_of_children();
    const bool ran = scree_child_run(&child, error);
    const double cpu = scree_check_cpu_of_children() - before;
    scree_check_verdict *verdict = ran ? judge(what, &child, cpu) : NULL;
    if (verdict) {
        pass_on_shortage(&child, verdict);
        verdict->seconds = (double)(g_get_monotonic_time() - start) * 1e-6;
        *late = scree_check_is_late(&child, cpu, limit);
    }
    scree_child_clear(&child);
    return verdict;
}

void scree_check_be_rank(const scree_check *subject, const char *id)
{
    const scree_check_case *what;
    for (uint32_t k = 0; (what = case_of(subject, k)); k++) {
        job j = {*subject, what};
        g_autoptr(GString) answer = g_string_new(NULL);
        if (strcmp(id, what->id) == 0)
            run_case(&j, answer);
    }
    _exit(SCREE_EXIT_RUN); // the case has not come to the call
}

GPtrArray *scree_check_run(const scree_check *subject, const char *id,
                           void (*tell)(const scree_check_verdict *verdict, void *user), void *user,
                           GError **error)
{
    g_autoptr(GPtrArray) verdicts =
        g_ptr_array_new_with_free_func((GDestroyNotify)scree_check_verdict_free);
    const scree_check_case *what;
    const double limit = scree_limit(SCREE_LIMIT_CHECK);
    bool late = false; // a case has come to the end of its time: others may, too
    for (uint32_t k = 0; (what = case_of(subject, k)) && !late; k++) {
        if (id && strcmp(id, what->id))
            continue;
        scree_check_verdict *verdict = run_in_child(subject, what, limit, &late, error);
        if (!verdict)
            return NULL;
        g_ptr_array_add(verdicts, verdict);
        tell(verdict, user);
    }
    return g_steal_pointer(&verdicts);
}
