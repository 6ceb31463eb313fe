/* SPDX-License-Identifier: Apache-2.0 */
/* `scree-tools summary`: prints the table of a run from its summary.json, for `scree run`. */
#include "tools/look/cmd_summary.h"

#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "cli/cmd.h"
#include "plugin/events.h"
#include "scene/figure_names.h"

/* ---- values ---- */

/** Returns a number; NaN: it is null or missing (NULL). */
static double value_of(JsonNode *node)
{
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : (double)NAN;
}

static double real(JsonObject *from, const char *key)
{
    return value_of(json_object_get_member(from, key));
}

static int64_t whole(JsonObject *from, const char *key)
{
    return json_object_get_int_member_with_default(from, key, 0);
}

/** Returns a text; "": it is null or missing. */
static const char *word(JsonObject *from, const char *key)
{
    JsonNode *node = json_object_get_member(from, key);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : "";
}

static bool flag(JsonObject *from, const char *key)
{
    return json_object_get_boolean_member_with_default(from, key, FALSE);
}

/** Reads element k of a list, or of `key` in the object. */
static JsonObject *entry(JsonObject *from, const char *key, guint k)
{
    return json_array_get_object_element(json_object_get_array_member(from, key), k);
}

static guint count(JsonObject *from, const char *key)
{
    return json_array_get_length(json_object_get_array_member(from, key));
}

/** "(1, 2, 3)", with the format of a number; "nan" for null. New string. */
static char *vector(JsonObject *from, const char *key, guint n, const char *format)
{
    JsonArray *all = json_object_get_array_member(from, key);
    GString *line = g_string_new("(");
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint k = 0; k < n; k++) {
        const double value = value_of(json_array_get_element(all, k));
        g_string_append_printf(line, "%s%s", k ? ", " : "",
                               g_ascii_formatd(number, sizeof number, format, value));
    }
    g_string_append_c(line, ')');
    return g_string_free(line, FALSE);
}

/* ---- the state ---- */

static void print_head(JsonObject *o, FILE *out)
{
    g_autofree char *title = scree_plain(word(o, "title"), SCREE_PLAIN_MOST);
    fprintf(out, "scene         %s (%s, %" PRId64 "D)\n", title, word(o, "scene"),
            whole(o, "dimension"));
    fprintf(out,
            "bodies        %" PRId64 ": %" PRId64 " free, %" PRId64 " kinematic, %" PRId64
            " fixed\n",
            whole(o, "bodies"), whole(o, "free"), whole(o, "kinematic"), whole(o, "fixed"));
    fprintf(out, "steps         %" PRId64 " of dt = %.9g s, to t = %.9g s%s\n", whole(o, "steps"),
            real(o, "dt"), real(o, "time"), flag(o, "stopped") ? " (stopped early)" : "");
}

/** Prints a condition that has not come true. */
static void print_condition(JsonObject *c, FILE *out)
{
    const double held = real(c, "held_at_most");
    const bool seen = !isnan(real(c, "last_check"));
    fprintf(out, "%-13s %s: ", word(c, "of"), word(c, "when"));
    if (!seen)
        fprintf(out, "was never looked at: every %" PRId64 " steps", whole(c, "every"));
    else if (isnan(held))
        fputs("never held", out);
    else
        fprintf(out, "held for %.4g s at most, of %.4g s", held, real(c, "for"));
    const guint n = seen ? count(c, "last") : 0;
    for (guint t = 0; t < n; t++) {
        JsonObject *one = entry(c, "last", t);
        const double value = real(one, "value");
        fprintf(out, "%s %s", t ? "," : "; last", word(one, "quantity"));
        if (isnan(value))
            fputs(" has no value", out);
        else
            fprintf(out, " = %.4g", value);
    }
    putc('\n', out);
}

/** Prints a figure of the final state and its bodies; nothing if the figure has no meaning. */
static void print_figure(JsonObject *o, const scree_figure_row *row, FILE *out)
{
    const double value = real(o, row->name);
    g_autofree char *one = g_strconcat(row->name, "_body", NULL),
                    *two = g_strconcat(row->name, "_bodies", NULL);
    if (!row->title || isnan(value))
        return;
    fprintf(out, "%-13s %.4g %s", row->title, value, row->what);
    if (row->n_bodies == 1 && !isnan(real(o, one)))
        fprintf(out, ", of body %" PRId64, whole(o, one));
    if (row->n_bodies == 2 && count(o, two) == 2) {
        JsonArray *ids = json_object_get_array_member(o, two);
        fprintf(out, ", of bodies %" PRId64 " and %" PRId64, json_array_get_int_element(ids, 0),
                json_array_get_int_element(ids, 1));
    }
    putc('\n', out);
}

