/* SPDX-License-Identifier: Apache-2.0 */
/* `scree compare`: times variants of a scene in turns, each in its own process. */
#include "tools/compare/cmd_compare.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/escape.h"
#include "cli/cmd.h"
#include "cli/signals.h"
#include "config/units.h"
#include "plugin/registry.h"
#include "plugin/shared_calls.h"
#include "tools/compare/compare.h"
#include "tools/compare/compare_json.h"
#include "tools/compare/compare_report.h"
#include "tools/compare/compare_run.h"
#include "tools/compare/compare_table.h"

enum { MOST_THREADS = 256, MOST_RANKS = 64, MOST_REPEATS = 10000 };
enum { STEPS = 100, WARMUP = 10, REPEATS = 5 };

/** The signal that has asked for the end; 0: none. */
static volatile int stop_signal;

/** The values of the command line. */
typedef struct compare_options {
    char **overrides, **vary;
    char *steps, *warmup, *repeats, *threads, *ranks, *limit, *report;
    gboolean json, quiet;
} compare_options;

/** Notes the first signal. A second one ends the program at once, unless it comes within 0.25 s:
 * `timeout` and others signal the process and then its group. */
static void on_stop(int number, bool again)
{
    stop_signal = number;
    if (!again)
        return;
    scree_shared_said();
    signal(number, SIG_DFL);
    raise(number);
}

/** Handles the loss of the terminal, or of the reader of standard output. */
static void on_loss(int number)
{
    if (!stop_signal)
        stop_signal = number;
}

static void watch_signals(void)
{
    scree_signals_heed_stop(on_stop);
    scree_signals_heed(SIGHUP, on_loss, 0);
    scree_signals_heed(SIGPIPE, on_loss, 0);
}

/* ---- the command line ---- */

/** The whole command line, quoted for a shell. New string. */
static char *quote_command(int argc, char *const *argv)
{
    GString *line = g_string_new("scree");
    for (int i = 0; i < argc; i++) {
        bool plain = *argv[i] && strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                                                 "XYZ0123456789_-+=.,:/@%") == strlen(argv[i]);
        g_autofree char *quoted = plain ? NULL : g_shell_quote(argv[i]);
        g_string_append_printf(line, " %s", plain ? argv[i] : quoted);
    }
    return g_string_free(line, FALSE);
}

/** Whether a name is one line of text: it goes into tables, files and a page. */
static bool is_name(const char *text)
{
    bool good = *text && *text != '-' && !strchr(text, '=') && g_utf8_validate(text, -1, NULL);
    for (const char *at = text; good && *at; at++)
        good = !g_ascii_iscntrl(*at);
    return good;
}

static bool is_assignment(const char *word)
{
    return *word != '-' && strchr(word, '=');
}

/** Takes the `--variant NAME PATH=VALUE ...` at *i, and moves *i to its last word. */
static bool take_variant(scree_comparison *c, int argc, char **argv, int *i, int *status)
{
    const char *glued = argv[*i][strlen("--variant")] == '=' ? strchr(argv[*i], '=') + 1 : NULL;
    const char *name = glued ? glued : *i + 1 < argc ? argv[++*i] : "";
    scree_named *named = g_new0(scree_named, 1);
    named->name = g_strdup(name);
    named->assignments = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(c->named, named);
    while (*i + 1 < argc && is_assignment(argv[*i + 1]))
        g_ptr_array_add(named->assignments, g_strdup(argv[++*i]));
    if (!is_name(name))
        *status =
            scree_cmd_usage("compare", "--variant: expected NAME PATH=VALUE ..., got \"%s\"", name);
    else if (!named->assignments->len)
        *status = scree_cmd_usage("compare", "--variant %s: expected PATH=VALUE after it, got none",
                                  name);
    else
        return true;
    return false;
}

/** Takes --variant, which has more than one value, out of the command line. */
static bool take_variants(scree_comparison *c, int *argc, char **argv, int *status)
{
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        bool variant = g_str_equal(argv[i], "--variant") || g_str_has_prefix(argv[i], "--variant=");
        if (!variant)
            argv[kept++] = argv[i];
        else if (!take_variant(c, *argc, argv, &i, status))
            return false;
    }
    *argc = kept;
    return true;
}

static bool read_limit(scree_comparison *c, const char *text, int *status)
{
    g_autoptr(GError) error = NULL;
    c->limit = HUGE_VAL;
    if (!text)
        return true;
    if (scree_quantity_parse(text, "s", &c->limit, &error) && c->limit > 0.0)
        return true;
    *status = error
                  ? scree_cmd_usage("compare", "--limit: %s", error->message)
                  : scree_cmd_usage("compare", "--limit: expected a time above 0 s, got %s", text);
    return false;
}

