/* SPDX-License-Identifier: Apache-2.0 */
/* A scene from the texts that were kept with a state, and two scenes compared key by key. */
#include "tools/restart/scene_again.h"

#include <string.h>

#include "config/config.h"
#include "config/config_node.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "scene/scene.h"

scree_config *scree_stored_scene_config(const scree_stored_scene *stored,
                                        const char *const *overrides, GError **error)
{
    g_autoptr(GHashTable) texts = g_hash_table_new(g_str_hash, g_str_equal);
    if (!stored->paths->len) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "no text of the scene was kept");
        return NULL;
    }
    for (guint i = 0; i < stored->paths->len; i++)
        g_hash_table_insert(texts, stored->paths->pdata[i], stored->texts->pdata[i]);
    scree_config *config = scree_config_load(stored->paths->pdata[0], texts, error);
    if (config)
        scree_config_set_all(config, stored->overrides->len,
                             (const char *const *)stored->overrides->pdata,
                             (const char *const *)stored->dirs->pdata);
    if (config && overrides)
        scree_config_set_all(config, g_strv_length((char **)overrides), overrides, NULL);
    return config;
}

scree_scene *scree_stored_scene_load(const scree_stored_scene *stored, const char *const *overrides,
                                     scree_registry *registry, GError **error)
{
    scree_config *config = scree_stored_scene_config(stored, overrides, error);
    return config ? scree_scene_new(config, stored->name, registry, error) : NULL;
}

static bool same_value(const scree_node *a, const scree_node *b)
{
    bool numbers = (a->type == SCREE_NODE_INT || a->type == SCREE_NODE_REAL) &&
                   (b->type == SCREE_NODE_INT || b->type == SCREE_NODE_REAL);
    if (numbers)
        return !memcmp(&a->d, &b->d, sizeof a->d) && a->i == b->i;
    if (a->type != b->type)
        return false;
    if (a->type == SCREE_NODE_STRING)
        return !strcmp(a->s, b->s);
    return a->type != SCREE_NODE_BOOL || a->i == b->i;
}

static void add_stored_difference(GPtrArray *all, const scree_node *at, const scree_node *from,
                                  const scree_node *to)
{
    g_autofree char *path = scree_node_path(at);
    g_autofree char *before = from ? scree_node_show(from) : g_strdup("not given");
    g_autofree char *now = to ? scree_node_show(to) : g_strdup("not given");
    g_ptr_array_add(all, g_strdup_printf("%s: %s, now %s", path, before, now));
}

/** Returns whether the key belongs to a plugin that a later text replaced, so it is dropped. */
static bool is_left_over(const scree_node *group, const scree_node *child)
{
    const scree_node *plugin = scree_node_find(group, "plugin");
    plugin = plugin ? plugin : scree_node_find(group, "type");
    return plugin && child->layer < plugin->layer;
}

static void compare(GPtrArray *all, const scree_node *from, const scree_node *to)
{
    if (from->type == SCREE_NODE_GROUP && to->type == SCREE_NODE_GROUP) {
        for (guint i = 0; i < from->children->len; i++) {
            const scree_node *child = from->children->pdata[i];
            const scree_node *other = scree_node_find(to, child->name);
            if (other)
                compare(all, child, other);
            else if (!is_left_over(from, child))
                add_stored_difference(all, child, child, NULL);
        }
        for (guint i = 0; i < to->children->len; i++) {
            const scree_node *child = to->children->pdata[i];
            if (!child->implied && !scree_node_find(from, child->name))
                add_stored_difference(all, child, NULL, child);
        }
    } else if (from->type == SCREE_NODE_LIST && to->type == SCREE_NODE_LIST &&
               from->children->len == to->children->len) {
        for (guint i = 0; i < from->children->len; i++)
            compare(all, from->children->pdata[i], to->children->pdata[i]);
    } else if (from->type == SCREE_NODE_LIST || !same_value(from, to)) {
        add_stored_difference(all, to, from, to);
    }
}

GPtrArray *scree_config_differences(const scree_config *from, const scree_config *to)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    if (from->root && to->root)
        compare(all, from->root, to->root);
    return all;
}