/** Prints the energy that moving walls gave to the run, and the energy turned into heat. */
static void print_powers(JsonObject *o, FILE *out)
{
    const double duration = real(o, "duration"), work = real(o, "wall_work"),
                 lost = real(o, "dissipated");
    if (!(duration > 0.0))
        return;
    if (whole(o, "kinematic"))
        fprintf(out, "wall work     %.6g J by moving walls, %.6g W on average over this run\n",
                work, work / duration);
    fprintf(out, "dissipated    %.6g J in contacts, %.6g W on average over this run\n", lost,
            lost / duration);
}

static void print_state(JsonObject *o, FILE *out)
{
    JsonNode *node = json_object_get_member(o, "ended_by");
    JsonObject *end = node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    if (end)
        fprintf(out, "ended by      stop[%" PRId64 "], %s, at step %" PRId64 "\n",
                whole(end, "stop"), word(end, "when"), whole(end, "step"));
    for (guint k = 0; k < count(o, "conditions"); k++)
        if (!flag(entry(o, "conditions", k), "came_true"))
            print_condition(entry(o, "conditions", k), out);
    for (uint32_t k = 0; scree_figure_at(k); k++)
        print_figure(o, scree_figure_at(k), out);
    print_powers(o, out);
}

static void print_account(JsonObject *o, FILE *out)
{
    JsonObject *e = json_object_get_object_member(o, "energy");
    g_autofree char *p = vector(o, "momentum", 3, "%.6g"),
                    *l = vector(o, "angular_momentum", 3, "%.6g");
    fprintf(out,
            "energy [J]    kinetic %.6g + gravity %.6g + stored %.6g + lost %.6g - work %.6g\n"
            "              = start %.6g + residual %.3g\n",
            real(e, "kinetic"), real(e, "gravity"), real(e, "stored"), real(e, "lost"),
            real(e, "work"), real(e, "start"), real(e, "residual"));
    fprintf(out, "momentum      %s kg m/s, angular %s kg m^2/s\n", p, l);
}

/* ---- the run ---- */

/** Returns what the ranks of the run have done; NULL: it has one. */
static JsonObject *work_of_ranks(JsonObject *o)
{
    return json_object_has_member(o, "rank_work") ? json_object_get_object_member(o, "rank_work")
                                                  : NULL;
}

static void print_ranks(JsonObject *o, FILE *out)
{
    JsonObject *work = work_of_ranks(o);
    if (!work)
        return;
    JsonObject *apart = json_object_get_object_member(o, "apart");
    const int64_t n = whole(apart, "exchanges");
    fprintf(out,
            "ranks         %" PRId64
            ", most work / mean %.3f, %.1f %% of their time in exchanges\n",
            whole(o, "ranks"), real(work, "imbalance"), 100.0 * real(work, "exchange_share"));
    if (n)
        fprintf(out, "ghosts        %.6g in each of %" PRId64 " exchanges, %.4g MB in all\n",
                real(apart, "ghosts") / (double)n, n, 1e-6 * real(apart, "ghost_bytes"));
    if (*word(apart, "lack"))
        fprintf(out, "together      all ranks move all bodies: %s\n", word(apart, "lack"));
}

static void print_speed(JsonObject *o, FILE *out)
{
    print_ranks(o, out);
    fprintf(out, "threads       %" PRId64 ", blocks %" PRId64 ", CPU level %s\n",
            whole(o, "threads"), whole(o, "blocks"), word(o, "cpu_level"));
    fprintf(out, "wall time     %.3f s, set-up %.3f s\n", real(o, "wall_s"), real(o, "setup_s"));
    fprintf(out, "speed         %.4g particle-steps/s (free bodies, only the step loop)\n",
            real(o, "particle_steps_per_s"));
}

static void print_phases(JsonObject *o, FILE *out)
{
    JsonObject *phases = json_object_get_object_member(o, "phases");
    JsonObject *work = work_of_ranks(o),
               *ratios = work ? json_object_get_object_member(work, "imbalances") : NULL;
    g_autoptr(GList) names = json_object_get_members(phases);
    double total = 0.0;
    for (const GList *at = names; at; at = at->next)
        total += real(phases, at->data);
    fprintf(out, "phases        seconds over threads     %%%s\n",
            work ? "   most / mean of ranks, up to the last step" : "");
    for (const GList *at = names; at; at = at->next) {
        const double ratio = ratios ? real(ratios, at->data) : (double)NAN;
        fprintf(out, "  %-11s %18.3f %7.1f", (const char *)at->data, real(phases, at->data),
                total > 0.0 ? 100.0 * real(phases, at->data) / total : 0.0);
        if (!isnan(ratio))
            fprintf(out, " %12.3f", ratio);
        putc('\n', out);
    }
}

