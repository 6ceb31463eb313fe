/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a comparison: gnuplot scripts with their data, the SVG and PDF files that they make. */
#include "tools/compare/compare_plots.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>

#include "base/folder.h"
#include "run/run_dir.h"
#include "tools/compare/compare_figures.h"
#include "tools/compare/compare_table.h"

/** A figure that is being made. */
typedef struct figure {
    char *name;     /* name of its files, without suffix */
    GString *data;  /* blocks $d0, $d1, .. */
    GString *plots; /* the arguments of "plot" */
    guint n;        /* number of blocks */
} figure;

/** Where figures are written. */
typedef struct atlas {
    const char *folder;
    GPtrArray *made; /* names of the SVG files */
    bool pdf;        /* gnuplot can write PDF */
} atlas;

static const char script_head[] =
    "# Made by scree compare. To repeat: gnuplot %s.gp; as PDF: gnuplot -e 'pdf=1' %s.gp\n"
    "if (!exists(\"output\")) output = exists(\"pdf\") ? \"%s.pdf\" : \"%s.svg\"\n"
    "if (exists(\"pdf\")) set terminal pdfcairo size 21.5cm,13cm noenhanced font "
    "\"sans-serif,11\"; else set terminal svg size 860,520 noenhanced font \"sans-serif,13\" "
    "background \"#ffffff\"\n"
    "set encoding utf8\n"
    "set output output\n"
    "set border 3\n"
    "set tics nomirror out\n"
    "set grid linecolor rgb \"#d8d8d8\"\n"
    "set key outside right top reverse Left samplen 2\n"
    "set title \"%s\"\n";

static void figure_init(figure *f, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void figure_init(figure *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *f = (figure){.name = g_strdup_vprintf(format, arguments),
                  .data = g_string_new(NULL),
                  .plots = g_string_new(NULL)};
    va_end(arguments);
    for (char *at = f->name; *at; at++)
        if (!g_ascii_isalnum(*at) && !strchr("_.+-", *at))
            *at = '-';
}

static void figure_clear(figure *f)
{
    g_free(f->name);
    g_string_free(f->data, TRUE);
    g_string_free(f->plots, TRUE);
}

/** A text between double quotes for gnuplot. New string. */
static char *quote(const char *text)
{
    GString *out = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        if (*at == '"' || *at == '\\')
            g_string_append_c(out, '\\');
        g_string_append_c(out, g_ascii_iscntrl(*at) ? ' ' : *at);
    }
    return g_string_free(out, FALSE);
}

static void begin_block(figure *f)
{
    g_string_append_printf(f->data, "$d%u << EOD\n", f->n);
}

static void end_block(figure *f)
{
    g_string_append(f->data, "EOD\n");
    f->n++;
}

/** Adds a number to the row, which `end` ends. */
static void add_number(figure *f, double value, const char *end)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(f->data, "%s%s",
                           isfinite(value) ? g_ascii_dtostr(text, sizeof text, value) : "NaN", end);
}

/** Sets the style of line k: eight colours, seven marks, then dashes. `how`: "1:2 with lines". */
static void add_line(figure *f, guint k, const char *how, const char *title)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#000000", "#8b5a2b"};
    static const int marks[] = {7, 5, 9, 13, 11, 4, 6};
    g_autofree char *quoted = quote(title);
    g_string_append_printf(
        f->plots,
        "%s$d%u using %s linecolor rgb \"%s\" linewidth 1.6 "
        "dashtype %u pointtype %d pointsize 0.6 title \"%s\"",
        f->plots->len ? ", \\\n     " : "", f->n - 1, how, colours[k % G_N_ELEMENTS(colours)],
        1 + k / (guint)G_N_ELEMENTS(colours) % 4, marks[k % G_N_ELEMENTS(marks)], quoted);
}

