/* SPDX-License-Identifier: Apache-2.0 */
/* Fills a plugin's config struct from a group of the scene, parameter by parameter. */
#include "plugin/schema.h"

#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/kinds.h"
#include "plugin/registry.h"
#include "plugin/schema_tables.h"

/* ---- hints for a name, a list or a number in place of a group ---- */

/** Adds the groups that a node or its elements probably mean: { plugin = "grid"; }. False: one
 * names no plugin. */
static bool add_groups(GString *all, const scree_node *node)
{
    const bool is_group = node->type == SCREE_NODE_GROUP;
    const scree_node *plugin = is_group ? scree_node_find(node, "plugin") : node;
    if (node->type == SCREE_NODE_LIST) {
        bool good = node->children->len > 0;
        for (guint i = 0; i < node->children->len && good; i++)
            good = add_groups(all, node->children->pdata[i]);
        return good;
    }
    if (!plugin || plugin->type != SCREE_NODE_STRING)
        return false;
    g_autofree char *id = scree_node_show(plugin);
    const bool more = is_group && node->children->len > 1;
    g_string_append_printf(all, "%s{ plugin = %s; %s}", all->len ? ", " : "", id,
                           more ? ".. " : "");
    return true;
}

/** The value to write; NULL: it cannot be guessed. New string. */
static char *value_of(const scree_node *node, bool many)
{
    g_autoptr(GString) groups = g_string_new(NULL);
    const bool one = node->type != SCREE_NODE_LIST || node->children->len == 1;
    if (!add_groups(groups, node) || !(many || one))
        return NULL;
    return g_strdup_printf(many ? "( %s )" : "%s", groups->str);
}

static void report_hint(scree_config *config, const scree_node *at, const char *wanted,
                        const char *line)
{
    static const char only[] = ", which only modifiers and observers in the `set` of a `schedule` "
                               "take, and groups of a `base`; elsewhere leave the key out";
    const bool off = at->type == SCREE_NODE_STRING && !strcmp(at->s, "off");
    g_autofree char *shown = scree_node_show(at);
    scree_config_problem(config, at, "expected %s, got %s%s%s", wanted, shown,
                         off || !line ? "" : "; write ",
                         off    ? only
                         : line ? line
                                : "");
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
    const scree_node *one =
        at->type == SCREE_NODE_LIST && at->children->len == 1 ? at->children->pdata[0] : at;
    const scree_node *plugin = one->type == SCREE_NODE_GROUP ? scree_node_find(one, "plugin") : one;
    g_autofree char *group = one->type != SCREE_NODE_LIST ? value_of(one, false) : NULL;
    g_autofree char *line =
        group ? g_strdup_printf("%s = { %s = %s; };", at->name, plugin->s, group) : NULL;
    report_hint(config, at, "a group of named groups, NAME = { plugin = \"..\"; .. };", line);
}

/* ---- a choice ---- */

static const scree_materials no_materials;

static scree_choice_of *choose(scree_config *config, scree_node *group, uint32_t kind,
                               const char *otherwise, const scree_materials *materials,
                               scree_registry *registry, int depth);

static void fill_plugin(scree_fill *fill, const scree_param *param, const scree_plugin_ref **out)
{
    const scree_keys *keys = &fill->keys;
    scree_node *node = scree_keys_find(keys, param);
    if (!node && (param->flags & (SCREE_PARAM_OPTIONAL | SCREE_PARAM_REQUIRED)))
        return;
    const char *otherwise =
        param->flags & (SCREE_PARAM_OPTIONAL | SCREE_PARAM_REQUIRED) ? NULL : param->string_default;
    *out = (const scree_plugin_ref *)choose(keys->config, node, param->kind, otherwise,
                                            fill->materials, fill->registry, fill->depth + 1);
}

/** Leaves a parameter about the scene to the scene's own function. */
static void fill_of_scene(scree_fill *fill, const scree_param *param, void *at)
{
    const scree_keys *keys = &fill->keys;
    const bool is_inline = param->flags & SCREE_PARAM_INLINE;
    scree_node *node = is_inline                           ? keys->group
                       : param->type == SCREE_TYPE_PLACING ? NULL
                                                           : scree_keys_find(keys, param);
    if (fill->materials->fill)
        fill->materials->fill(fill, param, node, at);
    else if (param->type != SCREE_TYPE_PLACING || !(param->flags & SCREE_PARAM_OPTIONAL))
        scree_config_problem(keys->config, node ? node : keys->group,
                             "%s of %s needs a scene around it", param->name, keys->user);
}

static void fill_param(scree_fill *fill, const scree_param *param)
{
    void *at = (char *)fill->keys.to + param->offset;
    if (scree_keys_fill(&fill->keys, param))
        return;
    if (param->type == SCREE_TYPE_PER_MATERIAL)
        scree_fill_per_material(fill, param, at);
    else if (param->type == SCREE_TYPE_PER_PAIR)
        scree_fill_per_pair(fill, param, at);
    else if (param->type == SCREE_TYPE_PLUGIN)
        fill_plugin(fill, param, at);
    else
        fill_of_scene(fill, param, at); /* scree_schema_check admits no other type */
}

