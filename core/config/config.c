/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a scene: loading it, merging it onto its bases, applying overrides, naming its nodes.
 */
#include "config/config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_text.h"

#define MANY_CHILDREN 32
#define MAX_BASES 16
#define MAX_MESSAGES 200

/* --- nodes ------------------------------------------------------------------------------------ */

scree_node *scree_node_new(scree_node_type type, const char *file, const char *dir, int line)
{
    scree_node *node = g_new0(scree_node, 1);
    node->type = type;
    node->file = file;
    node->dir = dir;
    node->line = line;
    if (type == SCREE_NODE_GROUP || type == SCREE_NODE_LIST)
        node->children = g_ptr_array_new_with_free_func((GDestroyNotify)scree_node_free);
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
    if (!group || group->type != SCREE_NODE_GROUP)
        return NULL;
    if (group->by_name)
        return g_hash_table_lookup(group->by_name, key);
    for (guint k = 0; k < group->children->len; k++) {
        scree_node *child = g_ptr_array_index(group->children, k);
        if (strcmp(child->name, key) == 0)
            return child;
    }
    return NULL;
}

bool scree_node_add(scree_node *parent, scree_node *child)
{
    if (parent->type == SCREE_NODE_GROUP && scree_node_find(parent, child->name))
        return false;
    child->parent = parent;
    g_ptr_array_add(parent->children, child);
    if (parent->type != SCREE_NODE_GROUP || parent->children->len < MANY_CHILDREN)
        return true;
    if (parent->by_name) {
        g_hash_table_insert(parent->by_name, child->name, child);
        return true;
    }
    parent->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint k = 0; k < parent->children->len; k++) {
        scree_node *each = g_ptr_array_index(parent->children, k);
        g_hash_table_insert(parent->by_name, each->name, each);
    }
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

/* A `plugin` that stays the same keeps its layer: it changes nothing that lies below it. */
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
    scree_node *parent = node->parent;
    if (parent->by_name)
        g_hash_table_remove(parent->by_name, node->name);
    g_ptr_array_remove(parent->children, node);
}

static void append_path(const scree_node *node, GString *path)
{
    guint at = 0;
    if (!node || !node->parent)
        return;
    append_path(node->parent, path);
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
    append_path(node, path);
    return g_string_free(path, FALSE);
}

/* --- problems --------------------------------------------------------------------------------- */

/** "FILE:LINE: PATH: text", without what there is not. */
static char *format_message(const scree_node *at, const char *format, va_list arguments)
{
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    g_autofree char *path = scree_node_path(at);
    GString *message = g_string_new(NULL);
    if (at && at->line > 0)
        g_string_append_printf(message, "%s:%d: ", at->file, at->line);
    else if (at)
        g_string_append_printf(message, "%s: ", at->file);
    if (*path)
        g_string_append_printf(message, "%s: ", path);
    g_string_append(message, what);
    return g_string_free(message, FALSE);
}

void scree_message_add(GPtrArray *messages, char *message)
{
    g_autofree char *owned = message;
    if (messages->len > MAX_MESSAGES ||
        g_ptr_array_find_with_equal_func(messages, message, g_str_equal, NULL))
        return;
    if (messages->len == MAX_MESSAGES)
        g_ptr_array_add(messages, g_strdup("further messages are not shown"));
    else
        g_ptr_array_add(messages, g_steal_pointer(&owned));
}

void scree_config_problem(scree_config *config, const scree_node *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    scree_message_add(config->problems, format_message(at, format, arguments));
    va_end(arguments);
}

static char *message_of(const scree_node *at, const char *format, ...) G_GNUC_PRINTF(2, 3);

static char *message_of(const scree_node *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = format_message(at, format, arguments);
    va_end(arguments);
    return message;
}

void scree_config_found(scree_config *config, const scree_node *group, const char *key)
{
    g_autofree char *alone = message_of(group, SCREE_KEY_MISSING, key);
    g_autofree char *paired = message_of(group, SCREE_PAIR_MISSING, key);
    for (guint k = config->problems->len; k-- > 0;)
        if (g_str_has_prefix(config->problems->pdata[k], alone) ||
            g_str_has_prefix(config->problems->pdata[k], paired))
            g_ptr_array_remove_index(config->problems, k);
}

void scree_config_note(scree_config *config, const scree_node *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    scree_message_add(config->notes, format_message(at, format, arguments));
    va_end(arguments);
}

static char *join_problems(const scree_config *config)
{
    GString *all = g_string_new(NULL);
    for (guint k = 0; k < config->problems->len; k++)
        g_string_append_printf(all, "%s%s", k > 0 ? "\n" : "",
                               (const char *)g_ptr_array_index(config->problems, k));
    return g_string_free(all, FALSE);
}

bool scree_config_failed(const scree_config *config, GError **error)
{
    if (config->problems->len == 0)
        return false;
    g_autofree char *all = join_problems(config);
    g_set_error_literal(error, SCREE_ERROR, config->refused ? SCREE_EXIT_PLUGIN : SCREE_EXIT_USAGE,
                        all);
    return true;
}

/* --- loading ---------------------------------------------------------------------------------- */

char *scree_path_join(const char *dir, const char *name)
{
    if (g_path_is_absolute(name) || strcmp(dir, ".") == 0)
        return g_strdup(name);
    return g_build_filename(dir, name, NULL);
}

static void clear_file(void *data)
{
    g_free(((scree_config_file *)data)->path);
}

static void clear_override(void *data)
{
    scree_config_override *one = data;
    g_free(one->assignment);
    g_free(one->dir);
}

