/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run`: options, signals and messages of a run (run/loop.c). */
#include "cli/cmd_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/folder.h"
#include "base/paths.h"
#include "base/say.h"
#include "base/shortage.h"
#include "base/text.h"
#include "change/schedule.h"
#include "cli/cmd.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/signals.h"
#include "plugin/call.h"
#include "plugin/registry.h"
#include "run/h5_module.h"
#include "run/launch.h"
#include "run/loop.h"
#include "scene/scene.h"

const scree_again *scree_again_here;
/** The signal that has asked for the end (0: none); plugins see it as host->cancelled. */
static volatile int stop_signal;
/** The only run of the process, for hooks that take no argument. */
static scree_run run_now;
static const char *scene_name; // as given; NULL: that of another run
static bool has_domain;        // the scene has one: ranks may need a launcher
static const scree_run_options *given;
static scree_progress progress;
static GPtrArray *held; // lines of a process that may be a rank above 0; NULL: lines are printed

static void on_stop(int number, bool again)
{
    (void)again;
    stop_signal = number;
    scree_ends_stop(number); // a second signal ends the run at once
}

/** Handles the loss of the terminal or the reader. The user's first signal after it still counts as
 * the first. */
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

/* ---- words ---- */

/** Prints a line in place of the bar, which is drawn again later. */
static void show_line(const char *who, scree_say_level level, const char *text)
{
    if (level == SCREE_SAY_PROGRESS && given->quiet)
        return;
    scree_progress_end(&progress);
    scree_say_print(who, level, text);
}

/** Keeps a line, which is printed if this process is a run of its own. */
static void hold_line(const char *who, scree_say_level level, const char *text)
{
    g_ptr_array_add(held, scree_say_line(who, level, text));
}

/** Begins to print lines: those of a process that its launcher says to be rank 0, or the only
 * one. */
static void begin_lines(void)
{
    scree_launch launch;
    const bool holds = scree_launch_find(&launch) && launch.rank > 0;
    held = holds ? g_ptr_array_new_with_free_func(g_free) : NULL;
    scree_say_set(holds ? hold_line : show_line);
}

/** This process is a run of its own: it prints its lines. */
static void print_held(void)
{
    g_autoptr(GPtrArray) lines = g_steal_pointer(&held);
    scree_say_set(show_line);
    const guint n = lines ? lines->len : 0;
    for (guint k = 0; k < n; k++)
        fputs(lines->pdata[k], stderr);
}

/** Prints that each of the processes that a launcher has started makes the whole run. */
static void warn_of_many(void)
{
    scree_launch launch;
    if (!scree_launch_find(&launch) || launch.rank)
        return;
    scree_say(
        SCREE_SAY_WARNING,
        "%s says that %u processes were started, and each of them makes the whole run, because "
        "%s; for one run on %u ranks: --set 'domain={plugin=\"mpi\";}'",
        launch.variable, launch.n,
        has_domain ? "its domain starts its own ranks" : "the scene has no domain", launch.n);
}

static void on_joined(void *user, const scree_ranks *ranks)
{
    (void)user;
    if (!ranks || ranks->forked)
        warn_of_many();
    if (scree_ranks_writes(ranks))
        print_held();
    g_clear_pointer(&held, g_ptr_array_unref); // rank 0 has printed the same
}

static void on_step(void *user, const scree_run *r)
{
    (void)user;
    scree_progress_step(&progress, r->done, r->steps, r->sim->step - r->done,
                        scree_sim_time(r->sim));
}

/** Sets the command that repeats a call, on one rank: from a checkpoint, or (NULL) from the start
 * of the scene `name`. */
static void set_repeat(void *name, const char *checkpoint)
{
    g_autofree char *command = scree_run_options_command(given, name, checkpoint, has_domain);
    if (!given->break_at)
        scree_shared_set_command(scree_shared_now->repeat, command);
}

/** The command that takes the steps again, without their number: from a checkpoint, or (NULL) from
 * the start. On as many ranks, if this process or a known launcher starts them, else on one. */
static char *again_command(const scree_run *r, const char *checkpoint)
{
    scree_launch launch;
    const bool launched = has_domain && r->ranks && !r->ranks->forked,
               known = launched && scree_launch_find(&launch) && launch.n == r->ranks->n;
    g_autofree char *command =
        scree_run_options_command(given, scene_name, checkpoint, launched && !known);
    return known ? g_strdup_printf("%s %u %s", launch.command, launch.n, command)
                 : g_steal_pointer(&command);
}

/** Prints the command that continues the run from its last checkpoint, or takes it again. */
static void say_continue(const scree_run *r)
{
    const char *saved = scree_run_latest(r);
    uint64_t step = 0;
    if (!r->sim || !r->steps)
        return;
    if (saved && !scree_checkpoint_step(saved, &step))
        saved = NULL;
    g_autofree char *command = again_command(r, saved);
    g_autoptr(GString) line = g_string_new(command);
    if (saved || !given->repeat) // a manifest has the number of steps
        g_string_append_printf(line, " --steps %" G_GUINT64_FORMAT,
                               saved ? r->steps - r->done + (r->sim->step - step) : r->steps);
    scree_say(SCREE_SAY_NEWS, "%s: %s", saved ? "to continue" : "to run it again", line->str);
}

/** Before the ranks join: lets the parent print how to run without them. */
static void share_alone(void)
{
    char *const steps[] = {given->steps_text, NULL}, *const until[] = {given->until_text, NULL},
                *const lasts[] = {given->for_text, NULL};
    g_autofree char *command = scree_run_options_command(given, scene_name, NULL, true);
    g_autoptr(GString) alone = g_string_new(command);
    scree_cmd_add_words(alone, "steps", steps);
    scree_cmd_add_words(alone, "until", until);
    scree_cmd_add_words(alone, "for", lasts);
    scree_shared_set_command(scree_shared_now->run.start, alone->str);
}

/** Before the first step: lets the parent print how to go on after the loss of this rank. Forked
 * ranks have one parent, which waits for rank 0. */
static void share_again(const scree_run *r)
{
    if (!r->ranks || (r->ranks->forked && r->ranks->rank))
        return;
    scree_shared_run *shared = &scree_shared_now->run;
    const char *folder = scree_folder_shown(r->folder_of_all);
    g_autofree char *start = again_command(r, NULL), *more = again_command(r, folder);
    shared->ranks = 0;
    scree_shared_set_command(shared->folder, folder);
    scree_shared_set_command(shared->start, start);
    scree_shared_set_command(shared->more, more);
    shared->begin = r->sim->step;
    shared->end = r->sim->step + r->steps;
    shared->rank = r->ranks->rank;
    shared->ranks = r->ranks->n; // last: now all counts
}

/** Saves the last copy of the state after a plugin was blamed for a call, and prints the command
 * that repeats it. */
static void say_repeat(const char *where)
{
    if (!where || given->break_at)
        return;
    if (g_str_has_prefix(where, "domain/")) { // what other ranks did is not repeated
        say_continue(&run_now);
        return;
    }
    g_autofree char *why = NULL, *path = scree_run_keep(&run_now, &why);
    g_autofree char *command =
        path ? scree_run_options_command(given, NULL, scree_folder_shown(path), has_domain)
             : g_strdup(scree_shared_now->repeat);
    if (!path && *why)
        scree_say(SCREE_SAY_NOTE, "no state of the last steps is saved: %s", why);
    scree_say(SCREE_SAY_NEWS, "to repeat the call: %s --break '%s'", command, where);
}

/** Saves as after a failed run when a plugin has ended the process; it destroys no instances. */
static void leave(const char *where)
{
    say_repeat(where);
    scree_run_leave_folder(&run_now);
}

/** Prints how the run ended, what is saved, and the command that continues it. */
static void say_stop(const scree_run *r)
{
    const char *saved = scree_run_latest(r);
    g_autoptr(GString) what = g_string_new("; nothing was saved");
    if (r->folder)
        g_string_printf(what, "; saved in %s: scene.cfg, summary.json, manifest.json%s%s",
                        scree_folder_shown(r->folder), saved ? ", checkpoints" : "",
                        scree_observers_count(r->observers) ? ", the files of its observers" : "");
    scree_say(SCREE_SAY_NEWS,
              "stopped by SIG%s after step %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT "%s",
              sigabbrev_np(stop_signal), r->done, r->steps, what->str);
    say_continue(r);
}

/* ---- length ---- */

static bool has_length(const scree_run_options *o)
{
    return o->steps_text || o->until_text || o->for_text;
}

/** Counts the remaining steps of the scene. */
static bool count_left(scree_run *r, GError **error)
{
    const scree_checkpoint *from = r->plan.from;
    const uint64_t all = r->sim->scene->steps, done = from ? from->snapshot->step : 0;
    r->steps = all > done ? all - done : 0;
    if (r->steps || !from)
        return scree_schedule_check_end(r->sim, all, error);
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "%s: all %" G_GUINT64_FORMAT
                      " steps of the scene are done at step %" G_GUINT64_FORMAT
                      ": expected --steps N, --for T or --until T to continue",
                      from->path, all, done);
}

/** Sets the length of a run: --steps, --for, --until, or that of the scene. */
static bool set_length(scree_run *r, const scree_run_options *o, GError **error)
{
    const double now = scree_sim_time(r->sim), time = o->for_text ? o->duration : o->until - now;
    r->steps = o->steps;
    if (!has_length(o) && o->break_at && scree_again_here->count_steps(r->sim, &r->steps))
        return true;
    if (!o->until_text && !o->for_text)
        return o->steps_text || count_left(r, error);
    if (time < 0.0 && time < -1e-12 * now)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "--until %s: the run is at %.9g s already: expected a later moment, or "
                          "--for T",
                          o->until_text, now);
    r->end = now + time;
    const double n = scree_run_steps_left(r);
    if (n < 0x1p63) {
        r->steps = (uint64_t)n;
        return true;
    }
    return scree_fail(error, SCREE_EXIT_USAGE, "--%s %s: expected fewer than 2^63 steps of %g s",
                      o->for_text ? "for" : "until", o->for_text ? o->for_text : o->until_text,
                      r->sim->dt);
}

/* ---- the command ---- */

static scree_scene *load_scene(const scree_run_manifest *model, const char *name,
                               scree_registry *registry, GError **error)
{
    const char *const *overrides = (const char *const *)given->overrides;
    g_autoptr(scree_scene) scene =
        scree_again_here ? scree_again_here->load_scene(model, run_now.plan.from, name, overrides,
                                                        registry, error)
                         : scree_scene_load(name, overrides, registry, error);
    if (!scene)
        return NULL;
    if (scene->steps || has_length(given) || given->break_at || model)
        return g_steal_pointer(&scene);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "%s: expected scene.steps, --steps N, --for T or --until T, got none", scene->name);
    return NULL;
}

/** Lets scree-tools print the table of the JSON text in a file; the run heeds the signals that both
 * get. Returns its status as waitpid does; -1 with an error: it did not start. */
static int start_table(int fd, GError **error)
{
    g_autofree char *tools = scree_paths_tools(), *name = g_strdup_printf("/proc/self/fd/%d", fd);
    char *words[] = {tools, (char *)"--no-parent", (char *)"summary", name, (char *)"--json", NULL};
    const GSpawnFlags flags =
        G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_LEAVE_DESCRIPTORS_OPEN | G_SPAWN_DO_NOT_REAP_CHILD;
    sigset_t stops, before;
    pid_t process;
    int status = -1;
    words[4] = given->json ? words[4] : NULL;
    fflush(stdout);
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &stops, &before); // a process begins with the mask of the one before
    const bool ok = g_spawn_async(NULL, words, NULL, flags, NULL, NULL, &process, error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    bool ended = !ok;
    while (!ended)
        ended = waitpid(process, &status, 0) >= 0 || errno != EINTR;
    return status;
}

/** Prints the table of the result, or its JSON text where no table can be made. False: standard
 * output takes no table. */
static bool print_table(const char *json)
{
    g_autoptr(GError) error = NULL;
    int status = -1;
    const int fd = memfd_create("summary", 0); // scree-tools inherits it
    if (fd >= 0 && scree_write_all(fd, json, strlen(json))) {
        status = start_table(fd, &error);
    } else {
        scree_check_shortage("the table of the result");
        scree_fail(&error, SCREE_EXIT_RUN, "%s", g_strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    const bool unread = !error && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE;
    const bool unwritten = !error && WIFEXITED(status) && WEXITSTATUS(status) == SCREE_EXIT_RUN;
    if (unread || unwritten)
        return given->json; // then the table is on standard error
    if (!error && !g_spawn_check_wait_status(status, &error))
        g_prefix_error(&error, "scree-tools summary: ");
    if (!error)
        return true;
    scree_say(SCREE_SAY_NOTE, "the result is JSON without a table: %s", error->message);
    if (!given->json)
        fputs(json, stdout);
    return true;
}

/** Prints the result, and writes it into the folder. `unwritten`: why standard output lacks it. */
static bool hand_out(const scree_run *r, const scree_run_manifest *model, GError **unwritten,
                     GError **error)
{
    g_autofree char *json = NULL, *sha256 = NULL;
    bool ok = scree_run_report(r, &sha256, &json, error);
    const bool printed = print_table(json);
    if (given->json)
        fputs(json, stdout);
    const bool unread = stop_signal == SIGPIPE && r->done < r->steps; // SIGPIPE has ended the run
    if (!unread && (!printed || fflush(stdout) != 0 || ferror(stdout)))
        scree_fail(unwritten, SCREE_EXIT_RUN, "cannot write to standard output");
    if (ok && model && r->done == r->steps && !given->break_at)
        ok = scree_again_here->check_state(model, sha256, error);
    return ok;
}

static bool run_scene(scree_run *r, const scree_run_manifest *model, scree_scene *scene,
                      GError **error)
{
    g_autoptr(GError) unwritten = NULL;
    scree_progress_begin(&progress, !given->quiet && !given->break_at);
    has_domain = scene->domain != NULL;
    set_repeat((char *)scene_name, NULL);
    if (has_domain)
        share_alone();
    if (!scree_run_make(r, scene, error))
        return false;
    r->steps = model ? model->steps : 0;
    if (!model && !set_length(r, given, error))
        return false;
    share_again(r);
    if (!scree_run_begin(r, error))
        return false;
    if (model && scree_ranks_writes(r->ranks)) // other ranks have no instances of observers
        scree_again_here->say_differences(model, r->sim, r->observers);
    bool ok = scree_run_go(r, UINT64_MAX, error) && scree_run_finish(r, error);
    scree_progress_end(&progress);
    if (!ok || !hand_out(r, model, &unwritten, error) || !scree_schedule_check_ended(r->sim, error))
        return false;
    if (r->done < r->steps)
        say_stop(r);
    else if (given->break_at && !scree_again_here->report_break(r->sim, error))
        return false;
    if (!unwritten)
        return true;
    g_propagate_error(error, g_steal_pointer(&unwritten));
    return false;
}

/** Prints the error, and the command that repeats the call of the plugin that is blamed, or says
 * that it has failed. */
static int fail(GError *error)
{
    scree_ranks_fail(run_now.ranks, error); // a rank above 0 ends here
    if (held)
        print_held();
    g_autofree char *where = scree_ranks_take_where(error);
    const int status = scree_cmd_fail(error);
    if (status == SCREE_EXIT_RUN && where && g_str_has_prefix(where, "observers."))
        say_continue(&run_now); // a disk is full, say
    if (status != SCREE_EXIT_USAGE)
        say_repeat(where);
    scree_ends_failed(status);
    return status;
}

static int run_command(const char *name)
{
    g_autoptr(GError) error = NULL;
    scree_run *r = &run_now;
    scree_checkpoint *from = NULL;
    scene_name = name;
    *r = (scree_run){.begin = scree_now()};
    scree_ends_hook = leave;
    begin_lines();
    scree_folder_begin();
    scree_h5_hold();
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    registry->says_shadowed = true;
    scree_run_manifest *model = NULL;
    bool ready = scree_cpu_level(&error) != NULL;
    set_repeat((char *)name, NULL);
    if (ready && scree_again_here)
        ready = scree_again_here->find_start(given, &model, &from, &error);
    r->plan = (scree_run_plan){.blocks = (uint32_t)given->blocks,
                               .batch = (uint32_t)given->batch,
                               .folder = given->folder,
                               .from = from,
                               .ranks = true,
                               .says_notes = true,
                               .restart = from ? scree_again_here->restart : NULL,
                               .allow_plugin_change = given->allow_plugin_change || given->break_at,
                               .stop = &stop_signal,
                               .ask = &scree_save_asked,
                               .joined = on_joined,
                               .stepped = on_step,
                               .saved = set_repeat,
                               .check = given->break_at ? scree_again_here->check_break : NULL};
    watch_signals();
    scree_working_on("the scene");
    scree_scene *scene = ready ? load_scene(model, name, registry, &error) : NULL;
    if (scene)
        r->plan.threads = scree_run_options_threads(given, model ? model->threads : 0);
    else
        r->ranks =
            scree_ranks_report(name, (const char *const *)given->overrides, registry, &error);
    bool ok = scene && run_scene(r, model, scene, &error);
    int status = !ok ? fail(error) : r->done < r->steps ? SCREE_EXIT_STOPPED : SCREE_EXIT_OK;
    scree_ends_hook = NULL; // nothing is left to save if destroy() ends the process
    scree_run_clear(r);
    if (scree_again_here)
        scree_again_here->free_start(model, from);
    if (!ok)
        scree_run_leave_folder(r);
    g_free(r->folder);
    return status;
}

int scree_cmd_run(int argc, char **argv)
{
    scree_run_options options = {.overrides = NULL};
    int status;
    given = &options;
    if (scree_run_options_read(&options, &argc, &argv, &status))
        status = run_command(argc == 2 ? argv[1] : NULL);
    else if (status != SCREE_EXIT_OK)
        scree_launch_end(status); // the other ranks would wait for this one
    scree_run_options_clear(&options);
    scree_say_set(NULL);
    return status;
}
