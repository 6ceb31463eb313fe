/* SPDX-License-Identifier: Apache-2.0 */
/* A scene whose axes have other names. */
#include "tools/check/route_axes.h"

#include <string.h>

#include "config/config_node.h"

bool scree_route_axes_can(const scree_plugin *plugin)
{
    for (uint32_t k = 0; k < plugin->n_params; k++)
        if (plugin->params[k]->type == SCREE_TYPE_RECIPE)
            return false;
    return plugin->dimensions & SCREE_DIMENSION_3;
}

/** Whether a text names axes: "xz". */
static bool names_axes(const char *text)
{
    return text && *text && strlen(text) <= 3 && strspn(text, "xyz") == strlen(text);
}

/** Turns the letters of a text that the scene owns. */
static void turn_letters(scree_route_axes axes, char *text)
{
    for (; names_axes(text) && *text; text++)
        *text = (char)('x' + scree_route_axes_of(axes, *text - 'x'));
}

/** Turns the values of a list, if it has three. */
static void turn_list(scree_route_axes axes, const scree_param *p, const void *at)
{
    const scree_reals *reals = at;
    const scree_ints *ints = at;
    if (p->type == SCREE_TYPE_REAL_ARRAY && reals->n == 3 && g_strcmp0(p->unit, "s")) {
        scree_route_axes_turn(axes, (double *)(uintptr_t)reals->v);
    } else if (p->type == SCREE_TYPE_INT_ARRAY && ints->n == 3) {
        int64_t *v = (int64_t *)(uintptr_t)ints->v;
        const int64_t old[3] = {v[0], v[1], v[2]};
        for (int k = 0; k < 3; k++)
            v[scree_route_axes_of(axes, k)] = old[k];
    }
}

/** The choice whose name is that of the next axis; `now` if it names no axis. */
static int32_t turn_choice(scree_route_axes axes, const scree_param *p, int32_t now)
{
    for (uint32_t k = 0; k < p->n_choices; k++) {
        const char *name = p->choices[k]->name;
        char next[2] = {0};
        if (p->choices[k]->value != now || !names_axes(name) || strlen(name) > 1)
            continue;
        *next = *name;
        turn_letters(axes, next);
        for (uint32_t l = 0; l < p->n_choices; l++)
            if (!strcmp(p->choices[l]->name, next))
                return (int32_t)p->choices[l]->value;
    }
    return now;
}

static void turn_param(scree_route_axes axes, const scree_param *p, void *at)
{
    const scree_zone *zone = p->type == SCREE_TYPE_ZONE ? *(const scree_zone *const *)at : NULL;
    if (zone) {
        const double *const each[] = {zone->lo, zone->hi, zone->a, zone->b};
        for (size_t k = 0; k < G_N_ELEMENTS(each); k++)
            scree_route_axes_turn(axes, (double *)(uintptr_t)each[k]);
    } else if (p->type == SCREE_TYPE_STRING) {
        if (*(const char **)at != p->string_default) // which belongs to the plugin
            turn_letters(axes, *(char **)at);
    } else if (p->type == SCREE_TYPE_CHOICE) {
        *(int32_t *)at = turn_choice(axes, p, *(int32_t *)at);
    } else {
        turn_list(axes, p, at);
    }
}

/** Turns the first three elements of a list, if it starts with as many values, and the lists in
 * it. */
static void turn_node(scree_route_axes axes, const scree_node *node)
{
    const guint n = node->children ? node->children->len : 0;
    bool values = node->type == SCREE_NODE_LIST && n >= 3;
    for (guint k = 0; k < n; k++) {
        const scree_node *child = node->children->pdata[k];
        turn_node(axes, child);
        values = values && (k >= 3 || !child->children);
    }
    if (!values)
        return;
    void **at = node->children->pdata, *const old[3] = {at[0], at[1], at[2]};
    for (int k = 0; k < 3; k++)
        at[scree_route_axes_of(axes, k)] = old[k];
}

void scree_route_axes_turn_group(scree_route_axes axes, const scree_plugin *plugin,
                                 const scree_node *group)
{
    for (uint32_t k = 0; k < plugin->n_params; k++) {
        const scree_param *p = plugin->params[k];
        const scree_node *node = scree_node_find(group, p->name);
        const bool texts = p->type == SCREE_TYPE_STRING || p->type == SCREE_TYPE_STRING_ARRAY;
        if (node && p->type != SCREE_TYPE_INT_ROWS && !texts) // numbers of corners stay
            turn_node(axes, node);
    }
}

void scree_route_axes_turn_plugin(scree_route_axes axes, const scree_choice_of *choice)
{
    const uint32_t n = choice ? choice->plugin->n_params : 0;
    for (uint32_t k = 0; k < n; k++)
        turn_param(axes, choice->plugin->params[k],
                   (char *)choice->config + choice->plugin->params[k]->offset);
}
