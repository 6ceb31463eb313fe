/* SPDX-License-Identifier: Apache-2.0 */
/* One repeat of a variant in its own process: set-up, warm-up, timed steps, an answer. */
#include "tools/compare/compare_child.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cmd.h"
#include "engine/digest.h"
#include "plugin/call.h"
#include "plugin/shared_calls.h"
#include "run/loop.h"
#include "run/rank_report.h"
#include "scene/scene.h"
#include "scene/scene_condition.h"
#include "scene/scene_schedule.h"
#include "tools/judge/child.h"

/** [s] limit of children without one: longer than any run */
#define NO_LIMIT 1e9

/** The task of a child. */
typedef struct trial {
    const scree_comparison *c;
    const scree_variant *v;
    int folder;           // the current folder, in which the child does not start
    const GArray *hashes; // steps whose states are hashed; NULL: the steps are timed
    bool pinned;
    scree_run run;
    double cpu_s;
} trial;

/* ---- in the child ---- */

static bool pin(const scree_comparison *c, guint n)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (guint i = 0; c->cpus && i < n; i++)
        CPU_SET((size_t)c->cpus[i], &set);
    return c->cpus && sched_setaffinity(0, sizeof set, &set) == 0;
}

/** Returns whether a condition of the schedule reads the observer with this name. */
static bool switches_by(const scree_scene *s, const char *name)
{
    bool any = false;
    for (guint k = 0; k < s->schedule->len; k++) {
        const scree_condition *condition = ((scree_schedule_entry *)s->schedule->pdata[k])->when;
        const guint n = condition ? condition->terms->len : 0;
        for (guint t = 0; t < n; t++) {
            const scree_term *term = &g_array_index(condition->terms, scree_term, t);
            any = any || (term->observer && !strcmp(term->observer, name));
        }
    }
    return any;
}

/** Removes observers, which are not timed, except those that conditions of the schedule read. */
static void drop_observers(scree_scene *scene)
{
    for (guint k = scene->observers->len; k-- > 0;) {
        const scree_timed_choice *timed = scene->observers->pdata[k];
        if (!switches_by(scene, timed->name))
            g_ptr_array_remove_index(scene->observers, k);
    }
}

static bool set_up(trial *t, const char *scratch, GError **error)
{
    const scree_comparison *c = t->c;
    static const volatile int never;
    scree_scene *scene =
        scree_scene_load(c->scene, (const char *const *)t->v->overrides->pdata, c->registry, error);
    if (!scene)
        return false;
    drop_observers(scene);
    t->run = (scree_run){.plan = {.threads = t->v->threads,
                                  .stop = &never,
                                  .ranks = true,
                                  .folder = scratch, // for observers that the schedule adds
                                  .only_steps = true},
                         .steps = UINT64_MAX};
    return scree_run_make(&t->run, scene, error) && scree_run_begin(&t->run, error);
}

/** Writes the first of two objects: figures that the report of a run lacks. */
static void write_extras(const trial *t, const scree_phase_times *s, scree_json *json)
{
    const scree_sim *sim = t->run.sim;
    double gcd = s->gcd_wall;
    bool tells = SCREE_HAS(sim->plugins.gcd_ops, bytes) && sim->boxes.view.n;
    double bytes = tells ? (double)scree_call_bytes(sim->plugins.gcd) : (double)NAN;
    scree_json_open_object(json, NULL);
    scree_json_real(json, "bytes_per_box", bytes / sim->boxes.view.n);
    scree_json_bool(json, "pinned", t->pinned);
    scree_json_real(json, "cpu_s", t->cpu_s);
    scree_json_real(json, scree_metric_keys[SCREE_METRIC_GCD], gcd);
    scree_json_real(json, scree_metric_keys[SCREE_METRIC_CONTACT],
                    gcd + s->row[SCREE_PHASE_ORDER] + s->row[SCREE_PHASE_RESOLVE]);
    scree_json_real(json, scree_metric_keys[SCREE_METRIC_STEP_INIT], s->init_wall);
    scree_json_real(json, scree_metric_keys[SCREE_METRIC_SEARCH], gcd - s->init_wall);
    scree_json_close_object(json);
}

/** Ends the warm-up: the number of steps, their time and all counts begin again. */
static void count_again(scree_run *r)
{
    scree_counters *counters = &r->sim->counters;
    r->done = 0;
    r->particle_steps = 0.0;
    r->loop_begin = scree_now();
    scree_rank_report_open(r->sim);
    counters->gcd_calls = counters->emitted = 0;
    counters->evaluations = counters->sum_candidates = counters->sum_contacts = 0;
}