static bool read_numbers(scree_comparison *c, const compare_options *o, int *status)
{
    const char *name = "compare";
    uint64_t repeats = REPEATS, threads = 1, ranks = 0;
    c->steps = STEPS;
    c->warmup = WARMUP;
    if (!scree_cmd_count(name, "steps", o->steps, 1, UINT32_MAX, &c->steps, status) ||
        !scree_cmd_count(name, "warmup", o->warmup, 0, UINT32_MAX, &c->warmup, status) ||
        !scree_cmd_count(name, "repeats", o->repeats, 1, MOST_REPEATS, &repeats, status) ||
        !scree_cmd_count(name, "threads", o->threads, 1, MOST_THREADS, &threads, status) ||
        !scree_cmd_count(name, "ranks", o->ranks, 1, MOST_RANKS, &ranks, status) ||
        !read_limit(c, o->limit, status))
        return false;
    c->repeats = (guint)repeats;
    c->threads = (guint)threads;
    c->ranks = (guint)ranks;
    return true;
}

/** Takes the numbers of threads of an axis, of which the largest is that of the comparison. */
static bool read_threads(scree_comparison *c, const compare_options *o, const scree_axis *axis,
                         int *status)
{
    uint64_t most = 1, number = 1;
    if (o->threads) {
        *status = scree_cmd_usage("compare", "expected one of --threads and --vary threads");
        return false;
    }
    for (guint i = 0; i < axis->values->len; i++) {
        if (!scree_cmd_count("compare", "vary threads", axis->values->pdata[i], 1, MOST_THREADS,
                             &number, status))
            return false;
        most = MAX(most, number);
    }
    c->threads = (guint)most;
    return true;
}

/** Notes an axis that changes forces or materials: its runs differ in their results, not in method. */
static void note_physics(const scree_axis *axis)
{
    bool physics =
        g_str_has_prefix(axis->path, "force.") || g_str_has_prefix(axis->path, "materials.");
    if (physics && !g_str_has_suffix(axis->path, ".plugin"))
        fprintf(stderr,
                "scree: note: --vary %s: this command compares times; `scree study` compares the "
                "results of such runs\n",
                axis->path);
}

static bool read_axes(scree_comparison *c, const compare_options *o, int *status)
{
    g_autoptr(GError) error = NULL;
    for (char **vary = o->vary; vary && *vary; vary++) {
        scree_axis *axis = scree_axis_parse(*vary, &error);
        if (!axis) {
            *status = scree_cmd_usage("compare", "%s", error->message);
            return false;
        }
        g_ptr_array_add(c->axes, axis);
        note_physics(axis);
        if (g_str_equal(axis->path, SCREE_VARY_THREADS) && !read_threads(c, o, axis, status))
            return false;
    }
    if (c->axes->len || c->named->len)
        return true;
    g_ptr_array_add(c->axes, scree_axis_parse("gcd.plugin=all", NULL));
    fputs("scree: note: neither --vary nor --variant is given: --vary gcd.plugin=all\n", stderr);
    return true;
}

static bool read_options(scree_comparison *c, compare_options *o, int *argc, char ***argv,
                         int *status)
{
    const GOptionEntry entries[] = {
        {"vary", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->vary,
         "Vary a setting; A..B*F and A..B+D are series, \"all\" is every plugin that serves",
         "PATH=V1,V2,.."},
        {"variant", 0, 0, G_OPTION_ARG_NONE, &(gboolean){FALSE},
         "A combination of settings with a name: --variant NAME PATH=VALUE ...", NULL},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->overrides,
         "Override a setting of the scene, in all variants; add to a list", "PATH[+]=VALUE"},
        {"steps", 0, 0, G_OPTION_ARG_FILENAME, &o->steps, "Timed steps of a repeat (100)", "N"},
        {"warmup", 0, 0, G_OPTION_ARG_FILENAME, &o->warmup, "Steps before them, not timed (10)",
         "N"},
        {"repeats", 0, 0, G_OPTION_ARG_FILENAME, &o->repeats, "Repeats of each variant (5)", "N"},
        {"limit", 0, 0, G_OPTION_ARG_FILENAME, &o->limit,
         "Stop a variant whose repeat takes longer, set-up included [s]", "S"},
        {"threads", 0, 0, G_OPTION_ARG_FILENAME, &o->threads, "Threads of each variant (1)", "N"},
        {"ranks", 0, 0, G_OPTION_ARG_FILENAME, &o->ranks,
         "Ranks of each variant, processes of this machine (as the scene says)", "P"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &o->report,
         "Write samples, facts of the machine, figures and a page into a folder", "DIR"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &o->json,
         "Print the result as JSON; all else goes to standard error", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &o->quiet, "Do not report how far it is", NULL},
        G_OPTION_ENTRY_NULL,
    };
    *argv = g_memdup2(*argv, ((size_t)*argc + 1) * sizeof **argv);
    if (!take_variants(c, argc, *argv, status) ||
        !scree_cmd_parse(argc, argv, entries, "SCENE",
                         "Times variants of a scene against each other. Each starts from the same "
                         "state, in a process of its own,\nand they take turns. Without --vary and "
                         "--variant: all contact detections that serve the scene.",
                         status))
        return false;
    if (*argc != 2) {
        *status = scree_cmd_operands("compare", "SCENE", *argc - 1);
        return false;
    }
    c->scene = (*argv)[1];
    c->overrides = (const char *const *)o->overrides;
    c->quiet = o->quiet;
    return read_numbers(c, o, status) && read_axes(c, o, status);
}