/** The key that names a plugin of this kind. */
static const char *naming_key(uint32_t kind)
{
    return kind == SCREE_KIND_SHAPE ? "type" : "plugin";
}

/** Drops keys that belonged to another plugin, each with a note: an override, or a scene on top of
 * its base, has changed `plugin` since. */
static void drop_leftovers(const scree_fill *fill)
{
    scree_node *group = fill->keys.group;
    const char *key = naming_key(fill->plugin->kind);
    const scree_node *plugin = scree_node_find(group, key);
    if (!plugin)
        return;
    for (guint k = group->children->len; k-- > 0;) {
        scree_node *child = g_ptr_array_index(group->children, k);
        if (child->known || child->layer >= plugin->layer)
            continue;
        g_autofree char *where = scree_node_place(child);
        scree_config_note(fill->keys.config, plugin,
                          "%s has no parameter %s: that of %s is dropped", fill->keys.user,
                          child->name, where);
        scree_node_remove(child);
    }
}

/** The plugin that the group names, or the host's default; NULL with a problem. */
static const scree_plugin *find_plugin(scree_config *config, scree_node *group, uint32_t kind,
                                       const char *otherwise, scree_registry *registry,
                                       const scree_file **file)
{
    g_autoptr(GError) error = NULL;
    const char *key = naming_key(kind);
    const scree_node *at = scree_config_child(group, key);
    const char *id = at && at->type == SCREE_NODE_STRING ? at->s : otherwise;
    if (at && at->type != SCREE_NODE_STRING)
        scree_config_expected(config, at, "text in quotes");
    else if (!id)
        scree_config_problem(config, group, SCREE_KEY_MISSING ": it names the %s to use", key,
                             scree_kind_name(kind));
    if (!id)
        return NULL;
    const scree_plugin *plugin = scree_registry_get(registry, kind, id, file, &error);
    if (plugin)
        return plugin;
    scree_config_problem(config, at ? at : group, "%s", error->message);
    if (error->code == SCREE_EXIT_PLUGIN)
        config->refused = true;
    return NULL;
}

static scree_choice_of *choose(scree_config *config, scree_node *group, uint32_t kind,
                               const char *otherwise, const scree_materials *materials,
                               scree_registry *registry, int depth)
{
    const scree_file *file = NULL;
    if (group && group->type != SCREE_NODE_GROUP) {
        scree_schema_want_plugin(config, group, false);
        return NULL;
    }
    if (depth > SCREE_MAX_NESTED)
        return scree_config_problem(config, group, "plugins own each other more than %d deep",
                                    SCREE_MAX_NESTED),
               NULL;
    const scree_plugin *plugin = find_plugin(config, group, kind, otherwise, registry, &file);
    if (!plugin)
        return NULL;
    g_autofree char *user = g_strdup_printf("%s/%s", scree_kind_name(plugin->kind), plugin->id);
    scree_plugin_ref *ref = g_new0(scree_plugin_ref, 1);
    ref->choice = (scree_choice_of){.plugin = plugin, .file = file, .group = group};
    ref->choice.memory = g_ptr_array_new_with_free_func(g_free);
    scree_fill fill = {.keys = {config, group, NULL, ref->choice.memory, user, 3},
                       .plugin = plugin,
                       .materials = materials ? materials : &no_materials,
                       .registry = registry,
                       .depth = depth};
    if (plugin->config_size > 0)
        fill.keys.to = ref->choice.config = scree_keys_alloc(&fill.keys, 1, plugin->config_size);
    for (uint32_t k = 0; k < plugin->n_params; k++)
        fill_param(&fill, plugin->params[k]);
    g_free(fill.pair_of);
    drop_leftovers(&fill);
    scree_config_report_unknown(config, group);
    return &ref->choice;
}

scree_choice_of *scree_schema_choose(scree_config *config, scree_node *group, uint32_t kind,
                                     const char *otherwise, const scree_materials *materials,
                                     scree_registry *registry)
{
    return choose(config, group, kind, otherwise, materials, registry, 0);
}

void scree_choice_of_free(scree_choice_of *choice)
{
    if (!choice)
        return;
    for (uint32_t k = 0; k < choice->plugin->n_params; k++) {
        const scree_param *param = choice->plugin->params[k];
        scree_plugin_ref *nested = NULL;
        if (param->type != SCREE_TYPE_PLUGIN)
            continue;
        memcpy(&nested, (char *)choice->config + param->offset, sizeof nested);
        scree_choice_of_free(nested ? &nested->choice : NULL);
    }
    g_ptr_array_unref(choice->memory);
    if (choice->bonds)
        g_ptr_array_unref(choice->bonds);
    if (choice->between)
        g_array_unref(choice->between);
    g_free((scree_plugin_ref *)choice); /* the choice is the first member of its handle */
}
