/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a force law in a scene: `bonds` (a list of pairs, pairs across a gap, beginning contacts)
 * and `between` (types of shapes). */
#include "scene/scene_bonds.h"

#include <math.h>

#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/table.h"
#include "plugin/call.h"
#include "scene/bonds_rule.h"
#include "scene/scene_keys.h"

enum { ID_A, ID_B, N_COLUMNS };
static const scree_column columns[N_COLUMNS] = {{"a", SCREE_COLUMN_WHOLE, NULL},
                                                {"b", SCREE_COLUMN_WHOLE, NULL}};

static void free_rule(void *data)
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

/** Reports pairs that are given twice, in either order. */
static void check_twice(scree_build *b, const scree_bond_rule *rule)
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
            scree_config_problem(b->config, NULL,
                                 "%s:%u: bodies %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT
                                 " are bonded already, by line %u",
                                 rule->file, one->line, one->id[0], one->id[1], before->line);
    }
}

static void read_bond_list(scree_build *b, scree_node *group, const char *file,
                           scree_bond_rule *rule)
{
    const scree_node *at = scree_node_find(group, "list");
    rule->file = g_strdup(file);
    rule->pairs = g_array_new(FALSE, FALSE, sizeof(scree_bond_pair));
    g_autoptr(scree_table) table =
        file ? scree_build_table(b, group, "list", file, columns, N_COLUMNS, NULL) : NULL;
    if (!table)
        return;
    const scree_table_word *a = table->cells[ID_A], *other = table->cells[ID_B];
    if (!a || !other) {
        scree_config_problem(b->config, at, "%s: expected the columns a and b, ids of bodies",
                             rule->file);
        return;
    }
    for (uint32_t row = 0; row < table->n_rows; row++) {
        scree_bond_pair one = {{a[row].id, other[row].id}, table->lines[row]};
        g_array_append_val(rule->pairs, one);
    }
    check_twice(b, rule);
}

/** Reads one name for both bodies, or one name for each. */
static void read_names(scree_build *b, const scree_node *node, const char *what,
                       const char *const *names, uint32_t n, uint32_t out[2])
{
    out[0] = out[1] = SCREE_NONE;
    const guint given = scree_node_count(node);
    if (node && given != 1 && given != 2)
        scree_config_problem(b->config, node, "expected one or two names, got %u", given);
    else if (node)
        for (uint32_t k = 0; k < 2; k++) // -1 becomes SCREE_NONE
            out[k] = (uint32_t)scree_config_name(b->config, scree_node_at(node, k % given), what,
                                                 names, n);
}

static scree_bond_rule *read_rule(scree_build *b, scree_node *group)
{
    scree_bond_rule *rule = g_new0(scree_bond_rule, 1);
    scree_bond_keys keys = {.list = NULL};
    scree_config *c = b->config;
    scree_build_keys(b, group, SCREE_KEYS_BONDS, &keys);
    bool listed = scree_node_find(group, "list"), near = scree_node_find(group, "gap");
    bool touching = keys.touch;
    rule->how = listed ? SCREE_BONDS_LISTED : touching ? SCREE_BONDS_TOUCHING : SCREE_BONDS_NEAR;
    rule->gap = keys.gap;
    rule->until = HUGE_VAL;
    if (listed + near + touching != 1)
        scree_config_problem(c, group, "expected one of list, gap, touch = true; got %d",
                             listed + near + touching);
    if (touching) {
        scree_build_keys(b, group, SCREE_KEYS_TOUCH, &keys);
        rule->from = keys.from;
        rule->until = keys.until;
        if (!(rule->until > rule->from))
            scree_config_problem(c, group, "until = %g s is not after from = %g s: it bonds nobody",
                                 rule->until, rule->from);
    }
    if (listed) {
        read_bond_list(b, group, keys.list, rule);
    } else {
        const scree_scene *s = b->scene;
        scree_build_keys(b, group, SCREE_KEYS_BONDED, &keys);
        read_names(b, keys.groups, "group", (const char *const *)s->group_names->pdata,
                   s->group_names->len, rule->group);
        read_names(b, keys.materials, "material", s->materials.names, s->materials.n,
                   rule->material);
    }
    scree_config_report_unknown(c, group);
    return rule;
}

static bool makes_bonds(const scree_choice_of *choice)
{
    return scree_call_extension(choice->plugin, SCREE_EXTENSION_BONDS) &&
           choice->plugin->provides & SCREE_OUT_KEEP;
}