/** Runs gnuplot in the folder; the figure gets its name when it is complete. `format`: svg, pdf. */
static bool run_gnuplot(const char *folder, const char *name, const char *format, GError **error)
{
    g_autofree char *temporary = g_strdup_printf(".%s.%s.new", name, format);
    g_autofree char *set = g_strdup_printf("output = \"%s\"; %s = 1", temporary, format);
    g_autofree char *script = g_strdup_printf("%s.gp", name), *said = NULL;
    g_autofree char *whole = g_strdup_printf("%s/%s.%s", folder, name, format);
    g_autofree char *made = g_build_filename(folder, temporary, NULL);
    char *command[] = {(char *)"gnuplot", (char *)"-e", set, script, NULL};
    g_autoptr(GError) inner = NULL;
    int status = 0;
    bool ran = g_spawn_sync(folder, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &said,
                            &status, &inner);
    if (ran && g_spawn_check_wait_status(status, &inner) && g_rename(made, whole) == 0 &&
        (errno = scree_folder_sync(whole)) == 0)
        return true;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "gnuplot %s/%s: %s %s", folder, script,
                inner ? inner->message : g_strerror(errno), said ? said : "");
    g_unlink(made);
    return false;
}

/** Writes the script into the folder, draws the figure, adds its name to `made`. */
static bool draw(const figure *f, const char *title, const char *settings, const atlas *to,
                 GError **error)
{
    g_autofree char *quoted = quote(title), *script = g_strdup_printf("%s.gp", f->name);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, script_head, f->name, f->name, f->name, f->name, quoted);
    g_string_append_printf(text, "%s%splot %s\n", f->data->str, settings, f->plots->str);
    if (!scree_run_dir_write(to->folder, script, text->str, error) ||
        !run_gnuplot(to->folder, f->name, "svg", error) ||
        (to->pdf && !run_gnuplot(to->folder, f->name, "pdf", error)))
        return false;
    g_ptr_array_add(to->made, g_strdup_printf("%s.svg", f->name));
    return true;
}

/* ---- against a varied number ---- */

/** Whether two series share a figure: same number and time, other tasks. */
static bool is_same_figure(const scree_comparison *c, const scree_series *a, const scree_series *b)
{
    const guint *at = scree_comparison_variant(c, a->first)->at;
    const guint *other = scree_comparison_variant(c, b->first)->at;
    for (guint k = 0; k < c->axes->len; k++)
        if (c->splits[k] && k != a->axis && at[k] != other[k])
            return false;
    return a->axis == b->axis && a->metric == b->metric;
}

/** ", scene.dt = 1e-5": other tasks of a series; "": none. New string. */
static char *other_tasks(const scree_comparison *c, const scree_series *s, const char *before,
                         const char *between)
{
    GString *text = g_string_new(NULL);
    const scree_variant *v = scree_comparison_variant(c, s->first);
    for (guint k = 0; k < c->axes->len; k++) {
        const scree_axis *axis = scree_comparison_axis(c, k);
        if (c->splits[k] && k != s->axis)
            g_string_append_printf(text, "%s%s%s%s", before, axis->path, between,
                                   (char *)axis->values->pdata[v->at[k]]);
    }
    return g_string_free(text, FALSE);
}

static const char *line_title(const scree_comparison *c, const scree_series *s)
{
    if (c->splits[s->axis])
        return scree_comparison_variant(c, s->first)->short_label;
    return *s->label ? s->label : c->title;
}

static double on_axis(const GArray *values, guint i)
{
    return g_array_index(values, double, i);
}

