/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a scene, "kinetic < 1e-6 and time > 0.1 s": from text to terms; the key `stop`,
 * whose conditions end a run. */
#include "scene/scene_condition.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/units.h"
#include "plugin/call.h"
#include "scene/figure_names.h"
#include "scene/scene_keys.h"
#include "scene/scene_schedule.h"

/** Splits "OBSERVER.SCALAR"; whether they exist is checked when the observers are known. */
static bool split_scalar(const char *name, const char *dot, scree_term *term, GError **error)
{
    term->observer = g_strndup(name, (size_t)(dot - name));
    term->scalar = g_strdup(dot + 1);
    return (dot > name && dot[1]) ||
           scree_fail(error, SCREE_EXIT_USAGE, "expected OBSERVER.SCALAR, got \"%s\"", name);
}

static bool find_quantity(const char *name, scree_term *term, GError **error)
{
    const char *names[SCREE_MOST_FIGURES + 1] = {NULL}, *dot = strchr(name, '.');
    const int32_t found = scree_figure_find(name);
    if (dot)
        return split_scalar(name, dot, term, error);
    term->figure = (uint32_t)found;
    if (found >= 0)
        return true;
    for (uint32_t k = 0; scree_figure_at(k); k++)
        names[k] = scree_figure_at(k)->name;
    g_autofree char *hint = scree_did_you_mean(name, names);
    return scree_fail(error, SCREE_EXIT_USAGE, "expected a quantity, got \"%s\"%s", name, hint);
}

/** Reads "mean(NAME, TIME)" or "NAME", without spaces around it. */
static bool read_subject(const char *text, scree_term *term, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    term->window = 0.0;
    if (!g_str_has_prefix(text, "mean("))
        return find_quantity(text, term, error);
    const char *comma = strchr(text, ','), *end = strrchr(text, ')');
    if (!comma || !end || end[1] || end < comma)
        return scree_fail(error, SCREE_EXIT_USAGE, "expected mean(QUANTITY, TIME), got \"%s\"",
                          text);
    g_autofree char *name = g_strstrip(g_strndup(text + 5, (size_t)(comma - text) - 5));
    g_autofree char *time = g_strstrip(g_strndup(comma + 1, (size_t)(end - comma) - 1));
    if (!find_quantity(name, term, error))
        return false;
    if (!scree_quantity_parse(time, "s", &term->window, &wrong))
        return scree_fail(error, SCREE_EXIT_USAGE, "\"%s\": %s", text, wrong->message);
    return term->window > 0.0 ||
           scree_fail(error, SCREE_EXIT_USAGE, "\"%s\": expected a time above 0 s, got %s", text,
                      time);
}

static bool read_term(const char *text, scree_term *term, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    const size_t length = strcspn(text, "<>=");
    const char *subject = term->subject = g_strstrip(g_strndup(text, length));
    if (!read_subject(subject, term, error))
        return false;
    const char *at = text + length;
    if (*at != '<' && *at != '>')
        return scree_fail(error, SCREE_EXIT_USAGE, "'%s': expected one of < <= > >= after %s", text,
                          subject);
    term->less = *at++ == '<';
    term->or_equal = *at == '=';
    g_autofree char *number = g_strstrip(g_strdup(at + term->or_equal));
    if (term->observer) {
        char *unit;
        g_ascii_strtod(number, &unit);
        if (!scree_quantity_parse(number, unit, &term->value, NULL))
            term->value = (double)NAN; // reported with the observer's unit
        term->number = g_steal_pointer(&number);
        return true;
    }
    if (scree_quantity_parse(number, scree_figure_at(term->figure)->unit, &term->value, &wrong))
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE, "'%s': %s", text, wrong->message);
}

static void clear_term(void *data)
{
    scree_term *term = data;
    g_free(term->subject);
    g_free(term->observer);
    g_free(term->scalar);
    g_free(term->number);
}

