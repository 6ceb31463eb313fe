/* SPDX-License-Identifier: Apache-2.0 */
/* `bonds` of a force law in a scene: a list of pairs, pairs across a gap, contacts as they begin.
 */
#include "scene/scene_bonds.h"

#include <math.h>
#include <string.h>

#include "base/spelling.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/table.h"
#include "plugin/call.h"
#include "scene/bonds_rule.h"

enum { ID_A, ID_B, N_COLUMNS };
static const scree_column columns[N_COLUMNS] = {{"a", SCREE_COLUMN_ID, NULL},
                                                {"b", SCREE_COLUMN_ID, NULL}};

void scree_bond_rule_free(void *data)
{
    scree_bond_rule *rule = data;
    if (rule->pairs)
        g_array_unref(rule->pairs);
    g_free(rule->file);
    g_free(rule);
}

static int compare_pairs(const void *pa, const void *pb)
{
    const scree_bond_pair *a = pa, *b = pb;
    for (int k = 0; k < 2; k++)
        if (a->id[k] != b->id[k])
            return a->id[k] < b->id[k] ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/** Pairs that are there twice, whichever body comes first. */
static void check_twice(scree_build *b, const scree_node *at, const scree_bond_rule *rule)
{
    g_autoptr(GArray) sorted = g_array_copy(rule->pairs);
    for (guint k = 0; k < sorted->len; k++) {
        uint64_t *id = g_array_index(sorted, scree_bond_pair, k).id, first = id[0];
        if (id[0] > id[1]) {
            id[0] = id[1];
            id[1] = first;
        }
    }
    g_array_sort(sorted, compare_pairs);
    for (guint k = 1; k < sorted->len; k++) {
        const scree_bond_pair *one = &g_array_index(sorted, scree_bond_pair, k), *before = one - 1;
        if (one->id[0] == before->id[0] && one->id[1] == before->id[1])
            scree_config_problem(b->config, at,
                                 "%s:%u: the bond of bodies %" G_GUINT64_FORMAT
                                 " and %" G_GUINT64_FORMAT " is in line %u already",
                                 rule->file, one->line, one->id[0], one->id[1], before->line);
    }
}

static void read_bond_list(scree_build *b, scree_node *group, scree_bond_rule *rule)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    const scree_node *at = scree_config_child(group, "list");
    rule->file = scree_build_file(b, group, "list");
    rule->pairs = g_array_new(FALSE, FALSE, sizeof(scree_bond_pair));
    if (!rule->file)
        return;
    g_autoptr(scree_table) table =
        scree_table_load(rule->file, rule->file, columns, N_COLUMNS, NULL, problems);
    for (guint i = 0; i < problems->len; i++)
        scree_config_problem(b->config, NULL, "%s", (const char *)problems->pdata[i]);
    if (!table)
        return;
    int of_a = scree_table_column(table, "a"), of_b = scree_table_column(table, "b");
    if (of_a < 0 || of_b < 0) {
        scree_config_problem(b->config, at, "%s: expected the columns a and b, ids of bodies",
                             rule->file);
        return;
    }
    for (uint32_t row = 0; row < table->n_rows; row++) {
        scree_bond_pair one = {{scree_table_cell(table, row, (uint32_t)of_a).id,
                                scree_table_cell(table, row, (uint32_t)of_b).id},
                               scree_table_line(table, row)};
        g_array_append_val(rule->pairs, one);
    }
    check_twice(b, at, rule);
}

/** Number of a name, or SCREE_NONE with a problem. */
static uint32_t find_name(scree_build *b, const scree_node *at, const char *what,
                          const char *const *names, uint32_t n)
{
    g_autofree const char **known = g_new0(const char *, n + 1);
    if (at->type != SCREE_NODE_STRING) {
        scree_config_problem(b->config, at, "expected the name of a %s", what);
        return SCREE_NONE;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!strcmp(names[i], at->s))
            return i;
        known[i] = names[i];
    }
    g_autofree char *hint = scree_did_you_mean(at->s, known);
    scree_config_problem(b->config, at, "no %s \"%s\"%s", what, at->s, hint);
    return SCREE_NONE;
}

/** One or two names: of both bodies, or one of each. */
static void read_names(scree_build *b, scree_node *group, const char *key, const char *what,
                       const char *const *names, uint32_t n, uint32_t out[2])
{
    const scree_node *node = scree_config_child(group, key);
    out[0] = out[1] = SCREE_NONE;
    if (!node)
        return;
    bool list = node->type == SCREE_NODE_LIST;
    if (list && node->children->len != 1 && node->children->len != 2) {
        scree_config_problem(b->config, node, "expected one or two names, got %u",
                             node->children->len);
        return;
    }
    for (uint32_t k = 0; k < 2; k++)
        out[k] = find_name(b, list ? node->children->pdata[k % node->children->len] : node, what,
                           names, n);
}

static scree_bond_rule *read_rule(scree_build *b, scree_node *group)
{
    scree_bond_rule *rule = g_new0(scree_bond_rule, 1);
    scree_config *c = b->config;
    bool listed = scree_config_child(group, "list"), near = scree_config_child(group, "gap");
    bool touching = scree_config_bool(c, group, "touch", false);
    rule->how = listed ? SCREE_BONDS_LISTED : touching ? SCREE_BONDS_TOUCHING : SCREE_BONDS_NEAR;
    if (listed + near + touching != 1)
        scree_config_problem(c, group, "expected one of list, gap, touch = true; got %d",
                             listed + near + touching);
    if (listed)
        read_bond_list(b, group, rule);
    if (near)
        rule->gap = scree_config_real(c, group, "gap", "m", 0.0, -HUGE_VAL, HUGE_VAL, 0);
    rule->until = HUGE_VAL;
    if (touching) {
        rule->from = scree_config_real(c, group, "from", "s", 0.0, 0.0, HUGE_VAL, 0);
        rule->until = scree_config_real(c, group, "until", "s", HUGE_VAL, 0.0, HUGE_VAL, 0);
        if (!(rule->until > rule->from))
            scree_config_problem(c, group, "until = %g s is not after from = %g s: it bonds nobody",
                                 rule->until, rule->from);
    }
    if (!listed)
        read_names(b, group, "groups", "group", (const char *const *)b->scene->group_names->pdata,
                   b->scene->group_names->len, rule->group);
    if (!listed)
        read_names(b, group, "materials", "material", b->scene->materials.names,
                   b->scene->materials.n, rule->material);
    scree_config_report_unknown(c, group, NULL);
    return rule;
}

void scree_build_bonds(scree_build *b, scree_choice_of *choice)
{
    scree_node *node = choice->group ? scree_config_child(choice->group, "bonds") : NULL;
    if (!node)
        return;
    if (!scree_call_extension(choice->plugin, SCREE_EXTENSION_BONDS) ||
        !(choice->plugin->provides & SCREE_OUT_KEEP)) {
        scree_config_problem(b->config, node, "force/%s makes no bonds (it has no %s)",
                             choice->plugin->id, SCREE_EXTENSION_BONDS);
        return;
    }
    const bool list = node->type == SCREE_NODE_LIST;
    const guint n = list ? node->children->len : 1;
    choice->bonds = g_ptr_array_new_with_free_func(scree_bond_rule_free);
    for (guint i = 0; i < n; i++) {
        scree_node *group = list ? node->children->pdata[i] : node;
        if (group->type != SCREE_NODE_GROUP) {
            scree_config_problem(b->config, group, "expected a group such as { gap = \"1 um\"; }");
            continue;
        }
        group->known = true;
        g_ptr_array_add(choice->bonds, read_rule(b, group));
    }
}