static bool time_steps(trial *t, double begin, GString *answer, GError **error)
{
    scree_run *r = &t->run;
    const double setup_s = scree_now() - begin;
    if (!scree_run_go(r, t->c->warmup, error))
        return false;
    const double cpu_start = scree_cpu_now();
    count_again(r);
    if (!scree_run_go(r, t->c->steps, error))
        return false;
    scree_phase_times times = scree_sim_times(r->sim, scree_now() - r->loop_begin);
    scree_ranks_leave(r->ranks);
    t->cpu_s = r->ranks ? scree_rank_report_cpu(r->ranks) : scree_cpu_now() - cpu_start;
    g_autofree char *sha256 = scree_state_sha256(r->sim);
    const scree_report report = {.sim = r->sim,
                                 .ended_by = -1,
                                 .observers = r->observers,
                                 .setup_s = setup_s,
                                 .times = times,
                                 .steps = t->c->steps,
                                 .particle_steps = r->particle_steps,
                                 .state_sha256 = sha256};
    g_autoptr(scree_json) extras = scree_json_new();
    write_extras(t, &times, extras);
    g_autofree char *json = scree_report_json(&report);
    g_string_append(answer, scree_json_text(extras));
    g_string_append_c(answer, '\0');
    g_string_append(answer, json);
    return true;
}

static bool hash_steps(trial *t, GString *answer, GError **error)
{
    for (guint i = 0; i < t->hashes->len; i++) {
        uint64_t step = g_array_index(t->hashes, uint64_t, i);
        if (!scree_run_go(&t->run, step - t->run.sim->step, error))
            return false;
        g_autofree char *hash = scree_state_sha256(t->run.sim);
        g_string_append_printf(answer, "%s\n", hash);
    }
    scree_ranks_leave(t->run.ranks);
    return true;
}

/** Writes "ok\n" and the results, or the exit status and a message. */
static void work(void *user, GString *answer)
{
    trial *t = user;
    g_autoptr(GError) error = NULL;
    double begin = scree_now();
    g_autofree char *scratch = g_get_current_dir();
    g_string_append(answer, "ok\n");
    scree_guard_install();
    t->pinned = pin(t->c, t->v->threads * t->v->ranks);
    bool ok = fchdir(t->folder) == 0;
    if (!ok)
        g_set_error(&error, SCREE_ERROR, SCREE_EXIT_RUN, "the current folder is gone");
    ok = ok && set_up(t, scratch, &error);
    ok = ok && (t->hashes ? hash_steps(t, answer, &error) : time_steps(t, begin, answer, &error));
    if (!ok)
        scree_ranks_fail(t->run.ranks, error); // a rank above 0 ends here
    scree_ranks_end(t->run.ranks);
    if (ok)
        return;
    int status = error->domain == SCREE_ERROR ? error->code : SCREE_EXIT_RUN;
    g_string_printf(answer, "%d\n%s", status, error->message);
}

/* ---- in the parent ---- */

/** Prints the lines of a child's standard error, each once. Returns the line of the crash handler,
 * or of the end of a thread (guard.c); NULL: neither wrote one. */
static char *tell_errors(scree_comparison *c, const char *text)
{
    static const char prefix[] = "scree: ";
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    char *crash = NULL;
    for (char **line = lines; *line; line++) {
        const char *said = g_str_has_prefix(*line, prefix) ? *line + strlen(prefix) : *line;
        bool ended = g_str_has_prefix(said, "crash (") || strstr(said, ": it ended the thread ");
        if (ended && !crash)
            crash = g_strdup(said);
        else if (*said)
            scree_comparison_note(c, "%s", said);
    }
    return crash;
}

/** Sets status and message for a child without a complete answer. */
static void blame_death(const scree_child *child, char *crash, int *status, char **message)
{
    bool host = child->shortage || (crash && strstr(crash, "in the host, outside"));
    *status = host ? SCREE_EXIT_RUN : SCREE_EXIT_PLUGIN;
    if (child->shortage)
        *message = g_strdup(child->shortage);
    else if (crash)
        *message = g_strdup(crash);
    else
        *message = scree_shared_describe_end(child->process, child->status);
    if (!crash && WIFSIGNALED(child->status))
        *status = SCREE_EXIT_RUN; // another process has killed it, or memory ran out
}

/** Runs the child. True: *answer follows its "ok". */
static scree_trial_end run_child(scree_comparison *c, trial *t, double limit, GString **answer,
                                 int *status, char **message)
{
    g_autoptr(GError) error = NULL;
    scree_child child = {.limit = limit, .by_wall = true, .work = work, .user = t, .stop = c->stop};
    scree_trial_end end = SCREE_TRIAL_FAILED;
    t->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool ran = scree_child_run(&child, &error);
    close(t->folder);
    g_autofree char *crash = ran ? tell_errors(c, child.errors->str) : NULL;
    *status = SCREE_EXIT_RUN;
    if (!ran)
        *message = g_strdup(error->message);
    else if (child.answered && g_str_has_prefix(child.answer->str, "ok\n"))
        end = SCREE_TRIAL_DONE;
    else if (child.answered) {
        char *text;
        *status = (int)g_ascii_strtoull(child.answer->str, &text, 10);
        *message = g_strdup(text + 1);
    } else if (*c->stop)
        end = SCREE_TRIAL_STOPPED;
    else if (child.hung)
        end = SCREE_TRIAL_SLOW;
    else
        blame_death(&child, crash, status, message);
    if (end == SCREE_TRIAL_DONE) {
        *answer = g_steal_pointer(&child.answer);
        g_string_erase(*answer, 0, strlen("ok\n"));
    }
    scree_shared_forget(child.process);
    scree_child_clear(&child);
    return end;
}

