/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its first state to its last: set-up, steps and all between them, end. */
#include "run/loop.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/say.h"
#include "base/shortage.h"
#include "change/condition_state.h"
#include "change/schedule.h"
#include "engine/diagnostics.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "engine/warnings.h"
#include "plugin/break.h"
#include "plugin/events.h"
#include "plugin/guard.h"
#include "plugin/shared_calls.h"
#include "run/h5_module.h"
#include "run/rank_report.h"
#include "run/run_dir.h"
#include "run/run_manifest.h"
#include "scene/scene.h"

/* ---- folder ---- */

/** Writes the scene into the folder, and makes the folder the latest. */
static bool open_folder(const scree_run *r, GError **error)
{
    g_autoptr(GError) inner = NULL;
    if (!r->folder)
        return true;
    scree_working_folder(scree_folder_shown(r->folder));
    scree_shared_set_folder(scree_folder_shown(r->folder));
    if (!scree_run_dir_write(r->folder, "scene.cfg", r->sim->scene->config->text->str, error))
        return false;
    if (!r->plan.folder && !scree_run_dir_set_latest(r->folder, &inner))
        scree_say(SCREE_SAY_NOTE, "%s", inner->message);
    return true;
}

/** Makes a folder for a run that has written nothing so far. */
static bool need_folder(scree_run *r, GError **error)
{
    bool made;
    if (r->folder)
        return true;
    if (r->plan.writes_nothing)
        return scree_fail(error, SCREE_EXIT_RUN, "the run writes no files");
    r->folder = scree_run_dir_make(NULL, r->sim->scene->name, &made, error);
    return r->folder && open_folder(r, error);
}

/** Makes the folder of the run, and loads the module that writes checkpoints, where needed. */
static bool prepare_output(scree_run *r, const scree_scene *scene, GError **error)
{
    const bool saves = scree_saver_is_wanted(scene);
    if (r->plan.writes_nothing ||
        (!scene->observers->len && !scene->observers_later && !r->plan.folder && !saves))
        return true;
    if ((saves || scene->checkpoint.at_end) && !scree_h5_load(error))
        return false;
    r->folder = scree_run_dir_make(r->plan.folder, scene->name, &r->made, error);
    if (r->made)
        scree_shared_set_folder(scree_folder_shown(r->folder));
    return r->folder != NULL;
}

void scree_run_leave_folder(const scree_run *r)
{
    if (r->folder && (!r->made || rmdir(r->folder) != 0))
        scree_say(SCREE_SAY_NOTE, "what was written until then is in %s",
                  scree_folder_shown(r->folder));
}

/* ---- set-up ---- */

/** Makes this process a rank, if scene and plan have several. Only rank 0 writes. */
static bool join_ranks(scree_run *r, const scree_scene *scene, GError **error)
{
    scree_run_plan *plan = &r->plan;
    GError *inner = NULL;
    if (scene->domain && plan->ranks)
        r->ranks = scree_ranks_begin(scene, plan->stop, NULL, &inner);
    else if (scene->domain)
        scree_say(SCREE_SAY_NOTE, "domain: only `scree run` and `scree compare` have several "
                                  "ranks; this run has one, and the same states");
    if (inner) {
        g_propagate_error(error, inner);
        return false;
    }
    if (plan->joined)
        plan->joined(plan->user, r->ranks);
    if (!scree_ranks_writes(r->ranks)) {
        plan->writes_nothing = true;
        plan->stop = NULL;
        plan->ask = NULL;
        plan->stepped = NULL;
    }
    return true;
}

/** Compares the run with that of rank 0, unless the set-up of a rank has failed. */
static bool compare_ranks(scree_run *r, GError *failed, GError **error)
{
    g_autofree char *all = NULL;
    if (!r->ranks) {
        if (failed)
            g_propagate_error(error, failed);
        return !failed;
    }
    if (!failed) {
        g_autofree char *state = scree_state_sha256(r->sim),
                        *run = scree_run_manifest_inputs(r->sim, r->plan.from);
        all = g_strdup_printf("%s\n  \"start\": \"%s\"", run, state);
    }
    const bool equal = scree_ranks_compare(r->ranks, all, failed, error);
    g_clear_error(&failed);
    return equal &&
           scree_ranks_send_text(r->ranks, r->folder ? r->folder : "", &r->folder_of_all, error);
}

