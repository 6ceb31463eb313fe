/* SPDX-License-Identifier: Apache-2.0 */
/* The key `stop` of a scene: conditions that end a run, read and checked. */
#include "scene/scene_stop.h"

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/scene_keys.h"
#include "scene/scene_terms.h"

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
    condition->path = g_strdup_printf("stop[%u]", b->scene->stop->len); // of one group, too
    condition->hold = keys.hold;
    condition->after = keys.after;
    g_ptr_array_add(b->scene->stop, condition);
}

static void free_condition(void *condition)
{
    scree_condition_free(condition);
}

void scree_build_stop(scree_build *b)
{
    scree_node *node = b->top->stop;
    const bool list = node && node->type == SCREE_NODE_LIST;
    const guint n = !node ? 0 : list ? node->children->len : 1;
    b->scene->stop = g_ptr_array_new_with_free_func(free_condition);
    for (guint k = 0; k < n; k++)
        read_stop(b, list ? node->children->pdata[k] : node);
    scree_build_terms(b);
}