static double member(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : (double)NAN;
}

/** Reads both objects of an answer. False: a plugin has overwritten it. */
static bool read_answer(scree_comparison *c, scree_variant *v, scree_sample sample,
                        const GString *answer)
{
    g_autoptr(JsonNode) extras = json_from_string(answer->str, NULL);
    const char *second = answer->str + strlen(answer->str) + 1;
    g_autoptr(JsonNode) report =
        second < answer->str + answer->len ? json_from_string(second, NULL) : NULL;
    if (!extras || !report || !JSON_NODE_HOLDS_OBJECT(extras) || !JSON_NODE_HOLDS_OBJECT(report))
        return false;
    JsonObject *more = json_node_get_object(extras), *run = json_node_get_object(report);
    sample.setup_s = member(run, "setup_s");
    sample.wall_s = member(run, "wall_s");
    sample.cpu_s = member(more, "cpu_s");
    for (int m = 0; m < SCREE_METRICS; m++) {
        double seconds =
            m == SCREE_METRIC_STEP ? sample.wall_s : member(more, scree_metric_keys[m]);
        sample.time[m] = seconds / (double)c->steps;
    }
    g_array_append_val(v->samples, sample);
    v->bytes_per_box = member(more, "bytes_per_box");
    if (c->cpus && !json_object_get_boolean_member(more, "pinned"))
        scree_comparison_note(c, "note: variants could not be pinned to a CPU");
    const char *hash = json_object_get_string_member(run, "state_sha256");
    g_free(v->state_sha256);
    v->state_sha256 = g_strdup(hash);
    g_clear_pointer(&v->report, json_node_unref);
    v->report = g_steal_pointer(&report);
    return true;
}

/** The command that runs only this variant, to look into its failure. New string. */
static char *run_line(const scree_comparison *c, const scree_variant *v)
{
    GString *line = g_string_new("scree run");
    scree_cmd_add_words(line, NULL, (char *[]){(char *)c->scene, NULL});
    g_string_append_printf(line, " --steps %" G_GUINT64_FORMAT, c->warmup + c->steps);
    scree_cmd_add_words(line, "set", (char **)v->overrides->pdata);
    scree_cmd_add_globals(line);
    return g_string_free(line, FALSE);
}

static scree_trial_end take_end(scree_comparison *c, scree_variant *v, scree_trial_end end)
{
    if (end == SCREE_TRIAL_FAILED)
        v->outcome = SCREE_OUTCOME_FAILED;
    if (end == SCREE_TRIAL_SLOW)
        v->outcome = SCREE_OUTCOME_SLOW;
    if (end == SCREE_TRIAL_FAILED) {
        g_autofree char *alone = run_line(c, v);
        scree_comparison_note(c, "%s failed: %s", v->label, v->message);
        scree_comparison_note(c, "to run only this one: %s", alone);
    }
    if (end == SCREE_TRIAL_SLOW)
        scree_comparison_note(c, "%s was stopped after %g s (--limit)", v->label, c->limit);
    return end;
}

scree_trial_end scree_trial_run(scree_comparison *c, scree_variant *v, guint round, guint turn)
{
    trial t = {.c = c, .v = v};
    GString *answer = NULL;
    g_autofree char *before = g_strdup(v->state_sha256);
    scree_trial_end end =
        run_child(c, &t, MIN(c->limit, NO_LIMIT), &answer, &v->status, &v->message);
    if (end != SCREE_TRIAL_DONE)
        return take_end(c, v, end);
    bool read = read_answer(c, v, (scree_sample){.round = round, .turn = turn}, answer);
    g_string_free(answer, TRUE);
    if (!read) {
        v->status = SCREE_EXIT_PLUGIN;
        v->message = g_strdup("its answer cannot be read: a plugin has overwritten it");
        return take_end(c, v, SCREE_TRIAL_FAILED);
    }
    if (before && strcmp(before, v->state_sha256)) {
        v->status = SCREE_EXIT_PLUGIN;
        v->message = g_strdup_printf("it does not repeat: expected state_sha256 %s, got %s", before,
                                     v->state_sha256);
        return take_end(c, v, SCREE_TRIAL_FAILED);
    }
    v->outcome = SCREE_OUTCOME_OK;
    return end;
}

GPtrArray *scree_trial_hashes(scree_comparison *c, const scree_variant *v, const GArray *steps,
                              char **message)
{
    trial t = {.c = c, .v = v, .hashes = steps};
    GString *answer = NULL;
    int status;
    scree_trial_end end = run_child(c, &t, NO_LIMIT, &answer, &status, message);
    if (end != SCREE_TRIAL_DONE) {
        if (!*message)
            *message = g_strdup("stopped");
        return NULL;
    }
    g_auto(GStrv) lines = g_strsplit(answer->str, "\n", -1);
    g_string_free(answer, TRUE);
    GPtrArray *hashes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < steps->len && lines[i]; i++)
        g_ptr_array_add(hashes, g_strdup(lines[i]));
    return hashes;
}