/** Makes the folder and the simulation of a rank. */
static bool set_up(scree_run *r, scree_scene *scene, GError **error)
{
    const scree_run_plan *plan = &r->plan;
    if (!plan->only_steps && !prepare_output(r, scene, error)) {
        scree_scene_free(scene);
        return false;
    }
    const guint n_notes = plan->says_notes ? scene->config->notes->len : 0;
    for (guint i = 0; i < n_notes; i++)
        scree_say(SCREE_SAY_NOTE, "%s", (const char *)scene->config->notes->pdata[i]);
    scree_working_on("the bodies and their plugins");
    const scree_sim_options options = {.threads = plan->threads,
                                       .blocks = plan->blocks,
                                       .batch = plan->batch,
                                       .cancelled = plan->stop,
                                       .output_dir = plan->only_steps ? plan->folder : r->folder,
                                       .check_dt = true,
                                       .waits = !plan->only_steps,
                                       .ranks = r->ranks};
    r->sim = plan->from
                 ? plan->restart(scene, &options, plan->from, plan->allow_plugin_change, error)
                 : scree_sim_new(scene, &options, error);
    if (!r->sim)
        return false;
    if (!plan->only_steps && scree_ranks_writes(r->ranks))
        r->keeper = (scree_keeper){.sim = r->sim, .begin = r->sim->step};
    if (!scree_ranks_writes(r->ranks))
        scree_event_log_mute(r->sim->runtime.events);
    r->sim->swaps.trusted = plan->trusts_swaps;
    return scree_schedule_check(r->sim, error);
}

bool scree_run_make(scree_run *r, scree_scene *scene, GError **error)
{
    GError *failed = NULL;
    r->ended_by = -1;
    if (!join_ranks(r, scene, error)) {
        scree_scene_free(scene);
        return false;
    }
    set_up(r, scene, &failed);
    return compare_ranks(r, failed, error);
}

/** Evaluates the start, or lets observers continue from the checkpoint. */
static bool evaluate_start(const scree_run *r, GError **error)
{
    if (r->plan.from)
        scree_observers_go_on(r->observers);
    else if (scree_observers_start(r->observers, error))
        scree_check_start(r->sim);
    else
        return false;
    return true;
}

/** Makes the observers; those above rank 0 write into the folder of rank 0. */
static bool make_observers(scree_run *r, GError **error)
{
    if (!scree_ranks_writes(r->ranks) && *r->folder_of_all)
        r->sim->runtime.output_dir = g_strdup(r->folder_of_all);
    r->observers = scree_observers_new(r->sim, error);
    return r->observers != NULL;
}

/** Compares the length of the run, which is known after its set-up, with that of rank 0. */
static bool compare_lengths(const scree_run *r, GError **error)
{
    g_autofree char *text =
        g_strdup_printf("  \"steps\": %" G_GUINT64_FORMAT " until %.17g s", r->steps, r->end);
    return !r->ranks || scree_ranks_compare(r->ranks, text, NULL, error);
}

bool scree_run_begin(scree_run *r, GError **error)
{
    if (!compare_lengths(r, error) || !make_observers(r, error))
        return false;
    if (r->plan.only_steps)
        return true;
    const uint64_t end = r->end > 0.0 ? UINT64_MAX : r->sim->step + r->steps;
    if ((r->plan.check && !r->plan.check(r->sim, end, error)) || !evaluate_start(r, error) ||
        !open_folder(r, error))
        return false;
    scree_energy_begin(&r->sim->account, scree_sim_time(r->sim));
    r->saver = (scree_saver){.sim = r->plan.writes_nothing ? NULL : r->sim,
                             .seen = r->sim->step,
                             .saved_wall = scree_now(),
                             .written = g_ptr_array_new_with_free_func(g_free)};
    r->complete = true;
    if (!scree_observers_observe(r->observers, false, NULL, error))
        return false;
    scree_ends_ready();
    r->loop_begin = scree_now();
    scree_rank_report_open(r->sim);
    return true;
}

/* ---- saving ---- */

const char *scree_run_latest(const scree_run *r)
{
    const char *latest = r->saver.sim ? scree_saver_latest(&r->saver) : NULL;
    return latest ? scree_folder_shown(latest) : NULL;
}

/** Prints one warning for consecutive failed checkpoints: at the first, and with `last` at the end
 * of the run. */
