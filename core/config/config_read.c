/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a scene's tree, checked; a problem names the value and the allowed ones. */
#include "config/config_read.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_tree.h"
#include "config/units.h"
#include "scree/params.h"

#define LONGEST_WORD 64
#define WHOLE_LIMIT 9007199254740992.0 /* 2^53: larger doubles do not represent all whole numbers */

/* --- showing ---------------------------------------------------------------------------------- */

/** The shortest decimal from which the same double is read. */
static char *show_real(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    for (int digits = 6; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, value);
        if (g_ascii_strtod(text, NULL) == value)
            break;
    }
    return g_strdup(text);
}

char *scree_node_show(const scree_node *node)
{
    if (node->type == SCREE_NODE_GROUP)
        return g_strdup("a group");
    if (node->type == SCREE_NODE_LIST)
        return g_strdup_printf("a list of %u", node->children->len);
    if (node->type == SCREE_NODE_BOOL)
        return g_strdup(node->i ? "true" : "false");
    if (node->type == SCREE_NODE_INT)
        return g_strdup_printf("%" G_GINT64_FORMAT, node->i);
    if (node->type == SCREE_NODE_REAL)
        return show_real(node->d);
    g_autofree char *start =
        g_utf8_substring(node->s, 0, MIN(g_utf8_strlen(node->s, -1), LONGEST_WORD));
    g_strdelimit(start, "\n\r\t", ' ');
    return g_strdup_printf("\"%s%s\"", start, strlen(start) < strlen(node->s) ? "..." : "");
}

static bool has_unit(const char *unit)
{
    return unit && *unit && strcmp(unit, "-") != 0;
}

/** "> 0 m/s", "0 <= value < 1"; NULL: no limits. */
static char *show_range(double min, double max, unsigned flags, const char *unit)
{
    const bool low = min > -HUGE_VAL, high = max < HUGE_VAL;
    const char *above = flags & SCREE_PARAM_MIN_OPEN ? ">" : ">=";
    const char *below = flags & SCREE_PARAM_MAX_OPEN ? "<" : "<=";
    const char *space = has_unit(unit) ? " " : "", *name = has_unit(unit) ? unit : "";
    g_autofree char *lower = show_real(min);
    g_autofree char *upper = show_real(max);
    if (low && high)
        return g_strdup_printf("%s %s value %s %s%s%s", lower,
                               flags & SCREE_PARAM_MIN_OPEN ? "<" : "<=", below, upper, space,
                               name);
    if (low)
        return g_strdup_printf("%s %s%s%s", above, lower, space, name);
    return high ? g_strdup_printf("%s %s%s%s", below, upper, space, name) : NULL;
}

bool scree_config_expected(scree_config *config, const scree_node *node, const char *expected)
{
    g_autofree char *shown = scree_node_show(node);
    return scree_config_problem(config, node, "expected %s, got %s", expected, shown);
}

int scree_config_name(scree_config *config, const scree_node *at, const char *what,
                      const char *const *names, uint32_t n)
{
    g_autofree const char **known = g_new0(const char *, n + 1);
    const bool word = at->type == SCREE_NODE_STRING;
    for (uint32_t k = 0; k < n; k++) {
        known[k] = names[k];
        if (word && !strcmp(names[k], at->s))
            return (int)k;
    }
    g_autofree char *expected = g_strdup_printf("the name of a %s in quotes", what);
    g_autofree char *hint = word ? scree_did_you_mean(at->s, known) : NULL;
    if (word)
        scree_config_problem(config, at, "no %s \"%s\"%s", what, at->s, hint);
    else
        scree_config_expected(config, at, expected);
    return -1;
}

/* --- nodes at hand ---------------------------------------------------------------------------- */

/** Converts a value to SI. False with a problem: it is not a number with the right unit. */
static bool convert_real(scree_config *config, const scree_node *node, const char *unit,
                         double *out)
{
    g_autoptr(GError) error = NULL;
    scree_unit factor;
    if (node->type == SCREE_NODE_STRING)
        return scree_quantity_parse(node->s, unit, out, &error) ||
               scree_config_problem(config, node, "%s", error->message);
    if (node->type != SCREE_NODE_REAL && node->type != SCREE_NODE_INT)
        return scree_config_expected(
            config, node, has_unit(unit) ? "a number, or text with its unit" : "a number");
    if (!scree_unit_parse(unit, &factor, &error))
        return scree_config_problem(config, node, "%s", error->message);
    *out = node->d * factor.factor;
    return isfinite(*out) || scree_config_problem(config, node, "overflows as a value in %s", unit);
}

