/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison: one per task, growth of times, different states, the fastest
 * variant. */
#include "tools/compare/compare_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/compare/compare_figures.h"

/* ---- a table of texts ---- */

static void add_row(GPtrArray *table)
{
    g_ptr_array_add(table, g_ptr_array_new_with_free_func(g_free));
}

static void add_cell(GPtrArray *table, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void add_cell(GPtrArray *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(table->pdata[table->len - 1], g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/** Adds a number, or "-" for NaN. */
static void add_number(GPtrArray *table, const char *format, double value)
{
    char text[64];
    if (isfinite(value))
        add_cell(table, "%s", g_ascii_formatd(text, sizeof text, format, value));
    else
        add_cell(table, "-");
}

static size_t column_width(const GPtrArray *table, guint column)
{
    size_t width = 0;
    for (guint r = 0; r < table->len; r++) {
        const GPtrArray *row = table->pdata[r];
        if (column < row->len && (column == 0 || row->len > 2))
            width = MAX(width, (size_t)g_utf8_strlen(row->pdata[column], -1));
    }
    return width;
}

/** Prints names flush left, numbers flush right. */
static void print_table(const GPtrArray *table, guint left, FILE *out)
{
    for (guint r = 0; r < table->len; r++) {
        const GPtrArray *row = table->pdata[r];
        for (guint k = 0; k < row->len; k++) {
            const char *text = row->pdata[k];
            size_t own = (size_t)g_utf8_strlen(text, -1), width = column_width(table, k);
            int pad = width > own ? (int)(width - own) : 0;
            if (k < left)
                fprintf(out, "%s%s%*s", k ? "  " : "", text, k + 1 < row->len ? pad : 0, "");
            else
                fprintf(out, "  %*s%s", row->len > 2 ? pad : 0, "", text);
        }
        fputc('\n', out);
    }
}

/* ---- times ---- */

static double time_unit(double scale, const char **unit)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t k = 0;
    while (k + 1 < G_N_ELEMENTS(units) && !(scale >= units[k].seconds))
        k++;
    if (!isfinite(scale) || !(scale > 0.0))
        k = 2;
    *unit = units[k].name;
    return units[k].seconds;
}

/** A format with enough digits for a column whose smallest number is 1. */
static const char *digits_for(double value)
{
    return fabs(value) < 10.0    ? "%.3f"
           : fabs(value) < 100.0 ? "%.2f"
           : fabs(value) < 1e4   ? "%.1f"
                                 : "%.0f";
}

static void put_time(GPtrArray *t, double time, double unit)
{
    add_number(t, digits_for(time / unit), time / unit);
}

static void put_spread(GPtrArray *t, const scree_spread *spread, double unit)
{
    char low[64], high[64];
    g_ascii_formatd(low, sizeof low, digits_for(spread->q1 / unit), spread->q1 / unit);
    g_ascii_formatd(high, sizeof high, digits_for(spread->q3 / unit), spread->q3 / unit);
    add_cell(t, "%s..%s", low, high);
}

/* ---- the table of a group ---- */

/** Units of the columns, and the times that the ratios refer to. */
typedef struct columns {
    double best[SCREE_METRICS], unit[SCREE_METRICS];
} columns;

/** The path with its values in the first column; "": each name has its path. */
static const char *name_column(const scree_comparison *c)
{
    const char *path = "";
    guint n = c->named->len > 0;
    for (guint a = 0; a < c->axes->len; a++)
        if (!c->splits[a]) {
            path = scree_comparison_axis(c, a)->path;
            n++;
        }
    return n == 1 && !c->named->len ? path : "";
}

static void put_header(GPtrArray *t, const scree_comparison *c, guint group, columns *k)
{
    static const char *const names[] = {"GCD", "+resolver", "step"};
    const char *unit;
    add_row(t);
    add_cell(t, "%s", name_column(c));
    for (int m = 0; m <= SCREE_METRIC_STEP; m++) {
        k->best[m] = scree_group_best(c, group, (scree_metric)m);
        k->unit[m] = time_unit(k->best[m], &unit);
        add_cell(t, "%s %s", names[m], unit);
        if (m != SCREE_METRIC_CONTACT)
            add_cell(t, "quartiles");
        add_cell(t, "ratio");
    }
    add_cell(t, "init");
    add_cell(t, "accuracy");
    add_cell(t, "B/box");
    add_cell(t, "state");
}

static void put_troubled(GPtrArray *t, const scree_comparison *c, const scree_variant *v)
{
    switch (v->outcome) {
    case SCREE_OUTCOME_FAILED:
        add_cell(t, "failed: %s", v->message);
        break;
    case SCREE_OUTCOME_SLOW:
        add_cell(t, "> %g s", c->limit);
        break;
    case SCREE_OUTCOME_LEFT_OUT:
        add_cell(t, "left out: %s", v->message);
        break;
    default:
        add_cell(t, "not measured");
    }
}

static double report_real(const scree_variant *v, const char *name)
{
    JsonNode *node =
        v->report ? json_object_get_member(json_node_get_object(v->report), name) : NULL;
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : (double)NAN;
}

static void put_variant_row(GPtrArray *t, const scree_comparison *c, const scree_variant *v,
                            const columns *k)
{
    add_row(t);
    add_cell(t, "%s", v->short_label);
    if (v->outcome != SCREE_OUTCOME_OK || !v->samples->len) {
        put_troubled(t, c, v);
        return;
    }
    for (int m = 0; m <= SCREE_METRIC_STEP; m++) {
        put_time(t, v->spread[m].median, k->unit[m]);
        if (m != SCREE_METRIC_CONTACT)
            put_spread(t, &v->spread[m], k->unit[m]);
        add_number(t, "%.2f", v->spread[m].median / k->best[m]);
    }
    double init = v->spread[SCREE_METRIC_STEP_INIT].median,
           gcd = v->spread[SCREE_METRIC_GCD].median;
    if (gcd > 0.0)
        add_cell(t, "%.0f %%", 100.0 * init / gcd);
    else
        add_cell(t, "-");
    add_number(t, "%.3f", report_real(v, "accuracy"));
    add_number(t, "%.0f", v->bytes_per_box);
    add_cell(t, "%.8s%s", v->state_sha256, v->disagrees ? "!" : "");
}

/** The settings that the variants of a group share: "integrator.count = 400; 400 bodies". New
 * string. */
static char *task_text(const scree_comparison *c, guint group)
{
    const scree_variant *v = NULL;
    GString *text = g_string_new(NULL);
    for (guint i = 0; !v || v->group != group; i++)
        v = scree_comparison_variant(c, i);
    for (guint a = 0; a < c->axes->len; a++) {
        const scree_axis *axis = scree_comparison_axis(c, a);
        if (c->splits[a])
            g_string_append_printf(text, "%s%s = %s", text->len ? ", " : "", axis->path,
                                   (char *)axis->values->pdata[v->at[a]]);
    }
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *w = scree_comparison_variant(c, i);
        double bodies = report_real(w, "bodies");
        if (w->group != group || !isfinite(bodies) ||
            (!text->len && c->variants->len > 1 && c->axes->len == 1 && c->tasks[0]))
            continue;
        g_string_append_printf(text, "%s%.0f bodies", text->len ? "; " : "", bodies);
        break;
    }
    return g_string_free(text, FALSE);
}

/** Rows of texts (GPtrArray of GPtrArray of char *); titles first. A row of two has a name and an
 * outcome. */
static GPtrArray *make_table(const scree_comparison *c, guint group)
{
    columns k;
    GPtrArray *table = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GArray) order = scree_group_order(c, group);
    put_header(table, c, group, &k);
    for (guint i = 0; i < order->len; i++)
        put_variant_row(table, c, scree_comparison_variant(c, g_array_index(order, guint, i)), &k);
    return table;
}

