/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a comparison: one file of HTML with its tables and figures. */
#include "tools/compare/compare_html.h"

#include <inttypes.h>
#include <string.h>

#include "tools/compare/compare_machine.h"
#include "tools/compare/compare_table.h"

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
static const char style[] =
    "</title>\n<style>\n"
    "body { font: 15px/1.45 sans-serif; color: #222; background: #fff; margin: 2em auto; "
    "max-width: 78em; padding: 0 1em; }\n"
    "h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }\n"
    "pre { background: #f3f3f3; padding: 0.7em; overflow-x: auto; white-space: pre-wrap; }\n"
    "table { border-collapse: collapse; margin: 0.5em 0; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: 0.15em 0.7em; border-bottom: 1px solid #ddd; text-align: right; "
    "white-space: nowrap; }\n"
    "th:first-child, td:first-child, td.left, th.left { text-align: left; }\n"
    "td.message { text-align: left; white-space: normal; color: #a00; }\n"
    "p.wrong { color: #a00; } img { max-width: 100%; }\n"
    "</style>\n</head>\n<body>\n";

/** Appends text, with each argument escaped. */
static void put(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void put(GString *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_markup_vprintf_escaped(format, arguments);
    va_end(arguments);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_string_append(out, valid);
}

/** The first `left` columns are names. */
static void put_table(GString *out, const GPtrArray *table, guint left)
{
    guint wide = table->len ? ((const GPtrArray *)table->pdata[0])->len : 0;
    g_string_append(out, "<table>\n");
    for (guint r = 0; r < table->len; r++) {
        const GPtrArray *row = table->pdata[r];
        const char *tag = r ? "td" : "th";
        g_string_append(out, "<tr>");
        for (guint k = 0; k < row->len; k++) {
            if (k == 1 && row->len == 2)
                put(out, "<td class=\"message\" colspan=\"%u\">%s</td>", wide - 1,
                    (const char *)row->pdata[k]);
            else
                put(out, "<%s%s>%s</%s>", tag, k && k < left ? " class=left" : "",
                    (const char *)row->pdata[k], tag);
        }
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</table>\n");
}

static void put_head(const scree_comparison *c, GString *out)
{
    g_autofree char *verdict = scree_comparison_verdict(c);
    g_string_append(out, page_head);
    put(out, "%s", c->title);
    g_string_append(out, style);
    put(out, "<h1>%s</h1>\n<p>%s</p>\n<pre>%s</pre>\n", c->title, verdict, c->command);
    put(out,
        "<p>%u variants; medians of %u of %u repeats of %" PRIu64 " steps after %" PRIu64
        " steps of warm-up, in turns, each in a process of its own.</p>\n",
        c->variants->len, c->rounds, c->repeats, c->steps, c->warmup);
    for (guint i = 0; i < c->disagreements->len; i++) {
        g_autofree char *text =
            scree_disagreement_text(c, &g_array_index(c->disagreements, scree_disagreement, i));
        put(out, "<p class=\"wrong\">%s</p>\n", text);
    }
    if (c->stopped)
        put(out, "<p class=\"wrong\">Stopped in round %u of %u.</p>\n", c->rounds + 1, c->repeats);
}

static void put_tables(const scree_comparison *c, GString *out)
{
    g_string_append(out, "<h2>Times per step</h2>\n"
                         "<p>GCD: only contact detection. +resolver: with extents, ordering of "
                         "pairs and resolution. Quartiles are Q1..Q3, ratios against the fastest. "
                         "init: share of step_init in GCD. accuracy: overlapping tight boxes per "
                         "committed pair. B/box: bytes that the GCD holds per box. state: start of "
                         "state_sha256.</p>\n");
    for (guint g = 0; g < c->n_groups; g++) {
        g_autofree char *task = scree_comparison_task(c, g);
        g_autoptr(GPtrArray) table = scree_comparison_table(c, g);
        if (*task)
            put(out, "<h3>%s</h3>\n", task);
        put_table(out, table, 1);
    }
    for (guint a = 0; a < c->axes->len; a++) {
        g_autoptr(GPtrArray) table = scree_comparison_growth(c, a);
        if (!table->len)
            continue;
        put(out,
            "<h2>Growth with %s</h2>\n<p>Time per step ~ number^exponent: least squares over all, "
            "then between neighbours.</p>\n",
            scree_comparison_axis(c, a)->path);
        put_table(out, table, 2);
    }
}

static bool put_figures(const char *folder, const GPtrArray *figures, GString *out, GError **error)
{
    if (!figures) {
        g_string_append(out,
                        "<p class=\"wrong\">There are no figures, because gnuplot failed or is not "
                        "installed.</p>\n");
        return true;
    }
    for (guint i = 0; i < figures->len; i++) {
        const char *name = figures->pdata[i];
        g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;
        gsize length;
        if (!g_file_get_contents(path, &text, &length, error))
            return false;
        g_autofree char *coded = g_base64_encode((const guchar *)text, length);
        put(out, "<p><img alt=\"%s\" src=\"data:image/svg+xml;base64,", name);
        g_string_append_printf(out, "%s\"></p>\n", coded);
    }
    return true;
}

char *scree_comparison_html(const scree_comparison *c, const char *folder, const GPtrArray *figures,
                            GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GPtrArray) facts = scree_comparison_machine(c);
    put_head(c, out);
    put_tables(c, out);
    g_string_append(out, "<h2>Figures</h2>\n");
    if (!put_figures(folder, figures, out, error))
        return NULL;
    g_string_append(out, "<h2>Machine</h2>\n<table>\n");
    for (guint i = 0; i < facts->len; i += 2)
        put(out, "<tr><td>%s</td><td class=\"left\">%s</td></tr>\n", (const char *)facts->pdata[i],
            (const char *)facts->pdata[i + 1]);
    g_string_append(out, "</table>\n");
    for (guint i = 0; i < c->left_out->len; i++)
        put(out, "<p>Left out: %s</p>\n", (const char *)c->left_out->pdata[i]);
    g_string_append(out, "</body>\n</html>\n");
    return g_strdup(out->str);
}
