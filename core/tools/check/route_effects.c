/* SPDX-License-Identifier: Apache-2.0 */
/* Whether each number among the parameters changes a run. Each of them is tried with smaller and
 * larger values, the others as they are in each variant of the plugin. */
#include "tools/check/route_effects.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_report.h"
#include "tools/check/check_values.h"
#include "tools/check/route_leg.h"

enum { MOST = 64 };
static bool seen[MOST]; // of parameters, in their order

static bool is_tried(const scree_check *check, const scree_param *p)
{
    return p->type == SCREE_TYPE_REAL || p->type == SCREE_TYPE_PER_MATERIAL ||
                   p->type == SCREE_TYPE_PER_PAIR
               ? !scree_check_has_setting(check->settings, p)
               : false;
}

/** The value of a variant, or else the user's, the default or what the check makes up. */
static double value_of(const scree_route_scene *from, const scree_param *p)
{
    const scree_check *check = from->check;
    g_autofree char *value = scree_check_value(check, from->dimension, from->settings, p);
    g_autofree char *made_up = !value && p->flags & SCREE_PARAM_OPTIONAL
                                   ? scree_check_made_up(check, from->dimension, p)
                                   : NULL;
    return value     ? g_ascii_strtod(value, NULL)
           : made_up ? g_ascii_strtod(made_up + strlen(p->name) + 1, NULL)
                     : p->real_default;
}

/** Whether the plugin may have this value. */
static bool is_within(const scree_param *p, double x)
{
    return isfinite(x) && x > p->real_min && x < p->real_max;
}

static bool is_other(const scree_route_outcome *a, const scree_route_outcome *b)
{
    return strcmp(a->hash, b->hash) || a->residual[a->steps] != b->residual[b->steps];
}

static bool changes(const scree_route_scene *from, const scree_route_outcome *a,
                    const scree_param *p, double x)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_autoptr(GError) error = NULL;
    g_auto(scree_route_outcome) b = {.hash = NULL};
    g_ascii_formatd(number, sizeof number, "%.12e", x);
    g_autofree char *set =
        g_strdup_printf("%s.%s=%s", scree_route_scene_path(from->check->plugin), p->name, number);
    // A value may be refused, or blow the scene up: that is an effect, too.
    return !scree_route_travel(from, &(scree_route){.name = "with another value", .set = {set}}, &b,
                               &error) ||
           is_other(a, &b);
}

static void go(const scree_route_scene *from, const scree_route_outcome *a)
{
    static const int powers[] = {-2, 2, -8, 8, -20, 20};
    const scree_plugin *plugin = from->check->plugin;
    for (uint32_t k = 0; k < MIN(plugin->n_params, MOST); k++) {
        const scree_param *p = plugin->params[k];
        const double usual = value_of(from, p);
        for (size_t n = 0; n < G_N_ELEMENTS(powers) && is_tried(from->check, p) && !seen[k]; n++) {
            const double x = ldexp(usual, powers[n]);
            seen[k] = x != 0.0 && is_within(p, x) && changes(from, a, p, x);
        }
    }
}

/** Whether a list of names has this one. */
static bool lists(const GStrv names, const char *name)
{
    return g_strv_contains((const char *const *)names, name);
}

/** Fails unless each name is that of a number, or of a field of a modifier (check_modifier.c). */
static void judge_names(scree_check *check, const GStrv names)
{
    const bool judged = check->plugin->kind == SCREE_KIND_MODIFIER;
    const uint32_t n_fields = judged ? check->plugin->n_fields : 0;
    for (char **name = names; *name && **name; name++) {
        bool known = false;
        for (uint32_t k = 0; k < check->plugin->n_params; k++)
            known = known || (!strcmp(check->plugin->params[k]->name, *name) &&
                              is_tried(check, check->plugin->params[k]));
        for (uint32_t f = 0; f < n_fields; f++)
            known = known || !strcmp(check->plugin->fields[f]->name, *name);
        if (!known)
            scree_check_fail(check, "--idle: expected names of numbers%s, got \"%s\"",
                             judged ? " or fields" : "", *name);
    }
}

void scree_route_effects(scree_check *check)
{
    g_autoptr(GString) without = g_string_new(NULL);
    g_auto(GStrv) idle = g_strsplit(check->idle ? check->idle : "", ",", -1);
    if (!check->idle) {
        scree_check_skip(check,
                         "its scenes may not show all; --idle says which numbers they do not");
        return;
    }
    judge_names(check, idle);
    scree_route_go(check, &(scree_route_leg){.go = go, .made_up = true, .free = true});
    for (uint32_t k = 0; k < MIN(check->plugin->n_params, MOST); k++)
        if (is_tried(check, check->plugin->params[k]) && !seen[k] &&
            !lists(idle, check->plugin->params[k]->name))
            g_string_append_printf(without, "%s%s", without->len ? ", " : "",
                                   check->plugin->params[k]->name);
    if (without->len && !check->failed && !check->skipped)
        scree_check_fail(check, "whatever their values, runs are the same: %s", without->str);
}