/** Returns the word "and" or "or" at the beginning or end of a text; NULL: none. */
static const char *loose_word(const char *text)
{
    static const char *const words[][2] = {{"and", " and "}, {"or", " or "}};
    g_autofree char *inner = g_strstrip(g_strdup(text)), *wide = g_strconcat(" ", inner, " ", NULL);
    for (size_t k = 0; k < G_N_ELEMENTS(words); k++)
        if (g_str_has_prefix(wide, words[k][1]) || g_str_has_suffix(wide, words[k][1]))
            return words[k][0];
    return NULL;
}

/** Appends the terms of "a and b". */
static bool read_alternative(const char *text, uint32_t number, GArray *terms, GError **error)
{
    const char *loose = loose_word(text);
    if (loose)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "'%s': expected a condition on both sides of `%s`", text, loose);
    g_auto(GStrv) parts = g_strsplit(text, " and ", -1);
    if (!parts[0])
        return scree_fail(error, SCREE_EXIT_USAGE, "it is empty");
    for (char **part = parts; *part; part++) {
        const scree_term empty = {.alternative = number};
        g_array_append_val(terms, empty);
        if (!read_term(*part, &g_array_index(terms, scree_term, terms->len - 1), error))
            return false;
    }
    return true;
}

/** Appends the terms of a condition. */
static bool read_terms(const char *text, GArray *terms, GError **error)
{
    g_auto(GStrv) alternatives = g_strsplit(text, " or ", -1);
    for (uint32_t k = 0; alternatives[k]; k++)
        if (!read_alternative(alternatives[k], k, terms, error))
            return false;
    return terms->len || scree_fail(error, SCREE_EXIT_USAGE, "it is empty");
}

GArray *scree_condition_parse(const char *text, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GArray) terms = g_array_new(FALSE, FALSE, sizeof(scree_term));
    g_array_set_clear_func(terms, clear_term);
    if (read_terms(text, terms, &wrong))
        return g_steal_pointer(&terms);
    g_autoptr(GString) all = g_string_new(NULL);
    for (uint32_t k = 0; scree_figure_at(k); k++)
        g_string_append_printf(all, "%s%s", k ? ", " : "", scree_figure_at(k)->name);
    scree_fail(error, SCREE_EXIT_USAGE,
               "%s; a condition is a quantity (%s, or OBSERVER.SCALAR) or mean(QUANTITY, TIME), "
               "one of < <= > >=, and a number, like \"kinetic < 1e-6 and time > 0.1\"; several "
               "are joined by `and`, then by `or`",
               wrong->message, all->str);
    return NULL;
}

/** Returns whether no value is above the limit of `lower` and below that of `upper`. */
static bool excludes(const scree_term *lower, const scree_term *upper)
{
    const bool touch = lower->or_equal && upper->or_equal && lower->value <= upper->value;
    return !lower->less && upper->less && !strcmp(lower->subject, upper->subject) &&
           lower->value >= upper->value && !touch;
}

/** Whether a term asks for a value below 0 of a figure that has none. */
static bool is_negative(const scree_term *term)
{
    return !term->observer && term->less && scree_figure_at(term->figure)->positive &&
           (term->value < 0.0 || (!term->or_equal && term->value <= 0.0));
}

/** Returns whether a term asks for a later step or time [s]. No mean is above its last value. */
static bool is_out_of_reach(const scree_term *term, double step, double time)
{
    const double last = term->figure == (uint32_t)scree_figure_find("time")   ? time
                        : term->figure == (uint32_t)scree_figure_find("step") ? step
                                                                              : HUGE_VAL;
    return !term->observer && !term->less &&
           (term->value > last || (!term->or_equal && term->value >= last));
}

bool scree_condition_is_possible(const GArray *terms, double step, double time)
{
    const scree_term *all = (const scree_term *)(const void *)terms->data;
    bool any = false;
    for (uint32_t a = 0; a <= all[terms->len - 1].alternative; a++) {
        bool possible = true;
        for (guint i = 0; i < terms->len; i++)
            for (guint j = 0; j < terms->len && all[i].alternative == a; j++)
                possible = possible && !is_negative(&all[i]) &&
                           !is_out_of_reach(&all[i], step, time) &&
                           (all[j].alternative != a || !excludes(&all[i], &all[j]));
        any = any || possible;
    }
    return any;
}

