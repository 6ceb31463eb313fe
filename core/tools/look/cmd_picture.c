/* SPDX-License-Identifier: Apache-2.0 */
/* `scree validate --picture`: the start of a scene, drawn by the observer `image`. */
#include "tools/look/cmd_picture.h"

#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "engine/sim.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "tools/look/look_scene.h"

#define RENDERER "image"
enum { MOST_PICTURE_THREADS = 4 };

/** Finds the scene's observer that draws pictures; NULL: the scene has no such observer. */
static const scree_timed_choice *find_renderer(const scree_scene *scene)
{
    for (guint i = 0; i < scene->observers->len; i++) {
        const scree_timed_choice *timed = scene->observers->pdata[i];
        if (strcmp(timed->choice->plugin->id, RENDERER) == 0)
            return timed;
    }
    return NULL;
}

/** The override that makes the scene's renderer, or one with defaults, write that file. New
 * string. */
static char *make_override(const scree_scene *scene, const char *base)
{
    const scree_timed_choice *timed = find_renderer(scene);
    g_autofree char *text = g_strescape(base, NULL);
    g_autoptr(GString) name = g_string_new("start");
    if (timed)
        return g_strdup_printf("observers.%s.file=\"%s\"", timed->name, text);
    for (bool taken = true; taken;) {
        taken = false;
        for (guint i = 0; i < scene->observers->len; i++)
            taken |= !strcmp(((scree_timed_choice *)scene->observers->pdata[i])->name, name->str);
        if (taken)
            g_string_append_c(name, '_');
    }
    return g_strdup_printf("observers.%s={plugin=\"" RENDERER "\"; file=\"%s\";}", name->str, text);
}

/** Loads the scene with the renderer as its only observer. */
static scree_scene *load_pictured(const char *name, char **overrides, const char *base,
                                  scree_registry *registry, GError **error)
{
    const scree_file *file;
    g_autoptr(scree_scene) plain =
        scree_scene_load(name, (const char *const *)overrides, registry, error);
    if (!plain)
        return NULL;
    if (!scree_registry_get(registry, SCREE_KIND_OBSERVER, RENDERER, &file, error)) {
        g_prefix_error(error, "--picture needs observer/" RENDERER
                              ", which is built when cairo is installed (Debian: libcairo2-dev): ");
        return NULL;
    }
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    for (char **one = overrides; one && *one; one++)
        g_ptr_array_add(all, g_strdup(*one));
    g_ptr_array_add(all, make_override(plain, base));
    g_ptr_array_add(all, NULL);
    g_autoptr(scree_scene) scene =
        scree_scene_load(name, (const char *const *)all->pdata, registry, error);
    const scree_timed_choice *keep = scene ? find_renderer(scene) : NULL;
    for (guint i = scene ? scene->observers->len : 0; i-- > 0;)
        if (scene->observers->pdata[i] != keep)
            g_ptr_array_remove_index(scene->observers, i);
    return g_steal_pointer(&scene);
}

bool scree_cmd_picture(const char *name, char **overrides, const char *path, GError **error)
{
    const int cancelled = 0;
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    g_autofree char *base = g_path_get_basename(path), *folder = g_path_get_dirname(path);
    scree_scene *scene = load_pictured(name, overrides, base, registry, error);
    if (!scene)
        return false;
    scree_sim_options options = {.threads = MIN(g_get_num_processors(), MOST_PICTURE_THREADS),
                                 .cancelled = &cancelled,
                                 .output_dir = folder,
                                 .waits = true};
    scree_sim *sim = scree_sim_new(scene, &options, error);
    bool ok = sim && scree_show_start(sim, false, error);
    scree_sim_free(sim);
    return ok;
}
