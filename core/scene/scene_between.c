/* SPDX-License-Identifier: Apache-2.0 */
/* `between` of a force law in a scene: the types of shapes that it acts between. */
#include "scene/scene_between.h"

#include "base/spelling.h"
#include "config/config_problem.h"
#include "config/config_read.h"

/** The code of a type by its name; false with a problem when the scene has none of that name. */
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