static void print_group(const scree_comparison *c, guint group, FILE *out)
{
    g_autofree char *task = task_text(c, group);
    g_autoptr(GPtrArray) table = make_table(c, group);
    fprintf(out, "\n%s%s", task, *task ? "\n" : "");
    print_table(table, 1, out);
}

static bool varies_threads(const scree_comparison *c)
{
    for (guint a = 0; a < c->axes->len; a++)
        if (g_str_equal(scree_comparison_axis(c, a)->path, SCREE_VARY_THREADS))
            return true;
    return false;
}

/** Returns the most ranks of a variant; *alike: all have as many. */
static guint most_ranks(const scree_comparison *c, bool *alike)
{
    guint most = 1, least = G_MAXUINT;
    for (guint i = 0; i < c->variants->len; i++) {
        most = MAX(most, scree_comparison_variant(c, i)->ranks);
        least = MIN(least, scree_comparison_variant(c, i)->ranks);
    }
    *alike = least == most;
    return most;
}

static void print_head(const scree_comparison *c, FILE *out)
{
    bool alike;
    const guint ranks = most_ranks(c, &alike);
    fprintf(out,
            "%s: %u variants, medians of %u of %u repeats of %" PRIu64 " steps after %" PRIu64
            " of warm-up, %s%u thread%s",
            c->title, c->variants->len, c->rounds, c->repeats, c->steps, c->warmup,
            varies_threads(c) ? "up to " : "", c->threads, c->threads == 1 ? "" : "s");
    if (ranks > 1)
        fprintf(out, " on each of %s%u ranks", alike ? "" : "up to ", ranks);
    for (guint i = 0; c->cpus && i < c->n_cpus; i++)
        fprintf(out, "%s%d", i ? "," : ", pinned to CPU ", c->cpus[i]);
    fputs(
        "\ntimes are per step, quartiles are Q1..Q3; GCD: only contact detection; +resolver: with "
        "extents, ordering and\nresolution; init: share of step_init in GCD; accuracy: overlapping "
        "tight boxes / committed pairs\n",
        out);
    if (ranks > 1)
        fputs("on several ranks GCD, +resolver, init and B/box are those of rank 0\n", out);
}