bool scree_node_real(scree_config *config, const scree_node *node, const char *unit, double min,
                     double max, unsigned flags, double *out)
{
    double value;
    scree_unit factor;
    if (!convert_real(config, node, unit, &value))
        return false;
    const bool low = flags & SCREE_PARAM_MIN_OPEN ? value <= min : value < min;
    const bool high = flags & SCREE_PARAM_MAX_OPEN ? value >= max : value > max;
    if (!low && !high) {
        *out = value;
        return true;
    }
    /* Ranges are in SI; the message says so if the unit is another one. */
    const bool plain = scree_unit_parse(unit, &factor, NULL) && factor.factor == 1;
    g_autofree char *shown = scree_node_show(node);
    g_autofree char *range = show_range(min, max, flags, plain ? unit : NULL);
    return scree_config_problem(config, node, "expected %s%s, got %s", range, plain ? "" : " (SI)",
                                shown);
}

bool scree_node_int(scree_config *config, const scree_node *node, int64_t min, int64_t max,
                    int64_t *out)
{
    const bool real = node->type == SCREE_NODE_REAL;
    g_autofree char *shown = scree_node_show(node);
    if (!(real && node->d == floor(node->d)) && node->type != SCREE_NODE_INT)
        return scree_config_expected(config, node, "a whole number");
    if (real && fabs(node->d) > WHOLE_LIMIT)
        return scree_config_problem(config, node,
                                    "%s is too large for a whole number written as a real", shown);
    const int64_t value = real ? (int64_t)node->d : node->i;
    if (value >= min && value <= max) {
        *out = value;
        return true;
    }
    if (min > INT64_MIN && max < INT64_MAX)
        return scree_config_problem(
            config, node, "expected %" G_GINT64_FORMAT " <= value <= %" G_GINT64_FORMAT ", got %s",
            min, max, shown);
    return scree_config_problem(config, node, "expected %s %" G_GINT64_FORMAT ", got %s",
                                min > INT64_MIN ? ">=" : "<=", min > INT64_MIN ? min : max, shown);
}

/* --- keys of a group -------------------------------------------------------------------------- */

scree_node *scree_config_child(scree_node *group, const char *key)
{
    scree_node *child = scree_node_find(group, key);
    if (child) {
        child->known = true;
    } else if (group && group->type == SCREE_NODE_GROUP) {
        const char *name = g_intern_string(key);
        if (!group->missed)
            group->missed = g_ptr_array_new();
        if (!g_ptr_array_find(group->missed, name, NULL))
            g_ptr_array_add(group->missed, (gpointer)name);
    }
    return child;
}

/* --- unknown keys ----------------------------------------------------------------------------- */

/** All names that readers asked this group for, sorted, NULL-terminated. */
static GPtrArray *list_known(const scree_node *group)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint k = 0; k < group->children->len; k++) {
        const scree_node *child = g_ptr_array_index(group->children, k);
        if (child->known)
            g_ptr_array_add(names, child->name);
    }
    for (guint k = 0; group->missed && k < group->missed->len; k++)
        if (!scree_node_find(group, g_ptr_array_index(group->missed, k))) // it may have come later
            g_ptr_array_add(names, g_ptr_array_index(group->missed, k));
    g_ptr_array_sort(names, scree_compare_texts);
    g_ptr_array_add(names, NULL);
    return names;
}

char *scree_config_home(const scree_config *config, const scree_node *child, unsigned *n)
{
    *n = 0;
    return config->homes ? config->homes(child->name, child->parent->name, n) : g_strdup("");
}

void scree_config_report_unknown(scree_config *config, scree_node *group)
{
    if (!group || group->type != SCREE_NODE_GROUP)
        return;
    g_autoptr(GPtrArray) known = NULL;
    for (guint k = 0; k < group->children->len; k++) {
        const scree_node *child = g_ptr_array_index(group->children, k);
        if (child->known)
            continue;
        if (!known)
            known = list_known(group);
        const char *const *names = (const char *const *)known->pdata;
        const char *nearest = scree_nearest_word(child->name, names);
        if (nearest) {
            g_autofree char *hint = scree_did_you_mean(child->name, names);
            scree_config_found(config, group, nearest);
            scree_config_problem(config, child, "unknown key%s", hint);
            continue;
        }
        unsigned n;
        g_autofree char *all = g_strjoinv(", ", (char **)known->pdata);
        g_autofree char *home = scree_config_home(config, child, &n);
        const char *listed = *all ? all : "none";
        scree_config_problem(config, child, "unknown key%s%s%s",
                             n == 1 ? "" : "; known here: ", n == 1 ? "" : listed, home);
    }
}
