/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run`: a scene from its first state to its last, watched by its observers. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checks.h"
#include "cmd.h"
#include "cpu.h"
#include "guard.h"
#include "progress.h"
#include "report.h"
#include "run_dir.h"
#include "swap_report.h"
#include "units.h"

enum { MOST_THREADS = 256, FEWEST_BATCH = 64 };

/** Which signal has asked for the end; plugins see it as host->cancelled. */
static volatile int stop_signal;

/** The command line. */
typedef struct run_options {
    char **overrides;
    char *steps_text, *until_text, *threads_text, *blocks_text, *batch_text, *folder;
    gboolean json, quiet;
    bool has_steps, has_until;
    uint64_t steps, threads, blocks, batch;
    double until; // [s]
} run_options;

/** A run under way. */
typedef struct run {
    const run_options *options;
    scree_sim *sim;
    scree_hooks *hooks;
    char *folder; // NULL: nothing is written
    uint64_t steps, done;
    double particle_steps, begin, loop_begin, loop_end;
} run;

static void on_stop(int number)
{
    stop_signal = number;
    signal(SIGINT, SIG_DFL); // the second one ends the run at once
    signal(SIGTERM, SIG_DFL);
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/** A whole number of an option, when it is given. */
static bool read_count(const char *name, const char *text, uint64_t min, uint64_t max,
                       uint64_t *value, int *status)
{
    if (!text || g_ascii_string_to_unsigned(text, 10, min, max, value, NULL))
        return true;
    *status = scree_cmd_usage("run",
                              "--%s %s: a whole number from %" G_GUINT64_FORMAT
                              " to %" G_GUINT64_FORMAT " is wanted",
                              name, text, min, max);
    return false;
}

static bool read_until(run_options *o, int *status)
{
    g_autoptr(GError) error = NULL;
    o->has_until = o->until_text != NULL;
    if (!o->has_until)
        return true;
    if (!scree_quantity_parse(o->until_text, "s", &o->until, &error)) {
        *status = scree_cmd_usage("run", "--until %s: %s", o->until_text, error->message);
        return false;
    }
    if (o->until >= 0.0)
        return true;
    *status = scree_cmd_usage("run", "--until %s: a time of 0 s or more is wanted", o->until_text);
    return false;
}

static bool read_numbers(run_options *o, int *status)
{
    o->has_steps = o->steps_text != NULL;
    o->threads = 1;
    if (!read_count("steps", o->steps_text, 0, INT64_MAX, &o->steps, status) ||
        !read_count("threads", o->threads_text, 1, MOST_THREADS, &o->threads, status) ||
        !read_count("blocks", o->blocks_text, 1, SCREE_MAX_BLOCKS, &o->blocks, status) ||
        !read_count("batch", o->batch_text, FEWEST_BATCH, SCREE_BATCH_MAX, &o->batch, status) ||
        !read_until(o, status))
        return false;
    if (!o->has_steps || !o->has_until)
        return true;
    *status = scree_cmd_usage("run", "--steps and --until are given; one of them is wanted");
    return false;
}

static bool read_options(run_options *o, int *argc, char ***argv, int *status)
{
    const GOptionEntry entries[] = {
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->overrides, "Override a setting of the scene",
         "PATH=VALUE"},
        {"steps", 0, 0, G_OPTION_ARG_FILENAME, &o->steps_text, "Steps, instead of the scene's",
         "N"},
        {"until", 0, 0, G_OPTION_ARG_FILENAME, &o->until_text,
         "Simulated time instead [s, or with its unit: \"2 ms\"]", "T"},
        {"threads", 0, 0, G_OPTION_ARG_FILENAME, &o->threads_text,
         "Threads (1); the result does not depend on them", "N"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o->folder,
         "Folder to write to, new or empty (runs/SCENE-NUMBER, if the scene has observers)", "DIR"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &o->json,
         "Print the result as JSON; all else goes to standard error", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o->quiet, "Do not tell how far the run is", NULL},
        {"blocks", 0, 0, G_OPTION_ARG_FILENAME, &o->blocks_text,
         "For experts: blocks of bodies (one per thread); changes speed alone", "N"},
        {"batch", 0, 0, G_OPTION_ARG_FILENAME, &o->batch_text,
         "For experts: candidates per batch (512); changes speed alone", "N"},
        G_OPTION_ENTRY_NULL,
    };
    if (!scree_cmd_parse(argc, argv, entries, "SCENE",
                         "Runs a scene, a path or a name in configs/, and prints what came of it.",
                         status))
        return false;
    if (*argc == 2)
        return read_numbers(o, status);
    *status = scree_cmd_usage("run", "one SCENE is wanted, not %d", *argc - 1);
    return false;
}

/** The smallest number of steps that reaches `until`; a hair less than the quotient counts. */
static bool count_steps(run *r, GError **error)
{
    const run_options *o = r->options;
    double n = ceil(o->until / r->sim->dt * (1.0 - 1e-12));
    r->steps = o->has_steps ? o->steps : r->sim->scene->steps;
    if (!o->has_until)
        return true;
    if (n < 0x1p63) {
        r->steps = (uint64_t)n;
        return true;
    }
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "--until %s: too many steps of %g s",
                o->until_text, r->sim->dt);
    return false;
}

static scree_scene *load_scene(const run_options *o, const char *name, scree_registry *registry,
                               GError **error)
{
    g_autoptr(scree_scene) scene =
        scree_scene_load(name, (const char *const *)o->overrides, registry, error);
    if (!scene)
        return NULL;
    for (guint i = 0; i < scene->config->notes->len; i++)
        fprintf(stderr, "scree: note: %s\n", (const char *)scene->config->notes->pdata[i]);
    if (scene->steps || o->has_steps || o->has_until)
        return g_steal_pointer(&scene);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "%s: scene.steps is not given: how long? (--steps N or --until T)", scene->name);
    return NULL;
}

/** The scene into the folder, which is the latest from now on. */
static bool open_folder(const run *r, GError **error)
{
    g_autoptr(GError) inner = NULL;
    if (!r->folder)
        return true;
    if (!scree_run_dir_write(r->folder, "scene.cfg", r->sim->scene->config->text->str, error))
        return false;
    if (!r->options->folder && !scree_run_dir_set_latest(r->folder, &inner))
        fprintf(stderr, "scree: note: %s\n", inner->message);
    return true;
}

/** Instances, the first evaluation, and what is written before the first step. */
static bool set_up(run *r, scree_scene *scene, GError **error)
{
    const run_options *o = r->options;
    scree_sim_options options = {.threads = (uint32_t)o->threads,
                                 .blocks = (uint32_t)o->blocks,
                                 .batch = (uint32_t)o->batch,
                                 .cancelled = &stop_signal,
                                 .output_dir = r->folder,
                                 .check_dt = true,
                                 .record = scene->observers->len > 0 || scene->observers_later};
    r->sim = scree_sim_new(scene, &options, error);
    if (!r->sim || !count_steps(r, error))
        return false;
    scree_check_start(r->sim);
    r->hooks = scree_hooks_new(r->sim, error);
    if (!r->hooks || !open_folder(r, error))
        return false;
    bool seen = scree_hooks_observe(r->hooks, false, error);
    r->sim->times.observe = 0.0; // the phases are those of the step loop
    return seen;
}

/** A run whose progress is shown. */
typedef struct shown_run {
    const run *run;
    scree_progress *progress;
} shown_run;

static void tell_swap(void *user, guint swap)
{
    const shown_run *shown = user;
    scree_progress_end(shown->progress); // until it is drawn again
    scree_swap_print(shown->run->sim->swaps->pdata[swap], stderr);
}

/** Steps until the last one, or until a signal: then one step more where the last one has not kept
 * what an observer wants to see of the final state. */
static bool run_steps(run *r, GError **error)
{
    scree_progress progress;
    shown_run shown = {r, &progress};
    bool ok = true;
    scree_progress_begin(&progress, !r->options->quiet);
    while (ok && r->done < r->steps && !(stop_signal && scree_hooks_can_end(r->hooks))) {
        ok = scree_schedule_run(r->sim, r->hooks, tell_swap, &shown, error);
        if (!ok)
            break;
        scree_hooks_prepare(r->hooks, r->done + 1 == r->steps || stop_signal);
        scree_schedule_prepare(r->sim);
        scree_guard_at_step(r->sim->step);
        r->particle_steps += r->sim->world->n_free;
        ok = scree_sim_step(r->sim, error);
        r->done += ok;
        ok = ok && scree_hooks_observe(r->hooks, false, error);
        scree_progress_step(&progress, r->done, r->steps, scree_sim_time(r->sim));
    }
    ok = ok && scree_sim_settle(r->sim, error) && scree_hooks_observe(r->hooks, true, error);
    r->loop_end = scree_now();
    scree_progress_end(&progress);
    return ok;
}

static void tell_stop(const run *r, const char *scene)
{
    fprintf(stderr, "scree: stopped by %s after step %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
            stop_signal == SIGINT ? "SIGINT" : "SIGTERM", r->done, r->steps);
    if (r->folder)
        fprintf(stderr, "; saved in %s: scene.cfg, summary.json%s\n", r->folder,
                scree_hooks_count(r->hooks) ? ", the files of its observers" : "");
    else
        fputs("; nothing was saved: the scene has no observers, and there was no -o\n", stderr);
    fprintf(stderr,
            "scree: this version cannot go on from there; from the start: scree run %s "
            "--steps %" G_GUINT64_FORMAT "\n",
            scene, r->steps);
}

/** The result to its places: folder, standard output. */
static bool hand_out(run *r, GError **error)
{
    scree_report report = {.sim = r->sim,
                           .hooks = r->hooks,
                           .folder = r->folder,
                           .setup_s = r->loop_begin - r->begin,
                           .wall_s = r->loop_end - r->loop_begin,
                           .steps = r->done,
                           .particle_steps = r->particle_steps,
                           .stopped = r->done < r->steps};
    scree_report_take(&report);
    g_autofree char *json = scree_report_json(&report);
    bool ok = !r->folder || scree_run_dir_write(r->folder, "summary.json", json, error);
    scree_report_print(&report, r->options->json ? stderr : stdout);
    if (r->options->json)
        fputs(json, stdout);
    scree_report_clear(&report);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return ok;
    if (ok)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "cannot write to standard output");
    return false;
}

static bool run_scene(run *r, scree_scene *scene, const char *name, GError **error)
{
    if (!set_up(r, scene, error))
        return false;
    r->loop_begin = scree_now();
    if (!run_steps(r, error) || !scree_hooks_finish(r->hooks, error) || !hand_out(r, error))
        return false;
    if (r->done < r->steps)
        tell_stop(r, name);
    return true;
}

static int run_command(const run_options *o, const char *name)
{
    g_autoptr(GError) error = NULL;
    run r = {.options = o, .begin = scree_now()};
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    scree_scene *scene = scree_cpu_level(&error) ? load_scene(o, name, registry, &error) : NULL;
    if (!scene)
        return scree_cmd_fail(error);
    bool made = false;
    if (scene->observers->len || scene->observers_later || o->folder) {
        r.folder = scree_run_dir_make(o->folder, scene->name, &made, &error);
        if (!r.folder) {
            scree_scene_free(scene);
            return scree_cmd_fail(error);
        }
    }
    watch_signals();
    scree_guard_install();
    bool ok = run_scene(&r, scene, name, &error);
    int status = !ok                ? scree_cmd_fail(error)
                 : r.done < r.steps ? SCREE_EXIT_STOPPED
                                    : SCREE_EXIT_OK;
    scree_hooks_free(r.hooks);
    scree_sim_free(r.sim);
    if (r.folder && !ok && (!made || rmdir(r.folder) != 0)) // with something in it, it stays
        fprintf(stderr, "scree: note: what was written until then is in %s\n", r.folder);
    g_free(r.folder);
    return status;
}

int scree_cmd_run(int argc, char **argv)
{
    run_options options = {.overrides = NULL};
    int status;
    if (read_options(&options, &argc, &argv, &status))
        status = run_command(&options, argv[1]);
    g_strfreev(options.overrides);
    char *texts[] = {options.steps_text,  options.until_text, options.threads_text,
                     options.blocks_text, options.batch_text, options.folder};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    return status;
}