static void warn_unsaved(const scree_run *r, bool last)
{
    const char *latest = scree_run_latest(r);
    const char *still = latest ? "; there is still " : "";
    if (last && r->n_unsaved > 1)
        scree_say(SCREE_SAY_WARNING,
                  "the last %u checkpoints failed, that of step %" G_GUINT64_FORMAT " with: %s%s%s",
                  r->n_unsaved, r->unsaved_step, r->unsaved_why, still, latest ? latest : "");
    if (!last && r->n_unsaved == 1)
        scree_say(SCREE_SAY_WARNING, "step %" G_GUINT64_FORMAT " is not saved: %s%s%s",
                  r->unsaved_step, r->unsaved_why, still, latest ? latest : "");
}

static void note_unsaved(scree_run *r, const GError *error)
{
    r->n_unsaved++;
    r->unsaved_step = r->sim->step;
    g_free(r->unsaved_why);
    r->unsaved_why = g_strdup(error->message);
    warn_unsaved(r, false);
}

/** Saves the current state. A missing folder ends the run, a failed checkpoint does not. */
static bool save_state(scree_run *r, GError **error)
{
    g_autoptr(GError) inner = NULL;
    const double begin = scree_now();
    if (!scree_folder_check(error))
        return false;
    if (!need_folder(r, &inner) || !scree_saver_save(&r->saver, r->folder, &inner)) {
        note_unsaved(r, inner);
        return true;
    }
    if (r->plan.saved)
        r->plan.saved(r->plan.user, scree_run_latest(r));
    if (r->done < r->steps) // at the end the summary shows the folder
        scree_say(SCREE_SAY_PROGRESS, "saved %s in %.2f s", scree_run_latest(r),
                  scree_now() - begin);
    if (r->n_unsaved > 1)
        scree_say(SCREE_SAY_NOTE, "%u checkpoints before it failed", r->n_unsaved);
    r->n_unsaved = 0;
    return true;
}

/** Returns whether a checkpoint was asked for; each request counts once. */
static bool take_request(const scree_run *r)
{
    const bool asked = r->plan.ask && *r->plan.ask;
    if (asked)
        *r->plan.ask = 0;
    return asked;
}

static bool save_now(scree_run *r, GError **error)
{
    r->saves = false;
    return scree_sim_settle(r->sim, error) && save_state(r, error);
}

/** After a step: saves the state if it is due or was asked for; ranks that are apart first give it
 * to each other. */
static bool save_if_due(scree_run *r, GError **error)
{
    if (!r->saver.sim)
        return true;
    const bool due = scree_saver_is_due(&r->saver), asked = take_request(r);
    r->saves = due || asked;
    return !r->saves || scree_ranks_apart(r->sim) || save_now(r, error);
}

/** Saves the last state if the run writes, or if a signal stopped the run or asked for it. */
static void save_at_end(scree_run *r)
{
    g_autoptr(GError) inner = NULL;
    const scree_save_times *t = &r->sim->scene->checkpoint;
    const bool wanted = r->done < r->steps ? t->at_stop : t->at_end && r->folder;
    const bool failed = r->n_unsaved && r->unsaved_step == r->sim->step; // failed a moment ago
    if (!r->saver.sim || (!take_request(r) && !wanted) || failed || scree_saver_is_saved(&r->saver))
        return;
    if (!save_state(r, &inner))
        note_unsaved(r, inner); // the files of observers come next, and report their own losses
}

char *scree_run_keep(scree_run *r, char **why)
{
    g_autoptr(GError) error = NULL;
    *why = r->keeper.sim ? scree_keeper_lack(&r->keeper) : g_strdup("");
    char *path =
        !*why && need_folder(r, &error) ? scree_keeper_save(&r->keeper, r->folder, &error) : NULL;
    if (error)
        *why = g_strdup(error->message);
    return path;
}

/* ---- steps ---- */

double scree_run_steps_left(const scree_run *r)
{
    const double dt = r->sim->dt, left = r->end - scree_sim_time(r->sim);
    return fmax(ceil(fmax(left, 0.0) / dt - 1e-12 * r->end / dt), 0.0);
}

static bool is_stopped(const scree_run *r)
{
    return r->plan.stop && __atomic_load_n(r->plan.stop, __ATOMIC_RELAXED);
}

/** Before a step: looks whether its calls may be named ones (--break). Returns whether it is the
 * last step. */
static bool begin_break(const scree_sim *sim)
{
    const scree_break *named = &scree_break_named;
    scree_break_at_step(sim->step);
    return named->text && (!named->has_step || named->step == sim->step);
}

static bool is_break_over(const scree_sim *sim)
{
    return scree_break_named.has_step && scree_break_named.step < sim->step;
}