/* ---- growth ---- */

static void put_growth_head(GPtrArray *t, const scree_comparison *c, const scree_series *s)
{
    const scree_axis *axis = scree_comparison_axis(c, s->axis);
    add_row(t);
    add_cell(t, "%s", "");
    add_cell(t, "%s", "");
    add_cell(t, "exponent");
    for (guint i = 0; i + 1 < axis->values->len; i++)
        add_cell(t, "%s-%s", (char *)axis->values->pdata[i], (char *)axis->values->pdata[i + 1]);
}

/** Adds a row for a series: its exponent, then exponents between neighbours. */
static void put_growth(GPtrArray *t, const scree_comparison *c, const scree_series *s)
{
    static const char *const names[] = {"GCD", "+resolver", "step"};
    const scree_axis *axis = scree_comparison_axis(c, s->axis);
    add_row(t);
    add_cell(t, "%s", s->label);
    add_cell(t, "%s", names[s->metric]);
    add_number(t, "%.2f", s->exponent);
    for (guint i = 0, k = 0; i + 1 < axis->values->len; i++) {
        while (k < s->x->len && g_array_index(s->x, double, k) < axis->number[i])
            k++;
        bool here = k + 1 < s->x->len && !(g_array_index(s->x, double, k) > axis->number[i]) &&
                    !(g_array_index(s->x, double, k + 1) > axis->number[i + 1]);
        add_number(t, "%.2f", here ? g_array_index(s->local, double, k) : (double)NAN);
    }
}

/** Rows for the growth with an axis; none when nothing grows. */
static GPtrArray *make_growth(const scree_comparison *c, guint axis)
{
    GPtrArray *table = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GPtrArray) all = scree_comparison_series(c);
    for (guint i = 0; i < all->len; i++) {
        const scree_series *s = all->pdata[i];
        if (s->axis != axis || isnan(s->exponent))
            continue;
        if (!table->len)
            put_growth_head(table, c, s);
        put_growth(table, c, s);
    }
    return table;
}

static void print_growth(const scree_comparison *c, FILE *out)
{
    for (guint a = 0; a < c->axes->len; a++) {
        g_autoptr(GPtrArray) table = make_growth(c, a);
        if (!table->len)
            continue;
        fprintf(out, "\ngrowth: time per step ~ (%s)^exponent, over all, then between neighbours\n",
                scree_comparison_axis(c, a)->path);
        print_table(table, 2, out);
    }
}

/* ---- the result ---- */

/** The settings of a variant with paths that begin with a key, but for the number of ranks. New
 * string. */
