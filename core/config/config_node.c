/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a scene's tree: making, finding, copying, replacing, naming. */
#include "config/config_node.h"

#include <string.h>

scree_node *scree_node_new(scree_node_type type, const char *file, const char *dir, int line)
{
    scree_node *node = g_new0(scree_node, 1);
    node->type = type;
    node->file = file;
    node->dir = dir;
    node->line = line;
    if (type == SCREE_NODE_GROUP || type == SCREE_NODE_LIST)
        node->children = g_ptr_array_new_with_free_func((GDestroyNotify)scree_node_free);
    if (type == SCREE_NODE_GROUP)
        node->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    return node;
}

void scree_node_free(scree_node *node)
{
    if (!node)
        return;
    g_clear_pointer(&node->by_name, g_hash_table_unref);
    g_clear_pointer(&node->missed, g_ptr_array_unref);
    g_clear_pointer(&node->children, g_ptr_array_unref);
    g_free(node->name);
    g_free(node->s);
    g_free(node);
}

scree_node *scree_node_find(const scree_node *group, const char *key)
{
    return group && group->by_name ? g_hash_table_lookup(group->by_name, key) : NULL;
}

guint scree_node_count(const scree_node *node)
{
    return node && node->type == SCREE_NODE_LIST ? node->children->len : node != NULL;
}

scree_node *scree_node_at(const scree_node *node, guint k)
{
    return node->type == SCREE_NODE_LIST ? node->children->pdata[k] : (scree_node *)node;
}

bool scree_node_add(scree_node *parent, scree_node *child)
{
    if (scree_node_find(parent, child->name))
        return false;
    child->parent = parent;
    g_ptr_array_add(parent->children, child);
    if (parent->by_name)
        g_hash_table_insert(parent->by_name, child->name, child);
    return true;
}

scree_node *scree_node_copy(const scree_node *node)
{
    scree_node *copy = scree_node_new(node->type, node->file, node->dir, node->line);
    copy->layer = node->layer;
    copy->name = g_strdup(node->name);
    copy->i = node->i;
    copy->d = node->d;
    copy->s = g_strdup(node->s);
    for (guint k = 0; node->children && k < node->children->len; k++)
        scree_node_add(copy, scree_node_copy(g_ptr_array_index(node->children, k)));
    return copy;
}

void scree_node_set_layer(scree_node *node, unsigned layer)
{
    node->layer = layer;
    for (guint k = 0; node->children && k < node->children->len; k++)
        scree_node_set_layer(g_ptr_array_index(node->children, k), layer);
}

/* A `plugin` with the same value keeps its layer: settings of lower layers still count. */
void scree_node_replace(scree_node *old, scree_node *by)
{
    scree_node *parent = old->parent;
    guint at = 0;
    if (by->name && strcmp(by->name, "plugin") == 0 && by->type == SCREE_NODE_STRING &&
        old->type == SCREE_NODE_STRING && strcmp(old->s, by->s) == 0)
        by->layer = old->layer;
    g_ptr_array_find(parent->children, old, &at);
    by->parent = parent;
    if (parent->by_name)
        g_hash_table_remove(parent->by_name, old->name);
    scree_node_free(old);
    parent->children->pdata[at] = by;
    if (parent->by_name)
        g_hash_table_insert(parent->by_name, by->name, by);
}

void scree_node_remove(scree_node *node)
{
    g_hash_table_remove(node->parent->by_name, node->name);
    g_ptr_array_remove(node->parent->children, node);
}

static void append_node_path(const scree_node *node, GString *path)
{
    guint at = 0;
    if (!node || !node->parent)
        return;
    append_node_path(node->parent, path);
    if (node->name) {
        g_string_append_printf(path, "%s%s", path->len > 0 ? "." : "", node->name);
    } else {
        g_ptr_array_find(node->parent->children, node, &at);
        g_string_append_printf(path, "[%u]", at);
    }
}

char *scree_node_path(const scree_node *node)
{
    GString *path = g_string_new(NULL);
    append_node_path(node, path);
    return g_string_free(path, FALSE);
}

char *scree_node_place(const scree_node *node)
{
    return node->line > 0 ? g_strdup_printf("%s:%d", node->file, node->line) : g_strdup(node->file);
}

void scree_node_blame(const scree_node *node, GError **error)
{
    g_autofree char *place = node && node->file ? scree_node_place(node) : NULL;
    if (place)
        g_prefix_error(error, "%s: ", place);
}