/** Before a step: applies the schedule, and sets the quantities that the step records. `last`: the
 * caller reads the state after it. */
static bool prepare_step(scree_run *r, bool last, GError **error)
{
    scree_sim *sim = r->sim;
    const double dt = sim->dt;
    if (!scree_schedule_run(sim, r->observers, false, error))
        return false;
    if (memcmp(&dt, &sim->dt, sizeof dt) != 0 && r->end > 0.0)
        r->steps = r->done + (uint64_t)CLAMP(scree_run_steps_left(r), 1.0, 0x1p62);
    last = begin_break(sim) || sim->swaps.ended_by || (last && !r->plan.only_steps);
    if (!r->plan.only_steps)
        last = last || r->pause || r->done + 1 == r->steps || is_stopped(r) ||
               scree_conditions_may_stop(sim);
    scree_observers_prepare(r->observers, last);
    scree_schedule_prepare(sim, r->observers);
    last = last && scree_ranks_writes(r->ranks);
    sim->records.figures = scree_ranks_writes(r->ranks) && (sim->records.figures || last);
    sim->records.contacts |= last && r->wants_contacts;
    r->complete = last;
    scree_guard_at_step(sim->step);
    return true;
}

/** After a step on several ranks: shows the state to the observers of ranks above 0. */
static bool show_pieces(scree_run *r, GError **error)
{
    g_autoptr(GError) failed = NULL;
    bool meets;
    if (!r->ranks)
        return true;
    if (!scree_observers_meet(r->observers, &meets, error))
        return false;
    if (!scree_ranks_writes(r->ranks))
        scree_observers_observe(r->observers, false, NULL, &failed);
    g_assert(meets || !failed); // nothing was due
    return !meets || scree_ranks_vote(r->ranks, failed, error);
}

/** After a step: lets conditions and observers read the state. */
static bool finish_step(scree_run *r, GError **error)
{
    scree_sim *sim = r->sim;
    if (!show_pieces(r, error))
        return false;
    if (!scree_ranks_writes(r->ranks))
        return true;
    if (!scree_observers_observe(r->observers, false, NULL, error) ||
        !scree_conditions_check(sim, r->observers, error))
        return false;
    if (r->plan.only_steps)
        return true;
    r->ended_by = scree_conditions_stop(sim);
    if (r->ended_by >= 0 || is_break_over(sim))
        r->steps = r->done;
    return save_if_due(r, error);
}

/** Returns whether the state is read before the next step, other than by the step before it. */
static bool is_read(const scree_run *r, bool goes_on)
{
    return !goes_on || r->saves || (r->keeper.sim && scree_keeper_is_due(&r->keeper));
}

/** Takes the whole state where ranks are apart, and saves it if that is due. The others wait for
 * that without a limit. */
static bool make_whole(scree_run *r, GError **error)
{
    guint8 done = 1;
    return scree_ranks_whole(r->sim, error) && (!r->saves || save_now(r, error)) &&
           scree_ranks_send(r->ranks, &done, sizeof done, error);
}

/** On a rank above 0: takes from rank 0 which conditions hold, and whether all steps are done. */
static void take_word(scree_run *r, const guint8 *due, bool ends)
{
    const GPtrArray *conditions = scree_conditions_of(r->sim);
    if (scree_ranks_writes(r->ranks))
        return;
    r->steps = ends ? r->done : UINT64_MAX;
    for (guint k = 0; k < conditions->len; k++) {
        scree_condition_state *state = conditions->pdata[k];
        if (state)
            state->due = due[k];
    }
}

/** After the last step: ranks above 0 close the files of their observers, and all give rank 0 their
 * work. */
static bool close_ranks(const scree_run *r, GError **error)
{
    g_autoptr(GError) failed = NULL;
    if (scree_observers_share(r->observers)) {
        scree_observers_leave(r->observers, &failed);
        if (!scree_ranks_vote(r->ranks, failed, error))
            return false;
    }
    return scree_rank_report_gather(r->sim, scree_now() - r->loop_begin, error);
}

/** Finds whether another of `n` steps follows. On several ranks rank 0 decides, and also says which
 * conditions hold, and whether the state is read. */