uint64_t scree_condition_figures(const scree_condition *condition)
{
    uint64_t mask = 0;
    for (guint k = 0; k < condition->terms->len; k++) {
        const scree_term *term = &g_array_index(condition->terms, scree_term, k);
        if (!term->observer)
            mask |= (uint64_t)1 << term->figure;
    }
    return mask;
}

void scree_condition_free(scree_condition *condition)
{
    if (!condition)
        return;
    g_clear_pointer(&condition->terms, g_array_unref);
    g_free(condition->text);
    g_free(condition->path);
    g_free(condition);
}

/** Returns condition k: of the schedule's entries, then of `stop`; NULL: the entry has none. */
static const scree_condition *condition_at(const scree_scene *s, guint k)
{
    const guint n = s->schedule->len;
    return k < n ? ((const scree_schedule_entry *)s->schedule->pdata[k])->when
                 : s->stop->pdata[k - n];
}

/* ---- names of observers, when a scene is read ---- */

/** Adds a problem for a term whose observer is missing in the scene and its schedule, or has no
 * scalars. */
static void check_term(scree_build *b, const scree_condition *condition, const scree_term *term)
{
    const scree_scene *s = b->scene;
    const scree_node place = {.file = condition->file, .line = condition->line};
    const scree_timed_choice *found = NULL;
    g_autoptr(GString) those = g_string_new(NULL); // "flow, wall"
    bool gives = false;
    for (guint k = 0; k <= s->schedule->len; k++) {
        const GPtrArray *all = scree_scene_observers(s, k);
        const guint n = all ? all->len : 0;
        for (guint i = 0; i < n; i++) {
            const scree_timed_choice *one = all->pdata[i];
            const bool scalars =
                one->choice && scree_call_extension(one->choice->plugin, SCREE_EXTENSION_SCALARS);
            if (scalars)
                g_string_append_printf(those, "%s%s", those->len ? ", " : "", one->name);
            if (!one->choice || gives || strcmp(one->name, term->observer))
                continue;
            found = one;
            gives = scalars;
        }
    }
    if (found && !gives)
        scree_config_problem(b->config, &place,
                             "%s: '%s': observer/%s gives no scalars; observers that do: %s",
                             condition->path, term->subject, found->choice->plugin->id,
                             those->len ? those->str : "none");
    else if (!found)
        scree_config_problem(
            b->config, &place, "%s: '%s': observer \"%s\" is missing; observers with scalars: %s",
            condition->path, term->subject, term->observer, those->len ? those->str : "none");
}

/** Once `stop` and `schedule` were read: checks the terms about observers. */
static void check_terms(scree_build *b)
{
    const scree_scene *s = b->scene;
    for (guint k = 0; k < s->schedule->len + s->stop->len; k++) {
        const scree_condition *condition = condition_at(s, k);
        const guint n_terms = condition ? condition->terms->len : 0;
        for (guint t = 0; t < n_terms; t++) {
            const scree_term *term = &g_array_index(condition->terms, scree_term, t);
            if (term->observer)
                check_term(b, condition, term);
        }
    }
}

/* ---- the key `stop` ---- */

/** Adds the problem of a condition that never holds. */
static void report_impossible(scree_build *b, const scree_node *node, const GArray *terms)
{
    const char *negative = NULL;
    for (guint k = 0; k < terms->len; k++)
        if (is_negative(&g_array_index(terms, scree_term, k)))
            negative = g_array_index(terms, scree_term, k).subject;
    scree_config_problem(b->config, node, "'%s' never holds: %s%s", node->s,
                         negative ? negative : "it contradicts itself",
                         negative ? " is 0 or more" : "");
}