static void print_contacts(JsonObject *o, FILE *out)
{
    fprintf(out, "gcd calls     %" PRId64 "\n", whole(o, "gcd_calls"));
    fprintf(out, "candidates    %.6g on average over the steps\n", real(o, "candidates"));
    fprintf(out, "contacts      %.6g on average over the steps, %" PRId64 " at the end\n",
            real(o, "contacts"), whole(o, "contacts_at_end"));
    if (!isnan(real(o, "bonds_at_end")))
        fprintf(out, "bonds         %" PRId64 " at the end\n", whole(o, "bonds_at_end"));
    if (whole(o, "destroyed"))
        fprintf(out, "destroyed     %" PRId64 " free bodies that left the region\n",
                whole(o, "destroyed"));
    if (whole(o, "outside"))
        fprintf(out,
                "outside       %" PRId64
                " free bodies are outside the region, whose boundary is open\n",
                whole(o, "outside"));
    if (!isnan(real(o, "accuracy")))
        fprintf(out, "accuracy      %.4g (overlapping tight boxes / committed pairs)\n",
                real(o, "accuracy"));
    fprintf(out, "peak memory   %.1f MiB\n", real(o, "peak_rss_bytes") / 1048576.0);
}

/** Appends a global field of a modifier: its name, its values, its unit. */
static void append_field(GString *line, const char *name, JsonNode *value, const char *unit)
{
    JsonArray *list = JSON_NODE_HOLDS_ARRAY(value) ? json_node_get_array(value) : NULL;
    const guint n = list ? json_array_get_length(list) : 1;
    g_string_append_printf(line, "%s%s", line->len ? ", " : "", name);
    for (guint k = 0; k < n; k++) {
        JsonNode *one = list ? json_array_get_element(list, k) : value;
        g_string_append_printf(line, " %.9g", value_of(one));
    }
    if (*unit)
        g_string_append_printf(line, " %s", unit);
}

/** Prints the global fields of modifiers. */
static void print_modifiers(JsonObject *o, FILE *out)
{
    const char *title = "modifiers";
    for (guint m = 0; m < count(o, "modifiers"); m++) {
        JsonObject *one = entry(o, "modifiers", m),
                   *fields = json_object_get_object_member(one, "fields"),
                   *units = json_object_get_object_member(one, "units");
        g_autoptr(GString) line = g_string_new(NULL);
        g_autoptr(GList) names = json_object_get_members(fields);
        for (const GList *at = names; at; at = at->next)
            append_field(line, at->data, json_object_get_member(fields, at->data),
                         word(units, at->data));
        if (!line->len)
            continue;
        fprintf(out, "%-13s %s: %s\n", title, word(one, "name"), line->str);
        title = "";
    }
}

/** Prints how often plugins have reported each event. */
static void print_events(JsonObject *o, FILE *out)
{
    JsonObject *events = json_object_get_object_member(o, "events");
    g_autoptr(GList) names = json_object_get_members(events);
    for (const GList *at = names; at; at = at->next)
        fprintf(out, "%s%s %" PRId64, at == names ? "events        " : ", ", (const char *)at->data,
                whole(events, at->data));
    if (names)
        fprintf(out, "%s\n", *word(o, "folder") ? " (" SCREE_EVENTS_FILE ")" : "");
}

/** Prints the warnings of the run, with their numbers. */
static void print_warnings(JsonObject *o, FILE *out)
{
    static const struct {
        const char *key, *what, *after, *of;
    } rows[] = {
        {"residual", "residual above 1 % of the exchanged energy", "", "the energy"},
        {"overlap", "overlap above 5 % of ", "", NULL},
        {"crossing", "a body crosses ", " in a step", NULL},
        {"critical_step", "dt above the critical step of the contacts", "", "the critical step"}};
    const char *title = "warnings";
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
        JsonObject *one = json_object_get_object_member(
            json_object_get_object_member(o, "warnings"), rows[k].key);
        if (!whole(one, "count"))
            continue;
        const char *size = word(one, "of");
        const char *of = rows[k].of               ? rows[k].of
                         : !rows[k].after[0]      ? word(one, "worst_of")
                         : strstr(size, "radius") ? "the radius"
                                                  : "that";
        fprintf(out, "%-13s %s%s%s: seen %" PRId64 " times, first at step %" PRId64, title,
                rows[k].what, size, rows[k].after, whole(one, "count"), whole(one, "first_step"));
        if (json_object_has_member(one, "body"))
            fprintf(out, ", body %" PRId64, whole(one, "body"));
        if (json_object_has_member(one, "other"))
            fprintf(out, " and %" PRId64, whole(one, "other"));
        fprintf(out, "; at most %.3g of %s", real(one, "worst"), of);
        if (json_object_has_member(one, "worst_body"))
            fprintf(out, ", of bodies %" PRId64 " (%s) and %" PRId64 " (%s) at step %" PRId64,
                    whole(one, "worst_body"), word(one, "worst_group"), whole(one, "worst_other"),
                    word(one, "worst_other_group"), whole(one, "worst_step"));
        putc('\n', out);
        title = "";
    }
}

