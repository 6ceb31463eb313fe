/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a checkpoint about plugins: names, fields, acted entries of the schedule, values
 * that plugins and conditions remember; the identity of the scene. */
#include "run/checkpoint_plugins.h"

#include <inttypes.h>
#include <string.h>

#include "change/schedule.h"
#include "config/config_tree.h"
#include "engine/columns.h"
#include "engine/sim_plugins.h"
#include "engine/state.h"
#include "plugin/kinds.h"

static void clear_plugin(void *data)
{
    scree_saved_plugin *plugin = data;
    char *texts[] = {plugin->slot, plugin->kind,   plugin->id,       plugin->version,
                     plugin->path, plugin->sha256, plugin->cpu_level};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
}

GArray *scree_saved_plugins_new(void)
{
    GArray *plugins = g_array_new(FALSE, TRUE, sizeof(scree_saved_plugin));
    g_array_set_clear_func(plugins, clear_plugin);
    return plugins;
}

void scree_saved_plugins_add_of(GArray *plugins, const char *slot, const scree_plugin *plugin,
                                const scree_file *file)
{
    scree_saved_plugin one = {.slot = g_strdup(slot),
                              .kind = g_strdup(scree_kind_name(plugin->kind)),
                              .id = g_strdup(plugin->id),
                              .version = g_strdup(plugin->version),
                              .path = g_strdup(file ? file->path : ""),
                              .sha256 = g_strdup(file ? file->sha256 : ""),
                              .cpu_level = g_strdup(file ? file->cpu_level : ""),
                              .plugin = plugin,
                              .file = file};
    g_array_append_val(plugins, one);
}

void scree_saved_plugins_add(GArray *plugins, const scree_instance *instance)
{
    scree_saved_plugins_add_of(plugins, instance->slot, instance->plugin, instance->file);
    for (guint i = 0; i < instance->nested->len; i++)
        scree_saved_plugins_add(plugins, instance->nested->pdata[i]);
}

GArray *scree_saved_plugins_of(const scree_sim *sim)
{
    GArray *plugins = scree_saved_plugins_new();
    g_autoptr(GPtrArray) all = scree_plugins_list(sim);
    for (guint i = 0; i < all->len; i++)
        scree_saved_plugins_add(plugins, all->pdata[i]);
    return plugins;
}

GArray *scree_saved_plugins_for_restart(const scree_sim *sim)
{
    GArray *plugins = scree_saved_plugins_of(sim);
    g_autoptr(GPtrArray) shapes = scree_plugins_shapes(sim);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < shapes->len; i++) {
        const scree_instance *shape = shapes->pdata[i];
        if (g_hash_table_add(seen, (void *)shape->plugin))
            scree_saved_plugins_add(plugins, shape);
    }
    return plugins;
}

GPtrArray *scree_keeping_laws_of(const scree_sim *sim)
{
    GPtrArray *laws = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_instance *law = sim->plugins.contact.laws[l].instance;
        if (sim->plugins.contact.laws[l].keep_bit)
            g_ptr_array_add(laws, g_strdup_printf("%s/%s", law->slot, law->plugin->id));
    }
    return laws;
}

/* ---- the scene ---- */

scree_stored_scene *scree_stored_scene_new(void)
{
    scree_stored_scene *stored = g_new0(scree_stored_scene, 1);
    stored->paths = g_ptr_array_new_with_free_func(g_free);
    stored->texts = g_ptr_array_new_with_free_func(g_free);
    stored->overrides = g_ptr_array_new_with_free_func(g_free);
    stored->dirs = g_ptr_array_new_with_free_func(g_free);
    return stored;
}

scree_stored_scene *scree_stored_scene_of(const scree_scene *scene)
{
    const scree_config *config = scene->config;
    scree_stored_scene *stored = scree_stored_scene_new();
    stored->name = g_strdup(scene->name);
    for (guint i = 0; i < config->files->len; i++) {
        const scree_config_file *file = &g_array_index(config->files, scree_config_file, i);
        g_ptr_array_add(stored->paths, g_strdup(file->path));
        g_ptr_array_add(stored->texts, g_strndup(config->text->str + file->start, file->length));
    }
    for (guint i = 0; i < config->overrides->len; i++) {
        const scree_config_override *one =
            &g_array_index(config->overrides, scree_config_override, i);
        g_ptr_array_add(stored->overrides, g_strdup(one->assignment));
        g_ptr_array_add(stored->dirs, g_strdup(one->dir));
    }
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