static char *settings_of(const scree_variant *v, const char *key)
{
    GString *text = g_string_new(NULL);
    const size_t n = strlen(key);
    for (guint i = 0; i < v->own->len; i++) {
        const char *one = v->own->pdata[i];
        if (g_str_has_prefix(one, key) && strchr(".=+", one[n]) &&
            !g_str_has_prefix(one, "domain.ranks="))
            g_string_append_printf(text, "%s\n", one);
    }
    return g_string_free(text, FALSE);
}

/** In what two variants with different states differ: "gcd, ranks". New string. */
static char *name_differences(const scree_variant *a, const scree_variant *b)
{
    GString *names = g_string_new(NULL);
    static const char *const keys[] = {"gcd", "domain"};
    for (size_t k = 0; k < G_N_ELEMENTS(keys); k++) {
        g_autofree char *one = settings_of(a, keys[k]), *other = settings_of(b, keys[k]);
        if (strcmp(one, other))
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", keys[k]);
    }
    if (a->ranks != b->ranks)
        g_string_append_printf(names, "%sranks", names->len ? ", " : "");
    if (a->threads != b->threads)
        g_string_append_printf(names, "%sthreads", names->len ? ", " : "");
    if (!names->len)
        g_string_append(names, "their turns");
    return g_string_free(names, FALSE);
}

static char *disagreement_text(const scree_comparison *c, const scree_disagreement *d)
{
    const scree_variant *odd = scree_comparison_variant(c, d->odd);
    const scree_variant *other = scree_comparison_variant(c, d->other);
    GString *text = g_string_new(NULL);
    g_autofree char *names = name_differences(odd, other);
    g_string_printf(
        text,
        "%s and %s differ only in %s and reach different states: state_sha256 %.16s and "
        "%.16s after step %" PRIu64 "; ",
        odd->label, other->label, names, odd->state_sha256, other->state_sha256,
        c->warmup + c->steps);
    if (d->found)
        g_string_append_printf(text, "the first step at which they differ: %" PRIu64 "%s", d->step,
                               d->step ? "" : " (the start)");
    else
        g_string_append_printf(text, "the first step at which they differ was not found: %s",
                               d->why);
    return g_string_free(text, FALSE);
}

/** Names of variants that may be as fast: their quartiles overlap those of the fastest. New
 * string. */
static char *name_rivals(const scree_comparison *c, const scree_variant *best)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < c->variants->len; i++) {
        const scree_variant *v = scree_comparison_variant(c, i);
        if (v != best && v->group == best->group && scree_variant_is_sound(v) &&
            v->spread[c->by].q1 <= best->spread[c->by].q3)
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", v->short_label);
    }
    return g_string_free(names, FALSE);
}

/** "fastest: ..": the last line. New string. */
static char *verdict_text(const scree_comparison *c)
{
    scree_fastest best = scree_comparison_fastest(c);
    if (!best.variant)
        return g_strdup_printf("fastest: none, %s",
                               scree_comparison_is_blind(c)
                                   ? "no timed step called the contact detection"
                                   : "nothing was timed");
    GString *text = g_string_new(NULL);
    g_autofree char *rivals = name_rivals(c, best.variant);
    g_string_printf(text, "fastest: %s (by %s", best.variant->short_label,
                    scree_metric_titles[c->by]);
    if (c->n_groups > 1)
        g_string_append_printf(text, ", first in %u of %u tasks, mean ratio %.2f", best.wins,
                               best.groups, best.mean_ratio);
    else if (*rivals)
        g_string_append_printf(text, "; the quartiles of %s overlap", rivals);
    g_string_append_printf(text, "): %s", best.variant->paste);
    return g_string_free(text, FALSE);
}

void scree_comparison_print(const scree_comparison *c, FILE *out)
{
    print_head(c, out);
    for (guint g = 0; g < c->n_groups; g++)
        print_group(c, g, out);
    print_growth(c, out);
    for (guint i = 0; i < c->disagreements->len; i++) {
        g_autofree char *text =
            disagreement_text(c, &g_array_index(c->disagreements, scree_disagreement, i));
        fprintf(out, "\nDISAGREE: %s\n", text);
    }
    if (c->stopped)
        fprintf(out, "\nstopped in round %u of %u\n", c->rounds + 1, c->repeats);
    g_autofree char *verdict = verdict_text(c);
    fprintf(out, "\n%s\n", verdict);
}