/** Prints a refused swap, or each field that a swap has dropped. */
static void print_swap(JsonObject *swap, FILE *out)
{
    JsonArray *fields = json_object_get_array_member(swap, "fields");
    if (!flag(swap, "done"))
        fprintf(out, "%-13s step %" PRId64 " (%s): refused: %s\n", "", whole(swap, "step"),
                word(swap, "cause"), word(swap, "refused"));
    for (guint k = 0; k < json_array_get_length(fields); k++)
        if (strstr(json_array_get_string_element(fields, k), ": dropped"))
            fprintf(out, "%-13s step %" PRId64 ": %s\n", "", whole(swap, "step"),
                    json_array_get_string_element(fields, k));
}

static void print_swaps(JsonObject *o, FILE *out)
{
    const guint n = count(o, "swaps");
    JsonArray *idle = json_object_get_array_member(o, "never_acted"),
              *places = json_object_get_array_member(o, "never_acted_at");
    guint refused = 0;
    for (guint k = 0; k < n; k++)
        refused += !flag(entry(o, "swaps", k), "done");
    if (n)
        fprintf(out, "swaps         %u done, %u refused\n", n - refused, refused);
    for (guint k = 0; k < n; k++)
        print_swap(entry(o, "swaps", k), out);
    if (!isnan(real(o, "ended_by_entry")))
        fprintf(out, "%-13s the refusal of schedule[%" PRId64 "] has ended the run\n", "",
                whole(o, "ended_by_entry"));
    for (guint k = 0; k < json_array_get_length(idle); k++)
        fprintf(out, "%-13s the entry of %s never acted: %s\n", "",
                json_array_get_string_element(places, k), json_array_get_string_element(idle, k));
}

static void print_plugins(JsonObject *o, FILE *out)
{
    const guint n = count(o, "plugins");
    bool first = true;
    for (guint i = 0; i < n; i++) {
        JsonObject *one = entry(o, "plugins", i);
        fprintf(out, "%-13s %s/%s %s\n", i ? "" : "plugins", word(one, "kind"), word(one, "id"),
                word(one, "version"));
    }
    for (guint i = 0; i < n; i++) {
        g_auto(GStrv) lines = g_strsplit(word(entry(o, "plugins", i), "citation"), "\n", -1);
        for (char **line = lines; *line; line++) {
            if (!**line)
                continue;
            fprintf(out, "%-13s %s\n", first ? "cite" : "", *line);
            first = false;
        }
    }
}

static void print_table(JsonObject *o, FILE *out)
{
    print_head(o, out);
    print_state(o, out);
    print_account(o, out);
    print_speed(o, out);
    print_phases(o, out);
    print_contacts(o, out);
    print_modifiers(o, out);
    print_events(o, out);
    print_warnings(o, out);
    print_swaps(o, out);
    print_plugins(o, out);
    if (*word(o, "folder"))
        fprintf(out, "folder        %s\n", word(o, "folder"));
    fprintf(out, "state_sha256  %s\n", word(o, "state_sha256"));
}

int scree_cmd_summary(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    gsize n = 0;
    FILE *out = argc == 3 ? stderr : stdout;
    if (argc < 2 || argc > 3 || (argc == 3 && !g_str_equal(argv[2], "--json")))
        return scree_cmd_usage("summary", "expected summary.json, and --json after it where "
                                          "standard output is for JSON");
    g_autoptr(JsonNode) root =
        g_file_get_contents(argv[1], &text, &n, &error) ? scree_json_read(text, n, &error) : NULL;
    if (!root || !JSON_NODE_HOLDS_OBJECT(root))
        return scree_cmd_usage("summary", "%s: %s", argv[1],
                               error ? error->message : "expected an object");
    print_table(json_node_get_object(root), out);
    return fflush(out) == 0 && !ferror(out) ? SCREE_EXIT_OK : SCREE_EXIT_RUN; // the run reports it
}
