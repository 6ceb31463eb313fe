/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of a scene that are kept with a state. */
#include "run/scene_stored.h"

#include "config/config_tree.h"

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