scree_condition *scree_build_condition(scree_build *b, scree_node *group)
{
    g_autoptr(GError) error = NULL;
    scree_when_keys keys = {.when = NULL};
    scree_build_keys(b, group, SCREE_KEYS_WHEN, &keys);
    const scree_node *node = scree_node_find(group, "when");
    const bool given = node && node->type == SCREE_NODE_STRING;
    GArray *terms = given ? scree_condition_parse(keys.when, &error) : NULL;
    if (!terms) {
        if (given)
            scree_config_problem(b->config, node, "%s", error->message);
        return NULL;
    }
    if (!scree_condition_is_possible(terms, HUGE_VAL, HUGE_VAL))
        report_impossible(b, node, terms);
    scree_condition *condition = g_new0(scree_condition, 1);
    condition->text = g_strdup(keys.when);
    condition->path = scree_node_path(group);
    condition->file = group->file;
    condition->line = group->line;
    condition->terms = terms;
    condition->every = (uint64_t)keys.every;
    return condition;
}

static void read_stop(scree_build *b, scree_node *group)
{
    scree_when_keys keys;
    if (group->type != SCREE_NODE_GROUP) {
        scree_config_expected(b->config, group, "a group { when = \"..\"; for = \"..\"; }");
        return;
    }
    scree_condition *condition = scree_build_condition(b, group);
    scree_build_group(b, group, SCREE_KEYS_STOP, &keys);
    if (!scree_node_find(group, "for") && !scree_node_find(group, "after"))
        scree_config_problem(b->config, group,
                             "expected `for` or `after`, got neither: a state at rest before it "
                             "moves would end the run at once");
    if (!condition)
        return;
    g_free(condition->path);
    condition->path = g_strdup_printf("stop[%u]", b->scene->stop->len); // also for a single group
    condition->hold = keys.hold;
    condition->after = keys.after;
    g_ptr_array_add(b->scene->stop, condition);
}

void scree_build_stop(scree_build *b)
{
    scree_node *node = b->top->stop;
    const guint n = scree_node_count(node);
    b->scene->stop = g_ptr_array_new_with_free_func((GDestroyNotify)scree_condition_free);
    for (guint k = 0; k < n; k++)
        read_stop(b, scree_node_at(node, k));
    check_terms(b);
}

/* ---- scalars of observers in a run ---- */

static bool fit_term(const scree_condition *condition, const scree_term *term,
                     const scree_instance *observer, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    uint32_t number;
    double limit;
    const scree_scalar *scalar = scree_scalars_find(observer, term->scalar, &number);
    if (scalar && scree_quantity_parse(term->number, scalar->unit, &limit, &wrong))
        return true;
    g_autofree char *all = scree_scalars_names(observer);
    g_auto(GStrv) names = g_strsplit(all, ", ", -1);
    g_autofree char *hint = scree_did_you_mean(term->scalar, (const char *const *)names);
    if (!scalar)
        scree_fail(&wrong, SCREE_EXIT_USAGE, "expected a scalar of %s (%s), got \"%s\"%s",
                   observer->slot, *all ? all : "it has none", term->scalar, hint);
    const scree_node at = {.file = condition->file ? condition->file : "--set",
                           .line = condition->line};
    g_autofree char *place = scree_node_place(&at);
    return scree_fail(error, SCREE_EXIT_USAGE, "%s: %s: '%s': %s", place, condition->path,
                      term->subject, wrong->message);
}

bool scree_terms_check(const scree_scene *s, const char *name, const scree_instance *observer,
                       GError **error)
{
    bool ok = true;
    for (guint k = 0; k < s->schedule->len + s->stop->len && ok; k++) {
        const scree_condition *condition = condition_at(s, k);
        const guint n_terms = condition ? condition->terms->len : 0;
        for (guint t = 0; t < n_terms && ok; t++) {
            const scree_term *term = &g_array_index(condition->terms, scree_term, t);
            ok = !term->observer || strcmp(term->observer, name) != 0 ||
                 fit_term(condition, term, observer, error);
        }
    }
    return ok;
}
