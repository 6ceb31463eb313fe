/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `scree run`. */
#include "cli/run_options.h"

#include <string.h>

#include "base/cpu.h"
#include "base/say.h"
#include "cli/cmd.h"
#include "config/units.h"
#include "engine/state.h"
#include "run/rank_processes.h"

enum { MOST_THREADS = 256, FEWEST_BATCH = 64 };

/** Reads a time of 0 s or more. */
static bool read_time(const char *option, const char *text, double *time, int *status)
{
    g_autoptr(GError) error = NULL;
    if (!text)
        return true;
    if (!scree_quantity_parse(text, "s", time, &error)) {
        *status = scree_cmd_usage("run", "--%s: %s", option, error->message);
        return false;
    }
    if (*time >= 0.0)
        return true;
    *status = scree_cmd_usage("run", "--%s: expected a time of 0 s or more, got %s", option, text);
    return false;
}

static bool read_numbers(scree_run_options *o, int *status)
{
    o->threads = 1;
    if (!scree_cmd_count("run", "steps", o->steps_text, 0, INT64_MAX, &o->steps, status) ||
        !scree_cmd_count("run", "threads", o->threads_text, 1, MOST_THREADS, &o->threads, status) ||
        !scree_cmd_count("run", "blocks", o->blocks_text, 1, SCREE_MAX_BLOCKS, &o->blocks,
                         status) ||
        !scree_cmd_count("run", "batch", o->batch_text, FEWEST_BATCH, SCREE_BATCH_MAX, &o->batch,
                         status) ||
        !read_time("until", o->until_text, &o->until, status) ||
        !read_time("for", o->for_text, &o->duration, status))
        return false;
    if ((o->steps_text != NULL) + (o->until_text != NULL) + (o->for_text != NULL) < 2)
        return true;
    *status = scree_cmd_usage("run", "expected one of --steps, --for and --until, got more");
    return false;
}

bool scree_run_options_read(scree_run_options *o, int *argc, char ***argv, int *status)
{
    const GOptionEntry entries[] = {
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->overrides,
         "Override a setting of the scene; add to a list", "PATH[+]=VALUE"},
        {"steps", 0, 0, G_OPTION_ARG_FILENAME, &o->steps_text, "Steps, instead of the scene's",
         "N"},
        {"until", 0, 0, G_OPTION_ARG_FILENAME, &o->until_text,
         "Up to this moment of simulated time [s, or with its unit: \"2 ms\"]", "T"},
        {"for", 0, 0, G_OPTION_ARG_FILENAME, &o->for_text,
         "Simulated time from where the run starts or continues", "T"},
        {"threads", 0, 0, G_OPTION_ARG_FILENAME, &o->threads_text,
         "Threads (1), at most one for each CPU; the result does not depend on them", "N"},
        {"oversubscribe", 0, 0, G_OPTION_ARG_NONE, &o->oversubscribe,
         "More threads than CPUs that the process may run on, although that is slow", NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o->folder,
         "Folder to write to, new or empty (default: runs/SCENE-NUMBER if something is written)",
         "DIR"},
        {"restart", 0, 0, G_OPTION_ARG_FILENAME, &o->restart,
         "Continue from a checkpoint, or from the newest good one of a folder", "FILE|DIR"},
        {"repeat", 0, 0, G_OPTION_ARG_FILENAME, &o->repeat,
         "Repeat the run of a manifest.json, and check that it ends in the same state", "MANIFEST"},
        {"allow-plugin-change", 0, 0, G_OPTION_ARG_NONE, &o->allow_plugin_change,
         "Continue although the file of a plugin has changed", NULL},
        {"break", 0, 0, G_OPTION_ARG_FILENAME, &o->break_at,
         "Repeat a call into a plugin: print a line before it, stop there under a debugger (gdb, "
         "with --no-parent), and end the run after its step",
         "SLOT/CALL[@STEP][#N]"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &o->json,
         "Print the result as JSON; all else goes to standard error", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o->quiet, "Do not report how far the run is", NULL},
        {"blocks", 0, 0, G_OPTION_ARG_FILENAME, &o->blocks_text,
         "For experts: blocks of bodies (as many as threads pay); changes only the speed", "N"},
        {"batch", 0, 0, G_OPTION_ARG_FILENAME, &o->batch_text,
         "For experts: candidates per batch (512); changes only the speed", "N"},
        G_OPTION_ENTRY_NULL,
    };
    if (!scree_cmd_parse(
            argc, argv, entries, "[SCENE]",
            "Runs a scene (a path, or a name in configs/) and prints its result. "
            "Without SCENE, --restart takes\nthe scene of the checkpoint and --repeat that of "
            "the manifest.",
            status))
        return false;
    if (o->allow_plugin_change && !o->restart) {
        *status = scree_cmd_usage("run", "--allow-plugin-change: expected --restart with it");
        return false;
    }
    if (o->repeat && (*argc > 1 || o->restart || o->overrides || o->steps_text || o->until_text ||
                      o->for_text)) {
        *status =
            scree_cmd_usage("run", "--repeat: expected no SCENE, --set, --steps, --for, --until "
                                   "or --restart with it: the manifest has them");
        return false;
    }
    if (*argc == 2 || (*argc == 1 && (o->restart || o->repeat)))
        return read_numbers(o, status);
    *status = scree_cmd_operands("run", "SCENE", *argc - 1);
    return false;
}

void scree_run_options_clear(scree_run_options *o)
{
    g_strfreev(o->overrides);
    char *texts[] = {o->steps_text, o->until_text, o->for_text, o->threads_text, o->blocks_text,
                     o->batch_text, o->folder,     o->restart,  o->repeat,       o->break_at};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
}

/* At most as many threads as CPUs: a thread that waits for a CPU delays the others. */
uint32_t scree_run_options_threads(const scree_run_options *o, uint64_t former)
{
    const uint64_t asked = former && !o->threads_text ? former : o->threads;
    const uint32_t cpus = scree_cpu_count();
    if (asked <= cpus || o->oversubscribe)
        return (uint32_t)asked;
    scree_say(SCREE_SAY_WARNING,
              "this process may run on %u CPU%s: expected --threads %u or less, got "
              "%" G_GUINT64_FORMAT "; %u %s taken (--oversubscribe takes all)",
              cpus, cpus == 1 ? "" : "s", cpus, asked, cpus, cpus == 1 ? "is" : "are");
    return cpus;
}

/** Whether an override sets the domain, or a part of it. */
static bool sets_domain(const char *override)
{
    const char *rest = g_str_has_prefix(override, "domain") ? override + strlen("domain") : "";
    return *rest && strchr(".=+ ", *rest);
}

char *scree_run_options_command(const scree_run_options *o, const char *name, const char *from,
                                bool one_rank)
{
    const struct {
        const char *option, *value;
    } words[] = {{NULL, from ? NULL : name},          {"restart", from ? from : o->restart},
                 {"repeat", from ? NULL : o->repeat}, {"threads", o->threads_text},
                 {"blocks", o->blocks_text},          {"batch", o->batch_text}};
    GString *command = g_string_new("scree run");
    scree_cmd_add_globals(command);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        char *const list[] = {(char *)words[i].value, NULL};
        scree_cmd_add_words(command, words[i].option, list);
    }
    for (char **one = from ? NULL : o->overrides; one && *one; one++) {
        char *const list[] = {*one, NULL};
        if (!one_rank || !sets_domain(*one))
            scree_cmd_add_words(command, "set", list);
    }
    if (one_rank)
        g_string_append(command, " --set " SCREE_ONE_RANK);
    return g_string_free(command, FALSE);
}
