/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a scene: it is loaded, merged onto its bases, and overrides are applied. */
#include "config/config.h"

#include <string.h>

#include "base/paths.h"
#include "config/config_node.h"
#include "config/config_parse.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_source.h"
#include "config/config_text.h"

#define MAX_BASES 16

/* --- loading ---------------------------------------------------------------------------------- */

scree_stored_scene *scree_stored_scene_new(void)
{
    scree_stored_scene *stored = g_new0(scree_stored_scene, 1);
    stored->paths = g_ptr_array_new_with_free_func(g_free);
    stored->texts = g_ptr_array_new_with_free_func(g_free);
    stored->overrides = g_ptr_array_new_with_free_func(g_free);
    stored->dirs = g_ptr_array_new_with_free_func(g_free);
    return stored;
}

void scree_stored_scene_free(scree_stored_scene *stored)
{
    if (!stored)
        return;
    g_ptr_array_unref(stored->paths);
    g_ptr_array_unref(stored->texts);
    g_ptr_array_unref(stored->overrides);
    g_ptr_array_unref(stored->dirs);
    g_free(stored->name);
    g_free(stored);
}

scree_config *scree_config_new(void)
{
    scree_config *config = g_new0(scree_config, 1);
    config->problems = g_ptr_array_new_with_free_func(g_free);
    config->notes = g_ptr_array_new_with_free_func(g_free);
    config->text = g_string_new(NULL);
    config->names = g_string_chunk_new(1024);
    config->parts = scree_stored_scene_new();
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
    scree_stored_scene_free(config->parts);
    g_free(config);
}

/** Whether a value drops a group of the base: observers = { pictures = "off"; }. */
static bool drops(const scree_node *child, const scree_node *old)
{
    return old->type == SCREE_NODE_GROUP && old->parent->parent && !old->parent->parent->parent &&
           child->type == SCREE_NODE_STRING && !strcmp(child->s, "off");
}

/** Merges `from` into `into`: groups merge, other values are replaced, or drop a group. Takes the
 * children of `from`. */
static void merge(scree_config *config, scree_node *into, scree_node *from)
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
            if (!child->children->len && old->children->len)
                scree_config_note(config, child,
                                  "an empty group changes nothing: groups merge with those of the "
                                  "base, and NAME = \"off\" drops one");
            merge(config, old, child);
            scree_node_free(child);
        } else if (drops(child, old)) {
            scree_node_remove(old);
            scree_node_free(child);
        } else {
            scree_node_replace(old, child);
        }
    }
}

/** Removes the key `base` from a tree, and returns it; NULL: it is missing or not text. */
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
    scree_config_problem(config, base, "expected the name of a scene file, got %s", shown);
    return NULL;
}

static bool in_chain(const GPtrArray *chain, const char *canonical)
{
    return canonical &&
           g_ptr_array_find_with_equal_func((GPtrArray *)chain, canonical, g_str_equal, NULL);
}

/** Merges a tree onto its base, and returns the result; takes root. `chain`: canonical paths of the
 * files read so far, each the base of the one before it. */
static scree_node *merge_onto_base(scree_config *config, scree_node *root, GPtrArray *chain)
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
                                 ? "is one base too many: expected at most 16 in a row"
                                 : "goes in a circle: it is based on this scene");
        return root;
    }
    g_ptr_array_add(chain, g_strdup(source->canonical));
    scree_node *below = scree_parse_settings(config, g_steal_pointer(&source));
    below = merge_onto_base(config, below, chain);
    scree_node_set_layer(root, below->layer + 1);
    merge(config, below, root);
    below->layer++;
    scree_node_free(root);
    return below;
}

static void read_tree(scree_config *config, scree_source *source)
{
    g_autoptr(GPtrArray) chain = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(chain, g_strdup(source->canonical ? source->canonical : ""));
    config->root = merge_onto_base(config, scree_parse_settings(config, source), chain);
}

scree_config *scree_config_load(const char *path, GHashTable *texts, GError **error)
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
    g_ptr_array_add(config->parts->paths, g_canonicalize_filename(name, folder));
    g_ptr_array_add(config->parts->texts, g_strdup(text));
    g_string_append_printf(config->text, "%s\n", text);
    if (source)
        read_tree(config, source);
    else
        config->root = scree_node_new(SCREE_NODE_GROUP, g_string_chunk_insert(config->names, name),
                                      g_string_chunk_insert(config->names, dir), 0);
    return config;
}
