/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for people: a table per task, growth of times, who disagrees, who is fastest. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "compare.h"

/* ---- a table of texts ---- */

/** Rows of cells; a row with one cell alone is a line of its own after the first column. */
typedef struct grid {
    GPtrArray *rows; /* of GPtrArray of char * */
    guint left;      /* so many columns stand left, the others right */
} grid;

static void grid_init(grid *g, guint left)
{
    g->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g->left = left;
}

static void grid_row(grid *g)
{
    g_ptr_array_add(g->rows, g_ptr_array_new_with_free_func(g_free));
}

static void grid_cell(grid *g, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void grid_cell(grid *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(g->rows->pdata[g->rows->len - 1], g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/** A number, or "-" when there is none. */
static void grid_number(grid *g, const char *format, double value)
{
    char text[64];
    if (isfinite(value))
        grid_cell(g, "%s", g_ascii_formatd(text, sizeof text, format, value));
    else
        grid_cell(g, "-");
}

static size_t cell_width(const grid *g, guint column)
{
    size_t width = 0;
    for (guint r = 0; r < g->rows->len; r++) {
        const GPtrArray *row = g->rows->pdata[r];
        if (column < row->len && (column == 0 || row->len > 2))
            width = MAX(width, (size_t)g_utf8_strlen(row->pdata[column], -1));
    }
    return width;
}

static void grid_print(grid *g, FILE *out)
{
    for (guint r = 0; r < g->rows->len; r++) {
        const GPtrArray *row = g->rows->pdata[r];
        for (guint k = 0; k < row->len; k++) {
            const char *text = row->pdata[k];
            size_t own = (size_t)g_utf8_strlen(text, -1), width = cell_width(g, k);
            int pad = width > own ? (int)(width - own) : 0;
            if (k < g->left)
                fprintf(out, "%s%s%*s", k ? "  " : "", text, k + 1 < row->len ? pad : 0, "");
            else
                fprintf(out, "  %*s%s", row->len > 2 ? pad : 0, "", text);
        }
        fputc('\n', out);
    }
    g_ptr_array_unref(g->rows);
}

/* ---- times ---- */

double scree_time_unit(double scale, const char **unit)
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

/** Enough digits for a number whose column starts at 1. */
static const char *digits_for(double value)
{
    return fabs(value) < 10.0    ? "%.3f"
           : fabs(value) < 100.0 ? "%.2f"
           : fabs(value) < 1e4   ? "%.1f"
                                 : "%.0f";
}

static void put_time(grid *g, double time, double unit)
{
    grid_number(g, digits_for(time / unit), time / unit);
}

static void put_spread(grid *g, const scree_spread *spread, double unit)
{
    char low[64], high[64];
    g_ascii_formatd(low, sizeof low, digits_for(spread->q1 / unit), spread->q1 / unit);
    g_ascii_formatd(high, sizeof high, digits_for(spread->q3 / unit), spread->q3 / unit);
    grid_cell(g, "%s..%s", low, high);
}

/* ---- the table of a group ---- */

/** Units of the columns, and the times that ratios are against. */
typedef struct columns {
    double best[SCREE_METRICS], unit[SCREE_METRICS];
} columns;

static void put_header(grid *g, const scree_comparison *c, guint group, columns *k)
{
    static const char *const names[] = {"GCD", "+resolver", "step"};
    const char *unit;
    grid_row(g);
    grid_cell(g, "%s", "");
    for (int m = 0; m <= SCREE_METRIC_STEP; m++) {
        k->best[m] = scree_group_best(c, group, (scree_metric)m);
        k->unit[m] = scree_time_unit(k->best[m], &unit);
        grid_cell(g, "%s %s", names[m], unit);
        if (m != SCREE_METRIC_CONTACT)
            grid_cell(g, "quartiles");
        grid_cell(g, "ratio");
    }
    grid_cell(g, "init");
    grid_cell(g, "accuracy");
    grid_cell(g, "B/box");
    grid_cell(g, "state");
}

static void put_troubled(grid *g, const scree_comparison *c, const scree_variant *v)
{
    switch (v->outcome) {
    case SCREE_OUTCOME_FAILED:
        grid_cell(g, "failed: %s", v->message);
        break;
    case SCREE_OUTCOME_SLOW:
        grid_cell(g, "> %g s", c->limit);
        break;
    case SCREE_OUTCOME_LEFT_OUT:
        grid_cell(g, "left out: %s", v->message);
        break;
    default:
        grid_cell(g, "not measured");
    }
}

static double report_real(const scree_variant *v, const char *name)
{
    JsonNode *node =
        v->report ? json_object_get_member(json_node_get_object(v->report), name) : NULL;
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : (double)NAN;
}

static void put_variant(grid *g, const scree_comparison *c, const scree_variant *v,
                        const columns *k)
{
    grid_row(g);
    grid_cell(g, "%s", v->short_label);
    if (v->outcome != SCREE_OUTCOME_OK || !v->samples->len) {
        put_troubled(g, c, v);
        return;
    }
    for (int m = 0; m <= SCREE_METRIC_STEP; m++) {
        put_time(g, v->spread[m].median, k->unit[m]);
        if (m != SCREE_METRIC_CONTACT)
            put_spread(g, &v->spread[m], k->unit[m]);
        grid_number(g, "%.2f", v->spread[m].median / k->best[m]);
    }
    double init = v->spread[SCREE_METRIC_STEP_INIT].median,
           gcd = v->spread[SCREE_METRIC_GCD].median;
    if (gcd > 0.0)
        grid_cell(g, "%.0f %%", 100.0 * init / gcd);
    else
        grid_cell(g, "-");
    grid_number(g, "%.3f", report_real(v, "accuracy"));
    grid_number(g, "%.0f", v->bytes_per_box);
    grid_cell(g, "%.8s%s", v->state_sha256, v->disagrees ? "!" : "");
}

/** "integrator.count = 400, scene.dt = 1e-5": the task of a group. */
static void print_task(const scree_comparison *c, guint group, FILE *out)
{
    const scree_variant *v = NULL;
    for (guint i = 0; !v || v->group != group; i++)
        v = scree_comparison_variant(c, i);
    bool some = false;
    for (guint a = 0; a < c->axes->len; a++) {
        const scree_axis *axis = scree_comparison_axis(c, a);
        if (!c->splits[a])
            continue;
        fprintf(out, "%s%s = %s", some ? ", " : "", axis->path,
                (char *)axis->values->pdata[v->at[a]]);
        some = true;
    }
    double bodies = report_real(v, "bodies");
    if (isfinite(bodies))
        fprintf(out, "%s%.0f bodies", some ? "; " : "", bodies);
    if (some || isfinite(bodies))
        fputc('\n', out);
}

static void print_group(const scree_comparison *c, guint group, FILE *out)
{
    grid g;
    columns k;
    g_autoptr(GArray) order = scree_group_order(c, group);
    fputc('\n', out);
    print_task(c, group, out);
    grid_init(&g, 1);
    put_header(&g, c, group, &k);
    for (guint i = 0; i < order->len; i++)
        put_variant(&g, c, scree_comparison_variant(c, g_array_index(order, guint, i)), &k);
    grid_print(&g, out);
}

static void print_head(const scree_comparison *c, FILE *out)
{
    fprintf(out,
            "%s: %u variants, medians of %u of %u repeats of %" PRIu64 " steps after %" PRIu64
            " of warm-up, %u thread%s",
            c->title, c->variants->len, c->rounds, c->repeats, c->steps, c->warmup, c->threads,
            c->threads == 1 ? "" : "s");
    for (guint i = 0; c->cpus && i < c->threads; i++)
        fprintf(out, "%s%d", i ? "," : ", pinned to CPU ", c->cpus[i]);
    fputs(
        "\ntimes are per step, quartiles are Q1..Q3; GCD: contact detection alone; +resolver: with "
        "extents, ordering and\nresolution; init: share of step_init in GCD; accuracy: overlapping "
        "tight boxes / committed pairs\n",
        out);
}

/* ---- growth ---- */

static void put_growth_head(grid *g, const scree_comparison *c, const scree_series *s)
{
    const scree_axis *axis = scree_comparison_axis(c, s->axis);
    grid_row(g);
    grid_cell(g, "%s", "");
    grid_cell(g, "%s", "");
    grid_cell(g, "exponent");
    for (guint i = 0; i + 1 < axis->values->len; i++)
        grid_cell(g, "%s-%s", (char *)axis->values->pdata[i], (char *)axis->values->pdata[i + 1]);
}

/** Local powers below the neighbours that they are between. */
static void put_growth(grid *g, const scree_comparison *c, const scree_series *s)
{
    static const char *const names[] = {"GCD", "+resolver", "step"};
    const scree_axis *axis = scree_comparison_axis(c, s->axis);
    grid_row(g);
    grid_cell(g, "%s", s->label);
    grid_cell(g, "%s", names[s->metric]);
    grid_number(g, "%.2f", s->exponent);
    for (guint i = 0, k = 0; i + 1 < axis->values->len; i++) {
        while (k < s->x->len && g_array_index(s->x, double, k) < axis->number[i])
            k++;
        bool here = k + 1 < s->x->len && !(g_array_index(s->x, double, k) > axis->number[i]) &&
                    !(g_array_index(s->x, double, k + 1) > axis->number[i + 1]);
        grid_number(g, "%.2f", here ? g_array_index(s->local, double, k) : (double)NAN);
    }
}

static void print_growth(const scree_comparison *c, FILE *out)
{
    g_autoptr(GPtrArray) all = scree_comparison_series(c);
    for (guint a = 0; a < c->axes->len; a++) {
        grid g = {.rows = NULL};
        for (guint i = 0; i < all->len; i++) {
            const scree_series *s = all->pdata[i];
            if (s->axis != a || isnan(s->exponent))
                continue;
            if (!g.rows) {
                const char *path = scree_comparison_axis(c, a)->path;
                fprintf(out,
                        "\ngrowth: time per step ~ (%s)^exponent, over all, then between "
                        "neighbours\n",
                        path);
                grid_init(&g, 2);
                put_growth_head(&g, c, s);
            }
            put_growth(&g, c, s);
        }
        if (g.rows)
            grid_print(&g, out);
    }
}

/* ---- the end ---- */

static void print_disagreements(const scree_comparison *c, FILE *out)
{
    for (guint i = 0; i < c->disagreements->len; i++) {
        const scree_disagreement *d = &g_array_index(c->disagreements, scree_disagreement, i);
        const scree_variant *odd = scree_comparison_variant(c, d->odd);
        const scree_variant *other = scree_comparison_variant(c, d->other);
        fprintf(out,
                "\nDISAGREE: %s and %s differ in gcd alone, and come to state_sha256 %.16s and "
                "%.16s after step %" PRIu64 "\n",
                odd->label, other->label, odd->state_sha256, other->state_sha256,
                c->warmup + c->steps);
        if (d->found)
            fprintf(out, "          first step at which their states differ: %" PRIu64 "%s\n",
                    d->step, d->step ? "" : " (the start)");
        else
            fprintf(out, "          first step at which their states differ: not found: %s\n",
                    d->why);
    }
}

void scree_comparison_print(const scree_comparison *c, FILE *out)
{
    print_head(c, out);
    for (guint g = 0; g < c->n_groups; g++)
        print_group(c, g, out);
    print_growth(c, out);
    print_disagreements(c, out);
    if (c->stopped)
        fprintf(out, "\nstopped in round %u of %u\n", c->rounds + 1, c->repeats);
    scree_fastest best = scree_comparison_fastest(c);
    if (!best.variant) {
        fputs("\nfastest: none, nothing was timed\n", out);
        return;
    }
    fputs("\nfastest: ", out);
    if (c->n_groups > 1)
        fprintf(out,
                "%s (by %s, first in %u of %u tasks, mean ratio %.2f): ", best.variant->short_label,
                scree_metric_titles[c->by], best.wins, best.groups, best.mean_ratio);
    else
        fprintf(out, "%s (by %s): ", best.variant->short_label, scree_metric_titles[c->by]);
    fprintf(out, "%s\n", best.variant->paste);
}