/* ---- the work ---- */

/** Makes the folder of the report before anything is measured. */
static bool make_folder(const char *folder, GError **error)
{
    g_autofree char *bad = folder ? scree_plain_refuse_name(folder) : NULL;
    if (bad)
        return scree_fail(error, SCREE_EXIT_USAGE, "--report %s", bad);
    if (!folder || (g_mkdir_with_parents(folder, 0777) == 0 && access(folder, W_OK | X_OK) == 0))
        return true;
    return scree_fail(error, SCREE_EXIT_RUN, "--report: cannot write to the folder %s: %s", folder,
                      g_strerror(errno));
}

static bool hand_out(scree_comparison *c, const compare_options *o, GError **error)
{
    bool ok = !o->report || scree_comparison_report(c, o->report, error);
    scree_comparison_print(c, o->json ? stderr : stdout);
    if (o->json) {
        g_autofree char *json = scree_comparison_json(c);
        fputs(json, stdout);
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return ok;
    if (ok)
        return scree_fail(error, SCREE_EXIT_RUN, "cannot write to standard output");
    return false;
}

/** The exit status: a plugin's fault counts more than a failed run; timing nothing is a failure. */
static int final_status(const scree_comparison *c)
{
    bool failed = false, blamed = c->disagreements->len > 0, timed = false;
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        failed = failed || v->outcome == SCREE_OUTCOME_FAILED;
        blamed = blamed || (v->outcome == SCREE_OUTCOME_FAILED && v->status == SCREE_EXIT_PLUGIN);
        timed = timed || v->outcome == SCREE_OUTCOME_OK;
    }
    if (c->stopped)
        return SCREE_EXIT_STOPPED;
    return blamed ? SCREE_EXIT_PLUGIN : failed || !timed ? SCREE_EXIT_RUN : SCREE_EXIT_OK;
}

static int compare(scree_comparison *c, const compare_options *o)
{
    g_autoptr(GError) error = NULL;
    c->registry = scree_cmd_registry_new();
    watch_signals();
    bool ready = scree_cpu_level(&error) && make_folder(o->report, &error) &&
                 scree_comparison_build(c, &error);
    if (!ready)
        return scree_cmd_fail(error);
    if (!c->quiet && !stop_signal)
        fprintf(stderr, "scree: %u variant%s, %u repeat%s each\n", c->variants->len,
                c->variants->len == 1 ? "" : "s", c->repeats, c->repeats == 1 ? "" : "s");
    c->stopped = stop_signal != 0;
    if (getloadavg(&c->load, 1) != 1)
        c->load = (double)NAN;
    if (!c->variants->len) // stopped while variants were made
        return SCREE_EXIT_STOPPED;
    scree_comparison_run(c);
    scree_comparison_judge(c);
    c->stopped = c->stopped || stop_signal;
    if (!hand_out(c, o, &error))
        return scree_cmd_fail(error);
    return final_status(c);
}

int scree_cmd_compare(int argc, char **argv)
{
    compare_options o = {.overrides = NULL};
    scree_comparison c = {.axes = g_ptr_array_new_with_free_func((GDestroyNotify)scree_axis_free),
                          .named = g_ptr_array_new_with_free_func((GDestroyNotify)scree_named_free),
                          .command = quote_command(argc, argv),
                          .stop = &stop_signal};
    int status;
    if (read_options(&c, &o, &argc, &argv, &status))
        status = compare(&c, &o);
    scree_comparison_clear(&c);
    g_clear_pointer(&c.registry, scree_registry_free);
    g_ptr_array_unref(c.axes);
    g_ptr_array_unref(c.named);
    g_free(c.command);
    g_strfreev(o.overrides);
    g_strfreev(o.vary);
    char *texts[] = {o.steps, o.warmup, o.repeats, o.threads, o.ranks, o.limit, o.report};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(argv);
    return status;
}