static bool look_ahead(scree_run *r, uint64_t n, bool *goes_on, GError **error)
{
    enum { STEP, STOP, END, READ = 4 }; // END: all steps are done
    const bool stops = (is_stopped(r) && scree_observers_can_end(r->observers)) ||
                       (r->pause && r->complete) || r->sim->swaps.ended_by;
    *goes_on = n && r->done < r->steps && !stops;
    if (!r->ranks)
        return true;
    const GPtrArray *conditions = scree_conditions_of(r->sim);
    g_byte_array_set_size(r->ranks->own, conditions->len + 1);
    guint8 *word = r->ranks->own->data;
    word[0] = *goes_on ? STEP : r->done < r->steps ? STOP : END;
    word[0] |= is_read(r, *goes_on) ? READ : 0;
    for (guint k = 0; k < conditions->len; k++) {
        const scree_condition_state *state = conditions->pdata[k];
        word[k + 1] = state && state->due;
    }
    if (!scree_ranks_send(r->ranks, word, conditions->len + 1, error))
        return false;
    const bool read = word[0] & READ, ends = (word[0] & END) != 0;
    *goes_on = !(word[0] & ~READ);
    take_word(r, word + 1, ends);
    if ((read && !make_whole(r, error)) || (!*goes_on && !close_ranks(r, error)))
        return false;
    r->ranks->over = !*goes_on;
    return true;
}

/** Takes a step, on all ranks. */
static bool take_step(scree_run *r, GError **error)
{
    if (r->ranks)
        r->ranks->working = true;
    const bool done = scree_sim_step(r->sim, error);
    if (r->ranks)
        r->ranks->working = false;
    return done;
}

bool scree_run_go(scree_run *r, uint64_t n, GError **error)
{
    const bool keeps = r->keeper.sim && !scree_break_named.text;
    bool goes_on, ok = look_ahead(r, n, &goes_on, error);
    while (ok && goes_on) {
        ok = prepare_step(r, n == 1, error) && (!keeps || scree_keeper_keep(&r->keeper, error));
        r->particle_steps += ok ? r->sim->world->n_free : 0;
        ok = ok && take_step(r, error);
        r->done += ok;
        ok = ok && finish_step(r, error);
        if (r->plan.stepped)
            r->plan.stepped(r->plan.user, r);
        ok = ok && look_ahead(r, --n, &goes_on, error);
    }
    ok = ok && scree_sim_settle(r->sim, error) &&
         (r->done < r->steps || scree_schedule_run(r->sim, r->observers, true, error)) &&
         (!r->plan.only_steps || scree_schedule_check_ended(r->sim, error));
    if (ok && !r->plan.only_steps)
        scree_ranks_leave(r->ranks);
    return ok;
}

bool scree_run_finish(scree_run *r, GError **error)
{
    bool ok = scree_diagnostics_finish(r->sim, error);
    // The state is saved before observers read it out of turn: a continued run has not shown it to
    // them.
    if (ok)
        save_at_end(r);
    ok = ok && scree_observers_observe(r->observers, true, NULL, error);
    r->times = scree_sim_times(r->sim, scree_now() - r->loop_begin);
    ok = ok && scree_observers_finish(r->observers, error);
    warn_unsaved(r, true);
    return ok && scree_folder_check(error);
}

/* ---- end ---- */

bool scree_run_report(const scree_run *r, char **state_sha256, char **json, GError **error)
{
    scree_working_on("the summary");
    *state_sha256 = scree_state_sha256(r->sim);
    const scree_report report = {.sim = r->sim,
                                 .observers = r->observers,
                                 .folder = r->folder,
                                 .setup_s = r->loop_begin - r->begin,
                                 .times = r->times,
                                 .steps = r->done,
                                 .particle_steps = r->particle_steps,
                                 .ended_by = r->ended_by,
                                 .stopped = r->done < r->steps,
                                 .state_sha256 = *state_sha256};
    *json = scree_report_json(&report);
    g_autofree char *manifest =
        scree_run_manifest_text(r->sim, r->observers, r->plan.from, r->done, *state_sha256);
    scree_check_files();
    scree_check_destroyed(r->sim);
    return !r->folder || (scree_run_dir_write(r->folder, "summary.json", *json, error) &&
                          scree_run_dir_write(r->folder, "manifest.json", manifest, error));
}

void scree_run_clear(scree_run *r)
{
    scree_ranks_end(r->ranks);
    scree_keeper_clear(&r->keeper);
    g_clear_pointer(&r->saver.written, g_ptr_array_unref);
    scree_observers_free(r->observers);
    scree_sim_free(r->sim);
    g_free(r->unsaved_why);
    g_free(r->folder_of_all);
    scree_run_dir_release();
}