scree_config *scree_config_new(void)
{
    scree_config *config = g_new0(scree_config, 1);
    config->problems = g_ptr_array_new_with_free_func(g_free);
    config->notes = g_ptr_array_new_with_free_func(g_free);
    config->text = g_string_new(NULL);
    config->names = g_string_chunk_new(1024);
    config->files = g_array_new(FALSE, FALSE, sizeof(scree_config_file));
    g_array_set_clear_func(config->files, clear_file);
    config->overrides = g_array_new(FALSE, FALSE, sizeof(scree_config_override));
    g_array_set_clear_func(config->overrides, clear_override);
    return config;
}

void scree_config_free(scree_config *config)
{
    if (!config)
        return;
    scree_node_free(config->root);
    g_ptr_array_unref(config->problems);
    g_ptr_array_unref(config->notes);
    g_string_free(config->text, TRUE);
    g_string_chunk_free(config->names);
    g_array_unref(config->files);
    g_array_unref(config->overrides);
    g_free(config);
}

/** Lays `from` over `into`: groups merge, all else replaces. Takes the children of `from`. */
static void merge(scree_node *into, scree_node *from)
{
    g_autoptr(GPtrArray) children = g_steal_pointer(&from->children);
    g_ptr_array_set_free_func(children, NULL);
    into->file = from->file;
    into->dir = from->dir;
    into->line = from->line;
    for (guint k = 0; k < children->len; k++) {
        scree_node *child = g_ptr_array_index(children, k);
        scree_node *old = scree_node_find(into, child->name);
        if (!old) {
            scree_node_add(into, child);
        } else if (old->type == SCREE_NODE_GROUP && child->type == SCREE_NODE_GROUP) {
            merge(old, child);
            scree_node_free(child);
        } else {
            scree_node_replace(old, child);
        }
    }
}

/** Takes the key `base` out of a tree; NULL when there is none or it is no text. */
static char *take_base(scree_config *config, scree_node *root, const scree_node **at)
{
    scree_node *base = scree_node_find(root, "base");
    *at = base;
    if (!base)
        return NULL;
    base->known = true;
    if (base->type == SCREE_NODE_STRING && *base->s)
        return scree_path_join(base->dir, base->s);
    g_autofree char *shown = scree_node_show(base);
    scree_config_problem(config, base, "expected the name of a scene file, found %s", shown);
    return NULL;
}

static scree_node *parse_source(scree_config *config, scree_source *source)
{
    scree_node *root = scree_node_new(SCREE_NODE_GROUP, source->name, source->dir, 0);
    scree_parse_settings(config, source, root);
    return root;
}

static bool in_chain(const GPtrArray *chain, const char *canonical)
{
    return canonical &&
           g_ptr_array_find_with_equal_func((GPtrArray *)chain, canonical, g_str_equal, NULL);
}

/** Resolves `base` of a tree: what it stands on lies below it. Returns the whole; takes root.
 * `chain`: canonical paths of the files that stand on each other so far. */
static scree_node *stand_on_base(scree_config *config, scree_node *root, GPtrArray *chain)
{
    const scree_node *at;
    g_autofree char *path = take_base(config, root, &at);
    if (!path)
        return root;
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_source) source = scree_source_read(config, path, &error);
    if (!source) {
        scree_config_problem(config, at, "%s", error->message);
        return root;
    }
    if (in_chain(chain, source->canonical) || chain->len >= MAX_BASES) {
        scree_config_problem(config, at, "\"%s\" %s", at->s,
                             chain->len >= MAX_BASES
                                 ? "is one base too many: 16 may stand on each other"
                                 : "goes in a circle: it is based on this scene");
        return root;
    }
    g_ptr_array_add(chain, g_strdup(source->canonical));
    scree_node *below = parse_source(config, g_steal_pointer(&source));
    below = stand_on_base(config, below, chain);
    scree_node_set_layer(root, below->layer + 1);
    merge(below, root);
    below->layer++;
    scree_node_free(root);
    return below;
}

static void read_tree(scree_config *config, scree_source *source)
{
    g_autoptr(GPtrArray) chain = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(chain, g_strdup(source->canonical ? source->canonical : ""));
    config->root = stand_on_base(config, parse_source(config, source), chain);
}

scree_config *scree_config_load(const char *path, GError **error)
{
    g_autoptr(scree_config) config = scree_config_new();
    scree_source *source = scree_source_read(config, path, error);
    if (!source)
        return NULL;
    read_tree(config, source);
    return g_steal_pointer(&config);
}

scree_config *scree_config_load_stored(const char *path, GHashTable *texts, GError **error)
{
    g_autoptr(scree_config) config = scree_config_new();
    config->stored = texts;
    scree_source *source = scree_source_read(config, path, error);
    if (!source)
        return NULL;
    read_tree(config, source);
    config->stored = NULL;
    return g_steal_pointer(&config);
}

scree_config *scree_config_parse(const char *text, const char *name, const char *dir)
{
    scree_config *config = scree_config_new();
    scree_source *source = scree_source_text(config, text, name, dir);
    g_string_append_printf(config->text, "# file %s\n", name);
    g_autofree char *folder = g_canonicalize_filename(dir, NULL);
    scree_config_file file = {g_canonicalize_filename(name, folder), config->text->len,
                              strlen(text)};
    g_array_append_val(config->files, file);
    g_string_append_printf(config->text, "%s\n", text);
    if (source)
        read_tree(config, source);
    else
        config->root = scree_node_new(SCREE_NODE_GROUP, g_string_chunk_insert(config->names, name),
                                      g_string_chunk_insert(config->names, dir), 0);
    return config;
}
