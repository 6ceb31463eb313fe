/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of `scree compare --report`: samples, facts of the machine; `scree report` makes the page and
 * the figures of them. */
#include "tools/compare/compare_report.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/folder.h"
#include "base/paths.h"
#include "build_config.h"
#include "run/run_dir.h"
#include "tools/compare/compare_json.h"
#include "tools/compare/compare_machine.h"

/* ---- tables ---- */

/** Appends a text as one field of a line. */
static void put_text(GString *out, const char *text)
{
    for (const char *at = text ? text : ""; *at; at++)
        g_string_append_c(out, g_ascii_iscntrl(*at) ? ' ' : *at);
}

static void put_real(GString *out, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_c(out, '\t');
    g_string_append(out,
                    isfinite(value) ? g_ascii_formatd(text, sizeof text, "%.17g", value) : "nan");
}

/** Writes the titles: the name of the variant, then a column for each varied setting. */
static void put_names(const scree_comparison *c, GString *out)
{
    g_string_append(out, "variant");
    for (guint a = 0; a < c->axes->len; a++) {
        g_string_append_c(out, '\t');
        put_text(out, scree_comparison_axis(c, a)->path);
    }
}

static void put_variant(const scree_comparison *c, const scree_variant *v, GString *out)
{
    put_text(out, v->named ? v->named->name : v->short_label);
    for (guint a = 0; a < c->axes->len; a++) {
        g_string_append_c(out, '\t');
        put_text(out, scree_comparison_axis(c, a)->values->pdata[v->at[a]]);
    }
}

/** Writes a line for each repeat, with times in seconds. */
static char *samples_table(const scree_comparison *c)
{
    GString *out = g_string_new(NULL);
    put_names(c, out);
    g_string_append(out, "\tround\tturn\tsetup_s\twall_s\tcpu_s");
    for (int m = 0; m < SCREE_METRICS; m++)
        g_string_append_printf(out, "\t%s", scree_metric_keys[m]);
    g_string_append_c(out, '\n');
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        for (guint k = 0; k < v->samples->len; k++) {
            const scree_sample *sample = &g_array_index(v->samples, scree_sample, k);
            put_variant(c, v, out);
            g_string_append_printf(out, "\t%u\t%u", sample->round, sample->turn);
            put_real(out, sample->setup_s);
            put_real(out, sample->wall_s);
            put_real(out, sample->cpu_s);
            for (int m = 0; m < SCREE_METRICS; m++)
                put_real(out, sample->time[m]);
            g_string_append_c(out, '\n');
        }
    }
    return g_string_free(out, FALSE);
}

static char *machine_json(const scree_comparison *c)
{
    g_autoptr(GPtrArray) facts = scree_comparison_machine(c);
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_object(json, NULL);
    for (guint i = 0; i < facts->len; i += 2)
        scree_json_string(json, facts->pdata[i], facts->pdata[i + 1]);
    scree_json_string(json, "command", c->command);
    scree_json_close_object(json);
    return g_strdup(scree_json_text(json));
}

/* ---- the folder ---- */

/** Removes the figures of an earlier comparison. */
static bool remove_old_figures(const char *figures, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(figures, 0, NULL);
    const char *name;
    if (!dir)
        return true; // no earlier one has figures
    while ((name = g_dir_read_name(dir))) {
        bool figure = g_str_has_suffix(name, ".svg") || g_str_has_suffix(name, ".gp") ||
                      g_str_has_suffix(name, ".pdf");
        g_autofree char *path = g_build_filename(figures, name, NULL);
        if (!figure || (g_unlink(path) == 0 && (errno = scree_folder_sync(path)) == 0))
            continue;
        return scree_fail(error, SCREE_EXIT_RUN, "cannot remove %s: %s", path, g_strerror(errno));
    }
    return true;
}

/** Lets `scree report` draw the page and, with gnuplot, the figures. */
static bool draw_page(scree_comparison *c, const char *folder, const char *figures, GError **error)
{
    g_autofree char *commands =
        scree_paths_own(SCREE_BUILD_DIR "/contrib/python/commands", SCREE_COMMAND_DIR);
    g_autofree char *program = g_build_filename(commands, "scree-report", NULL), *said = NULL;
    g_autofree char *page = g_build_filename(folder, "index.html", NULL);
    g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
    char *command[] = {
        program, (char *)folder, (char *)"-o", page, (char *)"--figures", (char *)figures, NULL};
    g_autoptr(GError) inner = NULL;
    int status = 0;
    if (!g_file_test(program, G_FILE_TEST_IS_EXECUTABLE)) {
        scree_comparison_note(
            c, "warning: --report: no page, because `scree report` is not installed");
        return true;
    }
    if (!gnuplot) {
        command[4] = NULL;
        scree_comparison_note(c, "warning: --report: no figures, because gnuplot is not installed");
    }
    if (g_spawn_sync(NULL, command, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &said,
                     &status, &inner) &&
        g_spawn_check_wait_status(status, &inner))
        return true;
    return scree_fail(error, SCREE_EXIT_RUN, "--report: no page of %s: %s %s", folder,
                      inner->message, said ? said : "");
}

bool scree_comparison_report(scree_comparison *c, const char *folder, GError **error)
{
    g_autofree char *json = scree_comparison_json(c), *samples = samples_table(c);
    g_autofree char *machine = machine_json(c);
    g_autofree char *figures = g_build_filename(folder, "figures", NULL);
    if (!remove_old_figures(figures, error) ||
        !scree_run_dir_write(folder, "compare.json", json, error) ||
        !scree_run_dir_write(folder, "samples.tsv", samples, error) ||
        !scree_run_dir_write(folder, "machine.json", machine, error) ||
        !draw_page(c, folder, figures, error))
        return false;
    if (!c->quiet)
        scree_comparison_note(
            c, "report: %s/index.html, figures, samples.tsv, compare.json, machine.json", folder);
    return true;
}
