/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of `scree validate` about modifiers: a rate in rpm without its unit shows here. */
#include "tools/look/modifier_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_read.h"

static const double rpm = 2.0 * G_PI / 60.0; // [rad/s]

static void append_reals(GString *line, const scree_reals *all)
{
    for (uint64_t k = 0; k < all->n; k++)
        g_string_append_printf(line, "%s%.6g", k ? ", " : "(", all->v[k]);
    g_string_append(line, all->n ? ")" : "()");
}

static void append_strings(GString *line, const scree_strings *all)
{
    for (uint64_t k = 0; k < all->n; k++)
        g_string_append_printf(line, "%s%s", k ? ", " : "", all->v[k]);
}

/** Appends " NAME VALUE UNIT" of a parameter that is given. */
static void append_param(GString *line, const scree_choice_of *choice, const scree_param *param)
{
    const void *at = (const char *)choice->config + param->offset;
    const scree_node *node = scree_node_find(choice->group, param->name);
    const bool has_unit = param->unit && *param->unit && strcmp(param->unit, "-") != 0;
    g_autofree char *shown = scree_node_show(node);
    g_string_append_printf(line, ", %s ", param->name);
    if (param->type == SCREE_TYPE_REAL)
        g_string_append_printf(line, "%.6g", *(const double *)at);
    else if (param->type == SCREE_TYPE_REAL_ARRAY)
        append_reals(line, at);
    else if (param->type == SCREE_TYPE_STRING_ARRAY)
        append_strings(line, at);
    else
        g_string_append(line, node->type == SCREE_NODE_STRING ? node->s : shown);
    if (has_unit)
        g_string_append_printf(line, " %s", param->unit);
    if (has_unit && param->type == SCREE_TYPE_REAL && !strcmp(param->unit, "rad/s"))
        g_string_append_printf(line, " (%.4g rpm)", *(const double *)at / rpm);
}

void scree_print_modifiers(const scree_scene *s)
{
    for (guint i = 0; i < s->modifiers->len; i++) {
        const scree_timed_choice *timed = s->modifiers->pdata[i];
        const scree_choice_of *choice = timed->choice;
        g_autoptr(GString) line = g_string_new(choice->plugin->id);
        for (uint32_t p = 0; p < choice->plugin->n_params; p++) {
            const scree_param *param = choice->plugin->params[p];
            if (choice->group && scree_node_find(choice->group, param->name))
                append_param(line, choice, param);
        }
        printf("%-10s %s: %s\n", i ? "" : "modifiers", timed->name, line->str);
    }
}
