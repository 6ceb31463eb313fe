// SPDX-License-Identifier: Apache-2.0
// Shared by the readers of a scene: vectors of its dimension, regions, named groups, columns.
#include "scene/scene_build.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/schema_hint.h"
#include "plugin/slot.h"

bool scree_build_vector(scree_build *b, scree_node *group, const char *key, const char *unit,
                        double out[3], unsigned flags)
{
    scree_node *node = scree_config_child(group, key);
    bool flat = b->scene->dimension == 2;
    bool two = flat && !(node && node->type == SCREE_NODE_LIST && node->children->len == 3);
    double v[3] = {0.0, 0.0, 0.0};
    if (!scree_config_vector(b->config, group, key, unit, two ? 2 : 3, v, flags))
        return false;
    if (flat && v[2] != 0.0) {
        scree_config_problem(b->config, node, "the third component is 0 in 2D");
        return false;
    }
    memcpy(out, v, sizeof v);
    return true;
}

bool scree_build_region(scree_build *b, scree_node *group, double min[3], double max[3])
{
    double lo[3], hi[3];
    bool have_lo = scree_build_vector(b, group, "min", "m", lo, SCREE_KEY_REQUIRED);
    bool have_hi = scree_build_vector(b, group, "max", "m", hi, SCREE_KEY_REQUIRED);
    scree_config_report_unknown(b->config, group, NULL);
    if (!have_lo || !have_hi)
        return false;
    for (uint32_t k = 0; k < b->scene->dimension; k++)
        if (!(hi[k] > lo[k])) {
            scree_config_problem(b->config, group,
                                 "expected max > min along %c, got min %g m and max %g m", "xyz"[k],
                                 lo[k], hi[k]);
            return false;
        }
    memcpy(min, lo, sizeof lo);
    memcpy(max, hi, sizeof hi);
    return true;
}

/** True for the settings of one thing instead of named groups of them. */
static bool lacks_names(const scree_node *node)
{
    static const char *const typical[] = {"plugin", "density", "radius", "position",
                                          "shape",  "type",    "method", "count"};
    for (size_t k = 0; k < G_N_ELEMENTS(typical); k++) {
        const scree_node *child = scree_node_find(node, typical[k]);
        if (child && (child->type != SCREE_NODE_GROUP))
            return true;
    }
    return false;
}

/** A problem: `at` should be named groups. */
static void want_named(scree_build *b, const scree_node *at, bool plugins)
{
    g_autofree char *shown = scree_node_show(at);
    if (plugins)
        scree_schema_want_named(b->config, at);
    else if (at->type == SCREE_NODE_GROUP)
        scree_config_problem(b->config, at,
                             "expected named groups, got settings; write %s = { NAME = { %s = "
                             "..; }; };",
                             at->name, ((scree_node *)at->children->pdata[0])->name);
    else
        scree_config_problem(b->config, at,
                             "expected named groups, %s = { NAME = { .. }; };, got %s", at->name,
                             shown);
}

/** A problem: `at` should be a group. */
static void want_group(scree_build *b, const scree_node *at, bool plugin)
{
    g_autofree char *shown = scree_node_show(at);
    if (plugin)
        scree_schema_want_plugin(b->config, at, false);
    else
        scree_config_problem(b->config, at, "expected a group { .. }, got %s", shown);
}

GPtrArray *scree_build_groups(scree_build *b, const char *key)
{
    scree_node *node = scree_config_child(b->config->root, key);
    const uint32_t kind = scree_slot_kind_of(key, strlen(key));
    bool plugins = kind && kind != SCREE_KIND_SHAPE; // a shape's `type` names its plugin
    bool lacking = node && node->type == SCREE_NODE_GROUP && lacks_names(node);
    if (!node)
        return NULL;
    GPtrArray *groups = g_ptr_array_new();
    if (node->type != SCREE_NODE_GROUP || lacking) {
        want_named(b, node, plugins);
        return groups;
    }
    for (uint32_t i = 0; i < node->children->len; i++) {
        scree_node *child =
            scree_config_child(node, ((scree_node *)node->children->pdata[i])->name);
        if (child->type == SCREE_NODE_GROUP)
            g_ptr_array_add(groups, child);
        else
            want_group(b, child, plugins);
    }
    return groups;
}

char **scree_build_columns(scree_build *b, scree_node *group)
{
    scree_node *list = scree_config_list(b->config, group, "columns");
    if (!list)
        return NULL;
    GPtrArray *names = g_ptr_array_new();
    for (uint32_t i = 0; i < list->children->len; i++) {
        const scree_node *word = list->children->pdata[i];
        if (word->type != SCREE_NODE_STRING)
            scree_config_problem(b->config, word, "a column is named by a string");
        else
            g_ptr_array_add(names, g_strdup(word->s));
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

char *scree_build_file(scree_build *b, scree_node *group, const char *key)
{
    g_autofree char *path = scree_config_path(b->config, group, key, 0);
    g_autofree char *bad = path ? scree_plain_refuse_name(path) : NULL;
    if (!path || (!bad && access(path, R_OK) == 0))
        return g_steal_pointer(&path);
    scree_config_problem(b->config, scree_config_child(group, key), "cannot read %s%s%s",
                         bad ? bad : path, bad ? "" : ": ", bad ? "" : g_strerror(errno));
    return NULL;
}

void scree_build_check_files(scree_build *b, const scree_choice_of *choice)
{
    for (uint32_t k = 0; k < choice->plugin->n_params; k++) {
        const scree_param *param = choice->plugin->params[k];
        if (param->flags & SCREE_PARAM_FILE)
            g_free(scree_build_file(b, choice->group, param->name));
    }
}