void scree_build_source_bonds(scree_build *b)
{
    const GPtrArray *forces = b->scene->forces;
    if (!b->bonds)
        return;
    guint f = 0;
    while (f < forces->len && !makes_bonds(forces->pdata[f]))
        f++;
    if (f == forces->len) {
        scree_config_problem(b->config, b->bonds_at,
                             "its source bonds %u pairs of bodies, and no force law of the scene "
                             "makes bonds (has %s)",
                             b->bonds->len, SCREE_EXTENSION_BONDS);
        g_clear_pointer(&b->bonds, g_array_unref);
        return;
    }
    scree_choice_of *choice = forces->pdata[f];
    scree_bond_rule *rule = g_new0(scree_bond_rule, 1);
    rule->how = SCREE_BONDS_LISTED;
    rule->file = g_strdup(b->bonds_at->file ? b->bonds_at->file : "an override");
    rule->pairs = g_steal_pointer(&b->bonds);
    check_twice(b, rule);
    if (!choice->bonds)
        choice->bonds = g_ptr_array_new_with_free_func(free_rule);
    g_ptr_array_add(choice->bonds, rule);
}

void scree_build_bonds(scree_build *b, scree_node *node, scree_choice_of *choice)
{
    if (!node)
        return;
    if (!makes_bonds(choice)) {
        scree_config_problem(b->config, node, "force/%s makes no bonds (it has no %s)",
                             choice->plugin->id, SCREE_EXTENSION_BONDS);
        return;
    }
    const guint n = scree_node_count(node);
    choice->bonds = g_ptr_array_new_with_free_func(free_rule);
    for (guint i = 0; i < n; i++) {
        scree_node *group = scree_node_at(node, i);
        if (group->type != SCREE_NODE_GROUP) {
            scree_config_expected(b->config, group, "a group such as { gap = \"1 um\"; }");
            continue;
        }
        group->known = true;
        g_ptr_array_add(choice->bonds, read_rule(b, group));
    }
}

/* ---- `between` ---- */

/** Reads the code of a type by its name. False with a problem: the scene has no such type. */
static bool read_type(scree_build *b, scree_node *word, uint32_t *code)
{
    const GPtrArray *types = b->scene->shape_types;
    if (word->type != SCREE_NODE_STRING) {
        scree_config_expected(b->config, word, "the name of a type of shapes");
        return false;
    }
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint k = 0; k < types->len; k++) {
        const scree_shape_type *type = types->pdata[k];
        *code = k;
        if (g_str_equal(type->name, word->s))
            return true;
        g_ptr_array_add(names, (char *)type->name);
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    g_autofree char *hint = scree_did_you_mean(word->s, (const char *const *)names->pdata);
    scree_config_problem(b->config, word,
                         "expected a type of the shapes of this scene (%s), got \"%s\"%s", all,
                         word->s, hint);
    return false;
}

static bool is_words(const scree_node *node)
{
    return node->type == SCREE_NODE_LIST && node->children->len &&
           ((const scree_node *)node->children->pdata[0])->type == SCREE_NODE_STRING;
}

static void read_pair(scree_build *b, scree_node *node, GArray *between)
{
    scree_pair pair;
    if (node->type != SCREE_NODE_LIST || node->children->len != 2) {
        scree_config_expected(b->config, node, "a pair of types such as [\"sphere\", \"mesh\"]");
        return;
    }
    if (!read_type(b, node->children->pdata[0], &pair.a) ||
        !read_type(b, node->children->pdata[1], &pair.b))
        return;
    if (pair.a > pair.b)
        pair = (scree_pair){pair.b, pair.a};
    for (guint k = 0; k < between->len; k++) {
        const scree_pair *other = &g_array_index(between, scree_pair, k);
        if (other->a == pair.a && other->b == pair.b)
            scree_config_problem(b->config, node, "the pair is named twice; it is [%u] already", k);
    }
    g_array_append_val(between, pair);
}

void scree_build_between(scree_build *b, scree_node *node, scree_choice_of *choice)
{
    if (!node || !b->scene->shape_types)
        return;
    choice->between = g_array_new(FALSE, FALSE, sizeof(scree_pair));
    if (node->type != SCREE_NODE_LIST || !node->children->len || is_words(node)) {
        read_pair(b, node, choice->between);
        return;
    }
    for (guint k = 0; k < node->children->len; k++)
        read_pair(b, node->children->pdata[k], choice->between);
}

static bool is_of(uint32_t wanted, uint32_t type)
{
    return wanted == SCREE_NONE || wanted == type;
}

bool scree_between_acts(const scree_choice_of *law, uint32_t type_a, uint32_t type_b)
{
    if (!law->between)
        return true;
    for (guint k = 0; k < law->between->len; k++) {
        const scree_pair *pair = &g_array_index(law->between, scree_pair, k);
        if ((is_of(type_a, pair->a) && is_of(type_b, pair->b)) ||
            (is_of(type_a, pair->b) && is_of(type_b, pair->a)))
            return true;
    }
    return false;
}