/** Sets the axes: logarithmic for a wide range; tics at the numbers if they are few. */
static void set_x(const scree_axis *axis, GString *settings)
{
    enum { MOST_TICS = 12 };
    guint n = axis->values->len;
    double low = axis->number[0], high = axis->number[n - 1], margin = 0.04 * (high - low);
    bool wide = low > 0.0 && high / low >= 4.0;
    char text[2][G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *quoted = quote(axis->path);
    g_string_append_printf(settings, "set xlabel \"%s%s%s%s\"\n%s", quoted, axis->unit ? " [" : "",
                           axis->unit ? axis->unit : "", axis->unit ? "]" : "",
                           wide ? "set logscale x\nunset mxtics\n" : "");
    g_string_append_printf(
        settings, "set xrange [%s:%s]\n",
        g_ascii_dtostr(text[0], sizeof text[0], wide ? low / 1.2 : low - margin),
        g_ascii_dtostr(text[1], sizeof text[1], wide ? high * 1.2 : high + margin));
    if (n > MOST_TICS)
        return;
    for (guint i = 0; i < n; i++)
        g_string_append_printf(settings, "%s\"%s\" %s", i ? ", " : "set xtics (",
                               (char *)axis->values->pdata[i],
                               g_ascii_dtostr(text[0], sizeof text[0], axis->number[i]));
    g_string_append(settings, ")\n");
}

static bool draw_times(const scree_comparison *c, const GPtrArray *series, guint from,
                       const atlas *to, GError **error)
{
    figure f;
    const scree_series *one = series->pdata[from];
    const scree_axis *axis = scree_comparison_axis(c, one->axis);
    g_autoptr(GString) settings =
        g_string_new("set logscale y\nset ylabel \"time per step [s], median and quartiles\"\n"
                     "set format y \"%.0e\"\n");
    g_autofree char *tasks = other_tasks(c, one, ", ", " = "),
                    *suffix = other_tasks(c, one, "-", "-");
    g_autofree char *title =
        g_strdup_printf("%s: %s%s", c->title, scree_metric_titles[one->metric], tasks);
    figure_init(&f, "time-%s-%s%s", axis->path, scree_metric_keys[one->metric], suffix);
    for (guint i = from, k = 0; i < series->len; i++) {
        const scree_series *s = series->pdata[i];
        k += is_same_figure(c, one, s); // even if it is not drawn: styles are the same on all
                                        // figures
        if (!is_same_figure(c, one, s) || isnan(s->exponent))
            continue;
        g_autofree char *label = g_strdup_printf("%s (%.2f)", line_title(c, s), s->exponent);
        begin_block(&f);
        for (guint p = 0; p < s->x->len; p++) {
            add_number(&f, on_axis(s->x, p), " ");
            add_number(&f, on_axis(s->t, p), " ");
            add_number(&f, on_axis(s->q1, p), " ");
            add_number(&f, on_axis(s->q3, p), "\n");
        }
        end_block(&f);
        add_line(&f, k - 1, "1:2:3:4 with yerrorlines", label);
    }
    set_x(axis, settings);
    g_string_append(settings, "set key title \"(exponent)\"\n");
    bool ok = !f.n || draw(&f, title, settings->str, to, error);
    figure_clear(&f);
    return ok;
}

/** Draws local exponents, each at the geometric mean of two neighbours. */
static bool draw_powers(const scree_comparison *c, const GPtrArray *series, guint from,
                        const atlas *to, GError **error)
{
    figure f;
    const scree_series *one = series->pdata[from];
    const scree_axis *axis = scree_comparison_axis(c, one->axis);
    g_autoptr(GString) settings = g_string_new(NULL);
    g_autofree char *tasks = other_tasks(c, one, ", ", " = "),
                    *suffix = other_tasks(c, one, "-", "-");
    g_autofree char *title = g_strdup_printf("%s: local exponent, %s%s", c->title,
                                             scree_metric_titles[one->metric], tasks);
    figure_init(&f, "power-%s-%s%s", axis->path, scree_metric_keys[one->metric], suffix);
    g_string_append(settings,
                    "set ylabel \"local exponent of the time [-]\"\nset yrange [*<0:*]\n");
    for (guint i = from, k = 0; i < series->len; i++) {
        const scree_series *s = series->pdata[i];
        k += is_same_figure(c, one, s);
        if (!is_same_figure(c, one, s) || isnan(s->exponent) || s->x->len < 3)
            continue;
        begin_block(&f);
        for (guint p = 0; p < s->local->len; p++) {
            add_number(&f, sqrt(on_axis(s->x, p) * on_axis(s->x, p + 1)), " ");
            add_number(&f, on_axis(s->local, p), "\n");
        }
        end_block(&f);
        add_line(&f, k - 1, "1:2 with linespoints", line_title(c, s));
    }
    set_x(axis, settings);
    bool ok = !f.n || draw(&f, title, settings->str, to, error);
    figure_clear(&f);
    return ok;
}

/** Draws times and local exponents of all series, one figure for series that belong together. */
static bool draw_series(const scree_comparison *c, const atlas *to, GError **error)
{
    g_autoptr(GPtrArray) series = scree_comparison_series(c);
    for (guint i = 0; i < series->len; i++) {
        const scree_series *s = series->pdata[i];
        bool first = true;
        for (guint k = 0; k < i && first; k++)
            first = !is_same_figure(c, s, series->pdata[k]);
        if (first &&
            (!draw_times(c, series, i, to, error) || !draw_powers(c, series, i, to, error)))
            return false;
    }
    return true;
}

/* ---- bars ---- */

/** Draws a bar with quartiles for each variant with a time, the fastest first. */
static bool draw_bars(const scree_comparison *c, scree_metric metric, const atlas *to,
                      GError **error)
{
    figure f;
    const char *unit;
    g_autoptr(GArray) order = scree_group_order(c, 0);
    g_autofree char *task = scree_comparison_task(c, 0);
    g_autofree char *title = g_strdup_printf("%s: %s%s%s", c->title, scree_metric_titles[metric],
                                             *task ? ", " : "", task);
    double best = scree_group_best(c, 0, metric), scale = scree_time_unit(best, &unit);
    double worst = best;
    guint n = 0;
    if (!(best > 0.0))
        return true;
    figure_init(&f, "bars-%s", scree_metric_keys[metric]);
    begin_block(&f);
    for (guint i = 0; i < order->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, g_array_index(order, guint, i));
        const scree_spread *s = &v->spread[metric];
        g_autofree char *name = quote(v->short_label);
        char text[3][G_ASCII_DTOSTR_BUF_SIZE];
        if (!scree_variant_is_sound(v))
            continue;
        worst = fmax(worst, s->median);
        g_string_append_printf(f.data, "\"%s\" %s %s %s\n", name,
                               g_ascii_dtostr(text[0], sizeof text[0], s->median / scale),
                               g_ascii_dtostr(text[1], sizeof text[1], s->q1 / scale),
                               g_ascii_dtostr(text[2], sizeof text[2], s->q3 / scale));
        n++;
    }
    end_block(&f);
    // not yerrorbars, whose point hides a short bar
    g_string_append(f.plots,
                    "$d0 using 0:2:xtic(1) with boxes linecolor rgb \"#0072b2\" title "
                    "\"median\", $d0 using 0:3:(0):($4-$3) with vectors heads size screen "
                    "0.006,90 linewidth 1.5 linecolor rgb \"#000000\" title \"quartiles\"");
    g_autofree char *what =
        quote(c->axes->len == 1 && !c->named->len ? scree_comparison_axis(c, 0)->path : "variant");
    g_autofree char *settings = g_strdup_printf(
        "set ylabel \"time per step [%s]\"\n%s\nset xrange [-0.7:%u.7]\n"
        "set boxwidth 0.6\nset style fill solid 0.55\nset xtics rotate by -35 scale 0\n"
        "unset grid\nset grid ytics linecolor rgb \"#d8d8d8\"\nset key inside left top\n"
        "set xlabel \"%s\"\n"
        "set bmargin 7\nset rmargin 8\n",
        unit, worst / best > 20.0 ? "set logscale y" : "set yrange [0:*]", n - 1, what);
    bool ok = draw(&f, title, settings, to, error);
    figure_clear(&f);
    return ok;
}

/** Whether gnuplot has the terminal of PDF files. */
static bool has_pdf(void)
{
    char *command[] = {(char *)"gnuplot", (char *)"-e", (char *)"set terminal pdfcairo", NULL};
    int status = 1;
    return g_spawn_sync(NULL, command, NULL,
                        G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                            G_SPAWN_STDERR_TO_DEV_NULL,
                        NULL, NULL, NULL, NULL, &status, NULL) &&
           g_spawn_check_wait_status(status, NULL);
}

GPtrArray *scree_comparison_plot(const scree_comparison *c, const char *folder, GError **error)
{
    g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
    bool numbers = false;
    if (!gnuplot) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN,
                    "there are no figures: gnuplot is not installed");
        return NULL;
    }
    const atlas to = {folder, made, has_pdf()};
    for (guint a = 0; a < c->axes->len; a++)
        numbers = numbers || c->tasks[a];
    if (!draw_series(c, &to, error))
        return NULL;
    if (!numbers)
        for (scree_metric m = SCREE_METRIC_GCD; m <= SCREE_METRIC_STEP; m++)
            if (!draw_bars(c, m, &to, error))
                return NULL;
    return g_steal_pointer(&made);
}
