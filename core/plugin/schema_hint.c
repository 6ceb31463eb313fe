/* SPDX-License-Identifier: Apache-2.0 */
/* Hints for a scene that has a name, a list or a number instead of a plugin's group. */
#include "plugin/schema_hint.h"

#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"

/** The group that `node` probably means: { plugin = "grid"; }; new string, NULL: it names no
 * plugin. */
static char *group_of(const scree_node *node)
{
    const scree_node *plugin =
        node->type == SCREE_NODE_GROUP ? scree_node_find(node, "plugin") : node;
    if (!plugin || plugin->type != SCREE_NODE_STRING)
        return NULL;
    g_autofree char *id = scree_node_show(plugin);
    bool more = node->type == SCREE_NODE_GROUP && node->children->len > 1;
    return g_strdup_printf("{ plugin = %s; %s}", id, more ? ".. " : "");
}

/** The groups that the elements probably mean, separated by commas; NULL: one names no plugin. */
static char *groups_of(const scree_node *list)
{
    g_autoptr(GString) all = g_string_new(NULL);
    for (guint i = 0; i < list->children->len; i++) {
        g_autofree char *one = group_of(list->children->pdata[i]);
        if (!one)
            return NULL;
        g_string_append_printf(all, "%s%s", i ? ", " : "", one);
    }
    return all->len ? g_strdup(all->str) : NULL;
}

/** The value to write; NULL: it cannot be guessed. */
static char *value_of(const scree_node *node, bool many)
{
    bool list = node->type == SCREE_NODE_LIST;
    g_autofree char *groups = list ? groups_of(node) : group_of(node);
    if (!groups || (list && !many && node->children->len != 1))
        return NULL;
    return many ? g_strdup_printf("( %s )", groups) : g_steal_pointer(&groups);
}

static void report_hint(scree_config *config, const scree_node *at, const char *wanted,
                        const char *line)
{
    g_autofree char *shown = scree_node_show(at);
    if (at->type == SCREE_NODE_STRING && !strcmp(at->s, "off")) {
        scree_config_problem(
            config, at,
            "expected %s, got %s, which only modifiers and observers in "
            "the `set` of a `schedule` take, and groups of a `base`; elsewhere leave the "
            "key out",
            wanted, shown);
        return;
    }
    scree_config_problem(config, at, "expected %s, got %s%s%s", wanted, shown,
                         line ? "; write " : "", line ? line : "");
}

void scree_schema_want_plugin(scree_config *config, const scree_node *at, bool many)
{
    bool element = !at->name;
    g_autofree char *value = value_of(at, many && !element);
    g_autofree char *line =
        value && !element ? g_strdup_printf("%s = %s;", at->name, value) : g_strdup(value);
    report_hint(config, at, "a group { plugin = \"..\"; .. }", line);
}

void scree_schema_want_named(scree_config *config, const scree_node *at)
{
    bool list = at->type == SCREE_NODE_LIST;
    const scree_node *one = list && at->children->len ? at->children->pdata[0] : at;
    const scree_node *plugin = one->type == SCREE_NODE_GROUP ? scree_node_find(one, "plugin") : one;
    g_autofree char *group = group_of(one), *line = NULL;
    if (group && (!list || at->children->len == 1))
        line = g_strdup_printf("%s = { %s = %s; };", at->name, plugin->s, group);
    report_hint(config, at, "a group of named groups, NAME = { plugin = \"..\"; .. };", line);
}
