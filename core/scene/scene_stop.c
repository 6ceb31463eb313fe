/* SPDX-License-Identifier: Apache-2.0 */
/* The key `stop` of a scene: conditions that end a run, read and checked. */
#include "scene/scene_stop.h"

#include <math.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/scene_terms.h"

enum { CHECK_EVERY = 100 }; /* steps */

scree_condition *scree_build_condition(scree_build *b, scree_node *group)
{
    g_autoptr(GError) error = NULL;
    scree_node *node = scree_config_child(group, "when");
    const char *text = scree_config_string(b->config, group, "when", NULL, SCREE_KEY_REQUIRED);
    const uint64_t every =
        (uint64_t)scree_config_int(b->config, group, "every", CHECK_EVERY, 1, INT64_MAX, 0);
    GArray *terms = text ? scree_condition_parse(text, &error) : NULL;
    if (!terms) {
        if (text)
            scree_config_problem(b->config, node, "%s", error->message);
        return NULL;
    }
    scree_condition *condition = g_new0(scree_condition, 1);
    condition->text = g_strdup(text);
    condition->path = scree_node_path(group);
    condition->file = group->file;
    condition->line = group->line;
    condition->terms = terms;
    condition->every = every;
    return condition;
}

static double read_time(scree_build *b, scree_node *group, const char *key)
{
    return scree_config_real(b->config, group, key, "s", 0.0, 0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
}

static void read_stop(scree_build *b, scree_node *group)
{
    if (group->type != SCREE_NODE_GROUP) {
        scree_config_problem(b->config, group, "expected a group { when = \"..\"; for = \"..\"; }");
        return;
    }
    scree_condition *condition = scree_build_condition(b, group);
    const double hold = read_time(b, group, "for"), after = read_time(b, group, "after");
    if (!scree_config_child(group, "for") && !scree_config_child(group, "after"))
        scree_config_problem(b->config, group,
                             "expected `for` or `after`, got neither: a state at rest before it "
                             "moves would end the run at once");
    scree_config_report_unknown(b->config, group, NULL);
    if (!condition)
        return;
    g_free(condition->path);
    condition->path = g_strdup_printf("stop[%u]", b->scene->stop->len); // of one group, too
    condition->hold = hold;
    condition->after = after;
    g_ptr_array_add(b->scene->stop, condition);
}

static void free_condition(void *condition)
{
    scree_condition_free(condition);
}

static void read_all(scree_build *b, scree_node *node)
{
    if (node->type == SCREE_NODE_GROUP) {
        read_stop(b, node);
        return;
    }
    scree_node *list = scree_config_list(b->config, b->config->root, "stop");
    if (list)
        for (guint k = 0; k < list->children->len; k++)
            read_stop(b, list->children->pdata[k]);
}

void scree_build_stop(scree_build *b)
{
    scree_node *node = scree_config_child(b->config->root, "stop");
    b->scene->stop = g_ptr_array_new_with_free_func(free_condition);
    if (node)
        read_all(b, node);
    scree_build_terms(b);
}
