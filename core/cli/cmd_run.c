/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run`: a scene from its first state to its last, with its observers. */
#include "cli/cmd_run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/folder.h"
#include "base/h5io.h"
#include "base/shortage.h"
#include "change/swap_report.h"
#include "change/wait.h"
#include "cli/cmd.h"
#include "cli/run_options.h"
#include "cli/signals.h"
#include "engine/energy.h"
#include "engine/step.h"
#include "engine/wall_samples.h"
#include "engine/warnings.h"
#include "engine/watch.h"
#include "plugin/break.h"
#include "plugin/call.h"
#include "plugin/exit_guard.h"
#include "run/again.h"
#include "run/keeper.h"
#include "run/progress.h"
#include "run/report.h"
#include "run/restart.h"
#include "run/run_dir.h"
#include "run/run_manifest.h"
#include "run/save.h"

/** The signal that asked for the end (0: none); plugins see it as host->cancelled. */
static volatile int stop_signal;

/** A run under way. */
typedef struct run {
    const scree_run_options *options;
    scree_sim *sim;
    scree_observers *observers;
    scree_run_manifest *model; // of the run that is repeated, or NULL
    scree_checkpoint *from;    // where it continues; NULL: it begins with the scene's start
    scree_saver *saver;
    scree_keeper *keeper;
    guint n_unsaved;       // failed checkpoints since the last good one
    uint64_t unsaved_step; // of the last failed one
    char *unsaved_why;
    char *folder; // NULL: nothing is written
    bool made;    // by this run
    uint64_t steps, done;
    double end;   // [s] the moment that --for and --until name
    int ended_by; // the condition of `stop`; -1: none
    double particle_steps, begin, loop_begin;
    scree_phase_times times; /* of the step loop */
} run;

static void on_stop(int number, bool again)
{
    (void)again;
    stop_signal = number;
    scree_ends_stop(number); // the second one ends the run at once
}

/** The terminal or the reader has gone. The user's first signal after that still is the first. */
static void on_loss(int number)
{
    if (!stop_signal)
        stop_signal = number;
}

static void watch_signals(void)
{
    scree_signals_heed_stop(on_stop);
    scree_signals_heed(SIGHUP, on_loss, SA_RESTART);
    scree_signals_heed(SIGPIPE, on_loss, SA_RESTART);
}

/** Counts the steps of the scene that are left. */
static bool count_left(run *r, GError **error)
{
    uint64_t all = r->sim->scene->steps, done = r->from ? r->from->snapshot->step : 0;
    r->steps = all > done ? all - done : 0;
    if (r->steps || !r->from)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "%s: all %" G_GUINT64_FORMAT
                      " steps of the scene are done at step %" G_GUINT64_FORMAT
                      ": expected --steps N, --for T or --until T to continue",
                      r->from->path, all, done);
}

/** Whether an option says how long the run is. */
static bool has_length(const scree_run_options *o)
{
    return o->has_steps || o->has_until || o->has_for;
}

/** The fewest steps to the end, without a part of one that rounding leaves. */
static double steps_left(const run *r)
{
    const double dt = r->sim->dt, left = r->end - scree_sim_time(r->sim);
    return fmax(ceil(fmax(left, 0.0) / dt - 1e-12 * r->end / dt), 0.0);
}

/** After another dt the run has another number of steps to the moment where it ends. */
static void count_again(run *r)
{
    const scree_run_options *o = r->options;
    const double n = steps_left(r);
    if (!r->model && (o->has_until || o->has_for))
        r->steps = r->done + (uint64_t)CLAMP(n, 1.0, 0x1p62);
}

/** Counts the steps of the run: the fewest that reach the time, up to rounding. */
static bool count_steps(run *r, GError **error)
{
    const scree_run_options *o = r->options;
    const double now = scree_sim_time(r->sim), time = o->has_for ? o->duration : o->until - now;
    if (r->model) {
        r->steps = r->model->steps;
        return true;
    }
    r->steps = o->steps;
    if (!has_length(o) && scree_again_count(r->sim, &r->steps))
        return true;
    if (!o->has_until && !o->has_for)
        return o->has_steps || count_left(r, error);
    if (time < 0.0 && time < -1e-12 * now)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "--until %s: the run is at %.9g s already: expected a later moment, or "
                          "--for T",
                          o->until_text, now);
    r->end = now + time;
    const double n = steps_left(r);
    if (n < 0x1p63) {
        r->steps = (uint64_t)n;
        return true;
    }
    return scree_fail(error, SCREE_EXIT_USAGE, "--%s %s: expected fewer than 2^63 steps of %g s",
                      o->has_for ? "for" : "until", o->has_for ? o->for_text : o->until_text,
                      r->sim->dt);
}

static scree_scene *load_scene(const run *r, const char *name, scree_registry *registry,
                               GError **error)
{
    const scree_run_options *o = r->options;
    const char *const *overrides = (const char *const *)o->overrides;
    const scree_stored_scene *stored = r->model ? r->model->scene : r->from ? r->from->scene : NULL;
    g_autoptr(scree_scene) scene =
        name ? scree_scene_load(name, overrides, registry, error)
             : scree_stored_scene_load(stored, overrides, registry, error);
    if (!scene || (r->from && !scree_restart_print_differences(r->from, scene, error)))
        return NULL;
    for (guint i = 0; i < scene->config->notes->len; i++)
        fprintf(stderr, "scree: note: %s\n", (const char *)scene->config->notes->pdata[i]);
    if (scene->steps || has_length(o) || o->break_at || r->model)
        return g_steal_pointer(&scene);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "%s: expected scene.steps, --steps N, --for T or --until T, got none", scene->name);
    return NULL;
}

/** Writes the scene into the folder, and makes it the latest. */
static bool open_folder(const run *r, GError **error)
{
    g_autoptr(GError) inner = NULL;
    if (!r->folder)
        return true;
    scree_working_folder(scree_folder_shown(r->folder));
    scree_shared_set_folder(scree_folder_shown(r->folder));
    if (!scree_run_dir_write(r->folder, "scene.cfg", r->sim->scene->config->text->str, error))
        return false;
    if (!r->options->folder && !scree_run_dir_set_latest(r->folder, &inner))
        fprintf(stderr, "scree: note: %s\n", inner->message);
    return true;
}

/** Makes a simulation with the state of the checkpoint. */
static scree_sim *restart_sim(const run *r, scree_scene *scene, const scree_sim_options *options,
                              GError **error)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_sim *sim =
        scree_restart(scene, options, r->from,
                      r->options->allow_plugin_change || r->options->break_at, notes, error);
    for (guint i = 0; i < notes->len; i++)
        fprintf(stderr, "scree: note: %s\n", (const char *)notes->pdata[i]);
    if (!sim)
        return NULL;
    scree_checkpoint_drop_state(r->from);
    fprintf(stderr, "scree: continues from %s, step %" G_GUINT64_FORMAT "\n", r->from->path,
            sim->step);
    return sim;
}

/** Gives observers their sums at the checkpoint. */
static void restore_sums(const run *r)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_observers_go_on(r->observers, r->from->sums, notes);
    for (guint i = 0; i < notes->len; i++)
        fprintf(stderr, "scree: note: %s\n", (const char *)notes->pdata[i]);
}

/** Prints differences from the run that is repeated. */
static void print_differences(const run *r)
{
    if (!r->model)
        return;
    g_autoptr(GPtrArray) all = scree_run_manifest_differences(r->model, r->sim, r->observers);
    for (guint i = 0; i < all->len; i++)
        fprintf(stderr, "scree: differs from the manifest: %s\n", (const char *)all->pdata[i]);
}

/** Whether a repeated run reached the same state. */
static bool check_repeat(const run *r, const char *state_sha256, GError **error)
{
    if (!r->model || r->done < r->steps || r->options->break_at)
        return true;
    if (!strcmp(r->model->state_sha256, state_sha256)) {
        fprintf(stderr, "scree: it repeats: state_sha256 %s\n", state_sha256);
        return true;
    }
    return scree_fail(error, SCREE_EXIT_RUN,
                      "it does not repeat: expected state_sha256 %s as in the manifest, got %s",
                      r->model->state_sha256, state_sha256);
}

/** Threads that wait for a CPU hold up those that run: no more than there are CPUs. */
static uint32_t count_threads(const run *r)
{
    const scree_run_options *o = r->options;
    const uint64_t asked = r->model && !o->threads_text ? r->model->threads : o->threads;
    const uint32_t cpus = scree_cpu_count();
    if (asked <= cpus || o->oversubscribe)
        return (uint32_t)asked;
    fprintf(stderr,
            "scree: warning: this process may run on %u CPU%s: expected --threads %u or less, got "
            "%" G_GUINT64_FORMAT "; %u %s taken (--oversubscribe takes all)\n",
            cpus, cpus == 1 ? "" : "s", cpus, asked, cpus, cpus == 1 ? "is" : "are");
    return cpus;
}

/** Makes the instances, evaluates the start, and writes what observers want before the first step.
 */
static bool set_up(run *r, scree_scene *scene, GError **error)
{
    const scree_run_options *o = r->options;
    scree_working_on("the bodies and their plugins");
    scree_sim_options options = {.threads = count_threads(r),
                                 .blocks = (uint32_t)o->blocks,
                                 .batch = (uint32_t)o->batch,
                                 .cancelled = &stop_signal,
                                 .output_dir = r->folder,
                                 .check_dt = true,
                                 .waits = true};
    r->sim =
        r->from ? restart_sim(r, scene, &options, error) : scree_sim_new(scene, &options, error);
    r->keeper = r->sim ? scree_keeper_new(r->sim) : NULL;
    r->observers = r->sim && scree_schedule_check(r->sim, error) && count_steps(r, error)
                       ? scree_observers_new(r->sim, error)
                       : NULL;
    if (!r->observers || !scree_again_check(r->sim, error) ||
        (!r->from && !scree_observers_start(r->observers, error)))
        return false;
    if (r->from)
        restore_sums(r);
    else
        scree_check_start(r->sim);
    if (!open_folder(r, error))
        return false;
    scree_wall_samples_begin(r->sim);
    r->saver = scree_saver_new(r->sim);
    print_differences(r);
    return scree_observers_observe(r->observers, false, error);
}

/** Makes a folder for a run that had nothing to write until now. */
static bool need_folder(run *r, GError **error)
{
    bool made;
    if (r->folder)
        return true;
    r->folder = scree_run_dir_make(NULL, r->sim->scene->name, &made, error);
    return r->folder && open_folder(r, error);
}

/** The newest checkpoint of this run, as a path for messages; NULL: none. */
static const char *latest_shown(const run *r)
{
    const char *latest = scree_saver_latest(r->saver);
    return latest ? scree_folder_shown(latest) : NULL;
}

/** Prints one warning for all checkpoints that fail in a row: at the first of them, and with `last`
 * at the end of the run. */
static void warn_unsaved(const run *r, bool last)
{
    const char *latest = latest_shown(r);
    if (last && r->n_unsaved > 1)
        fprintf(stderr,
                "scree: warning: the last %u checkpoints failed, that of step %" G_GUINT64_FORMAT
                " with: %s%s%s\n",
                r->n_unsaved, r->unsaved_step, r->unsaved_why, latest ? "; there is still " : "",
                latest ? latest : "");
    if (!last && r->n_unsaved == 1)
        fprintf(stderr, "scree: warning: step %" G_GUINT64_FORMAT " is not saved: %s%s%s\n",
                r->unsaved_step, r->unsaved_why, latest ? "; there is still " : "",
                latest ? latest : "");
}

/** From now on a run that ends in a call says how to repeat it: from its newest checkpoint, or its start. */
static void set_repeat(const run *r, const char *name)
{
    const char *from = r->saver ? latest_shown(r) : NULL;
    g_autofree char *command = scree_run_options_command(r->options, name, from);
    if (!r->options->break_at)
        scree_shared_set_repeat(command);
}

static void note_unsaved(run *r, const GError *error)
{
    r->n_unsaved++;
    r->unsaved_step = r->sim->step;
    g_free(r->unsaved_why);
    r->unsaved_why = g_strdup(error->message);
    warn_unsaved(r, false);
}

/** Saves the current state. A checkpoint that fails does not end the run; a missing folder does. */
static bool save(run *r, GError **error)
{
    g_autoptr(GError) inner = NULL;
    double begin = scree_now();
    if (!scree_folder_check(error))
        return false;
    if (!need_folder(r, &inner) || !scree_saver_save(r->saver, r->folder, &inner)) {
        note_unsaved(r, inner);
        return true;
    }
    set_repeat(r, NULL);
    bool at_end = r->done == r->steps; // the summary names the folder
    if (!r->options->quiet && !at_end)
        fprintf(stderr, "scree: saved %s in %.2f s\n", latest_shown(r), scree_now() - begin);
    if (r->n_unsaved > 1)
        fprintf(stderr, "scree: note: %u checkpoints before it failed\n", r->n_unsaved);
    r->n_unsaved = 0;
    return true;
}

/** After a step: saves the state when it is due or a signal asked for it. */
static bool save_if_due(run *r, GError **error)
{
    bool due = scree_saver_is_due(r->saver);
    if (!due && !scree_save_asked)
        return true;
    scree_save_asked = 0;
    if (!scree_sim_settle(r->sim, error))
        return false;
    return save(r, error);
}

/** After a plugin was blamed for a call: saves the last copy of the state, and prints how to repeat the
 * call. */
static void print_repeat(run *r, const char *where)
{
    g_autoptr(GError) error = NULL;
    if (!where || r->options->break_at)
        return;
    g_autofree char *lack = r->keeper ? scree_keeper_lack(r->keeper) : g_strdup("");
    g_autofree char *path =
        !lack && need_folder(r, &error) ? scree_keeper_save(r->keeper, r->folder, &error) : NULL;
    g_autofree char *command =
        path ? scree_run_options_command(r->options, NULL, scree_folder_shown(path))
             : g_strdup(scree_shared_repeat());
    const char *why = path ? "" : lack ? lack : error->message;
    if (*why)
        fprintf(stderr, "scree: note: no state of the last steps is saved: %s\n", why);
    fprintf(stderr, "scree: to repeat the call: %s --break '%s'\n", command, where);
}

/** A run whose progress is shown. */
typedef struct shown_run {
    const run *run;
    scree_progress *progress;
} shown_run;

static void print_swap(void *user, guint swap)
{
    const shown_run *shown = user;
    scree_progress_end(shown->progress); // until it is drawn again
    scree_swap_print(shown->run->sim->swaps.all->pdata[swap], stderr);
}

/** Saves the last state: of a run that writes, and if a signal stopped the run or asked for it. */
static void save_at_end(run *r)
{
    g_autoptr(GError) inner = NULL;
    const scree_save_times *t = &r->sim->scene->checkpoint;
    bool wanted = r->done < r->steps ? t->at_stop : t->at_end && r->folder;
    bool failed = r->n_unsaved && r->unsaved_step == r->sim->step; // just now
    if ((!wanted && !scree_save_asked) || failed || scree_saver_is_saved(r->saver))
        return;
    scree_save_asked = 0;
    if (!save(r, &inner))
        note_unsaved(r, inner); // the observers' files, which come next, report their own losses
}

/** Steps until the last one, or until a signal; then takes one more step if an observer needs it to
 * see the final state. */
static bool run_steps(run *r, GError **error)
{
    scree_progress progress;
    shown_run shown = {r, &progress};
    bool ok = true;
    scree_progress_begin(&progress, !r->options->quiet && !r->options->break_at);
    while (ok && r->done < r->steps && !(stop_signal && scree_observers_can_end(r->observers))) {
        const double dt = r->sim->dt;
        ok = scree_schedule_run(r->sim, r->observers, print_swap, &shown, error);
        if (!ok)
            break;
        if (memcmp(&dt, &r->sim->dt, sizeof dt) != 0)
            count_again(r);
        bool last = scree_again_begin(r->sim);
        last = last || r->done + 1 == r->steps || stop_signal || scree_waits_may_stop(r->sim);
        scree_observers_prepare(r->observers, last);
        scree_schedule_prepare(r->sim, r->observers);
        r->sim->records.figures |= last; // of the summary
        scree_guard_at_step(r->sim->step);
        r->particle_steps += r->sim->world->n_free;
        ok = (r->options->break_at || scree_keeper_keep(r->keeper, error)) &&
             scree_sim_step(r->sim, error);
        r->done += ok;
        if (scree_watch_has_news(r->sim))
            scree_progress_end(&progress); // until it is drawn again
        scree_watch_report(r->sim);
        ok = ok && scree_observers_observe(r->observers, false, error) &&
             scree_waits_check(r->sim, r->observers, error);
        r->ended_by = ok ? scree_waits_stop(r->sim) : -1;
        if (r->ended_by >= 0 || scree_again_is_over(r->sim))
            r->steps = r->done;
        ok = ok && save_if_due(r, error);
        scree_progress_step(&progress, r->done, r->steps, scree_sim_time(r->sim));
    }
    ok = ok && scree_sim_settle(r->sim, error) && scree_watch_finish(r->sim, error);
    scree_progress_end(&progress);
    scree_watch_report(r->sim);
    // The state is saved before observers see it out of turn, because a run that continues has not
    // shown it to them.
    if (ok)
        save_at_end(r);
    ok = ok && scree_observers_observe(r->observers, true, error);
    r->times = scree_sim_times(r->sim, scree_now() - r->loop_begin);
    return ok;
}

static const char *stop_name(void)
{
    return stop_signal == SIGPIPE  ? "SIGPIPE"
           : stop_signal == SIGHUP ? "SIGHUP"
           : stop_signal == SIGINT ? "SIGINT"
                                   : "SIGTERM";
}

/** Prints how the run ended, what is saved, and the command that continues it. */
static void print_stop(const run *r, const char *scene)
{
    const char *saved = latest_shown(r);
    uint64_t left = r->steps - r->done;
    fprintf(stderr, "scree: stopped by %s after step %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
            stop_name(), r->done, r->steps);
    if (r->folder)
        fprintf(stderr, "; saved in %s: scene.cfg, summary.json, manifest.json%s%s\n",
                scree_folder_shown(r->folder), saved ? ", checkpoints" : "",
                scree_observers_count(r->observers) ? ", the files of its observers" : "");
    else
        fputs("; nothing was saved\n", stderr);
    if (!saved) {
        fprintf(stderr, "scree: to run it again: scree run %s --steps %" G_GUINT64_FORMAT "\n",
                scene, r->steps);
        return;
    }
    uint64_t step = 0;
    scree_checkpoint_step(saved, &step);
    fprintf(stderr, "scree: to continue: scree run --restart %s --steps %" G_GUINT64_FORMAT "\n",
            saved, left + (r->sim->step - step));
}

/** Writes the result into the folder and to standard output. */
static bool hand_out(run *r, GError **error)
{
    scree_report report = {.sim = r->sim,
                           .observers = r->observers,
                           .folder = r->folder,
                           .setup_s = r->loop_begin - r->begin,
                           .times = r->times,
                           .steps = r->done,
                           .particle_steps = r->particle_steps,
                           .ended_by = r->ended_by,
                           .stopped = r->done < r->steps};
    scree_working_on("the summary");
    scree_report_take(&report);
    g_autofree char *json = scree_report_json(&report);
    g_autofree char *manifest =
        scree_run_manifest_text(r->sim, r->observers, r->from, r->done, report.state_sha256);
    scree_check_files();
    bool ok = !r->folder || (scree_run_dir_write(r->folder, "summary.json", json, error) &&
                             scree_run_dir_write(r->folder, "manifest.json", manifest, error));
    scree_report_print(&report, r->options->json ? stderr : stdout);
    if (r->options->json)
        fputs(json, stdout);
    ok = ok && check_repeat(r, report.state_sha256, error);
    scree_report_clear(&report);
    bool unread = stop_signal == SIGPIPE && r->done < r->steps; // which has ended the run
    if ((fflush(stdout) == 0 && !ferror(stdout)) || unread)
        return ok;
    if (ok)
        return scree_fail(error, SCREE_EXIT_RUN, "cannot write to standard output");
    return false;
}

static bool run_scene(run *r, scree_scene *scene, const char *name, GError **error)
{
    if (!set_up(r, scene, error))
        return false;
    scree_ends_ready();
    r->loop_begin = scree_now();
    scree_ledger_open(&r->sim->counters.ledger, r->sim->runtime.pool);
    bool ok = run_steps(r, error) && scree_observers_finish(r->observers, error);
    warn_unsaved(r, true);
    if (!ok || !scree_folder_check(error) || !hand_out(r, error))
        return false;
    if (r->done == r->steps && !scree_again_report(r->sim, error))
        return false;
    if (r->done < r->steps)
        print_stop(r, name);
    return true;
}

/** Reads the checkpoint that the run continues from; a repeated run needs the same one again. */
static bool find_start(run *r, GError **error)
{
    const char *path = r->options->restart ? r->options->restart : r->model->restart;
    if (!scree_h5_load(error))
        return false;
    r->from = scree_checkpoint_find(path, error);
    if (!r->from && r->options->restart)
        g_prefix_error(error, "--restart: ");
    if (!r->from || !r->model || !strcmp(r->from->state_sha256, r->model->restart_sha256))
        return r->from != NULL;
    return scree_fail(error, SCREE_EXIT_RUN,
                      "%s: expected the state that the repeated run continued from, %s, got %s",
                      path, r->model->restart_sha256, r->from->state_sha256);
}

static void release(run *r)
{
    scree_keeper_free(r->keeper);
    scree_saver_free(r->saver);
    scree_observers_free(r->observers);
    scree_sim_free(r->sim);
    scree_checkpoint_free(r->from);
    scree_run_manifest_free(r->model);
    g_free(r->unsaved_why);
    scree_run_dir_release();
}

static run *run_now; // for a plugin that ends the process

/** A plugin has ended the process: saves as after a failed run, without destroying the instances.
 */
static void leave(const char *where)
{
    run *r = run_now;
    print_repeat(r, where);
    if (r->folder && (!r->made || rmdir(r->folder) != 0))
        fprintf(stderr, "scree: note: what was written until then is in %s\n", r->folder);
}

/** Makes the folder of the run, and loads the module that writes checkpoints, where needed. */
static bool prepare_output(run *r, const scree_scene *scene, GError **error)
{
    bool saves = scree_saver_is_wanted(scene);
    if (!scene->observers->len && !scene->observers_later && !r->options->folder && !saves)
        return true;
    if ((saves || scene->checkpoint.at_end) && !scree_h5_load(error))
        return false;
    r->folder = scree_run_dir_make(r->options->folder, scene->name, &r->made, error);
    if (r->made)
        scree_shared_set_folder(scree_folder_shown(r->folder));
    return r->folder != NULL;
}

/** Prints the error, and how to repeat the call of a plugin that is to blame. */
static int fail(run *r, const GError *error)
{
    const int status = scree_cmd_fail(error);
    if (status == SCREE_EXIT_PLUGIN)
        print_repeat(r, scree_call_where(error));
    return status;
}

static int run_command(const scree_run_options *o, const char *name)
{
    g_autoptr(GError) error = NULL;
    run r = {
        .options = o, .ended_by = -1, .begin = scree_now()}; // outlives each call into a plugin
    run_now = &r;
    scree_ends_set_hook(leave);
    scree_folder_begin();
    scree_h5_hold();
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    bool ready =
        scree_cpu_level(&error) != NULL && (!o->break_at || scree_break_set(o->break_at, &error));
    set_repeat(&r, name);
    if (ready && o->repeat)
        ready = (r.model = scree_run_manifest_read(o->repeat, &error)) != NULL;
    if (ready && (o->restart || (r.model && r.model->restart)))
        ready = find_start(&r, &error);
    watch_signals();
    scree_working_on("the scene");
    scree_scene *scene = ready ? load_scene(&r, name, registry, &error) : NULL;
    if (!scene) {
        const int status = fail(&r, error);
        release(&r);
        return status;
    }
    if (!prepare_output(&r, scene, &error)) {
        release(&r);
        scree_scene_free(scene);
        return scree_cmd_fail(error);
    }
    bool ok = run_scene(&r, scene, name, &error);
    int status = !ok ? fail(&r, error) : r.done < r.steps ? SCREE_EXIT_STOPPED : SCREE_EXIT_OK;
    scree_ends_set_hook(NULL); // nothing is left to save if destroy() ends the process
    release(&r);
    if (r.folder && !ok && (!r.made || rmdir(r.folder) != 0)) // it stays when it is not empty
        fprintf(stderr, "scree: note: what was written until then is in %s\n",
                scree_folder_shown(r.folder));
    g_free(r.folder);
    return status;
}

int scree_cmd_run(int argc, char **argv)
{
    scree_run_options options = {.overrides = NULL};
    int status;
    if (scree_run_options_read(&options, &argc, &argv, &status))
        status = run_command(&options, argc == 2 ? argv[1] : NULL);
    scree_run_options_clear(&options);
    return status;
}
