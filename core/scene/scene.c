// SPDX-License-Identifier: Apache-2.0
// A scene: its top-level keys are read in the order of their needs, with all mistakes at once.
#include "scene/scene.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/say.h"
#include "base/shortage.h"
#include "base/text.h"
#include "build_config.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "plugin/registry.h"
#include "plugin/schema.h"
#include "plugin/schema_tables.h"
#include "scene/identity.h"
#include "scene/query_service.h"
#include "scene/scene_bodies.h"
#include "scene/scene_body.h"
#include "scene/scene_bonds.h"
#include "scene/scene_build.h"
#include "scene/scene_condition.h"
#include "scene/scene_field_uses.h"
#include "scene/scene_keys.h"
#include "scene/scene_plugins.h"
#include "scene/scene_settings.h"
#include "scene/scene_shapes.h"
#include "scene/scene_source.h"
#include "scene/schema_scene.h"
#include "shape/plugin_shape.h"

static void read_scene_group(scree_build *b)
{
    scree_scene *s = b->scene;
    scree_settings settings;
    s->title = s->name;
    s->dimension = 3; // default before it is read
    scree_build_keys(b, b->top->scene, SCREE_KEYS_SCENE, s);
    s->dt = (double)NAN;
    scree_build_settings(b, b->top->scene, &settings);
    scree_settings_apply(&settings, s);
    scree_config_report_unknown(b->config, b->top->scene);
}

static void read_materials(scree_build *b)
{
    scree_scene *s = b->scene;
    guint before = b->config->problems->len;
    g_autoptr(GPtrArray) groups = scree_build_groups(b, "materials");
    uint32_t n = groups ? groups->len : 0;
    const char **names = g_new0(const char *, n + 1);
    scree_node **nodes = g_new0(scree_node *, n + 1);
    s->density = g_new0(double, n + 1);
    s->young = g_new0(double, n + 1);
    s->poisson = g_new0(double, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        scree_material_keys keys;
        nodes[i] = groups->pdata[i];
        names[i] = nodes[i]->name;
        scree_build_keys(b, nodes[i], SCREE_KEYS_MATERIAL, &keys);
        s->density[i] = keys.density;
        s->young[i] = keys.young_modulus;
        s->poisson[i] = keys.poisson_ratio;
    }
    s->materials = (scree_materials){.n = n,
                                     .names = names,
                                     .groups = nodes,
                                     .pairs = b->top->material_pairs,
                                     .build = b,
                                     .fill = scree_schema_fill_scene};
    if (n == 0 && b->config->problems->len == before)
        scree_config_problem(b->config, b->config->root,
                             "a scene needs a material: "
                             "materials = { glass = { density = 2500.0; }; };");
    g_free(scree_materials_pairs(b->config, &s->materials)); // reports wrong entries
}

/** Refuses files as folders of plugins. Refuses absent folders if a plugin is missing; only warns
 * of them if all plugins were found elsewhere and none of the folders exists. */
static void report_absent(scree_build *b, const scree_strings *folders)
{
    const scree_node *node = scree_node_find(b->config->root, "plugin_path");
    const bool lacks = b->config->problems->len && b->scene->registry->lacks;
    bool any = false;
    for (uint64_t i = 0; i < folders->n; i++)
        any = any || g_file_test(folders->v[i], G_FILE_TEST_IS_DIR);
    for (uint64_t i = 0; i < folders->n; i++) {
        const scree_node *one = scree_node_at(node, (guint)i);
        g_autofree char *path = g_canonicalize_filename(folders->v[i], NULL),
                        *place = scree_node_place(one);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            continue;
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            scree_config_problem(b->config, one, "expected a folder, got %s, which is a file",
                                 path);
        else if (lacks)
            scree_config_problem(b->config, one,
                                 "there is no folder %s yet: build its plugins, as the comments of "
                                 "the scene say, or name another folder by --plugin-path",
                                 path);
        else if (!any && !b->config->problems->len)
            scree_say(SCREE_SAY_WARNING, "%s: plugin_path: there is no folder %s", place, path);
    }
}

/** Reads in the order of needs: dimension, materials, shapes, plugins that make bodies or judge
 * their overlap, bodies. */
static void build(scree_build *b)
{
    scree_top_keys top;
    scree_scene *s = b->scene;
    scree_build_keys(b, b->config->root, SCREE_KEYS_TOP, &top);
    b->top = &top;
    read_scene_group(b);
    for (uint64_t i = top.plugin_path.n; i-- > 0;) // these come first, in their order
        scree_registry_prepend(s->registry, top.plugin_path.v[i]);
    read_materials(b);
    scree_build_shapes(b);
    scree_build_integrator(b);
    scree_build_resolvers(b);
    scree_build_query(b);
    scree_build_bodies(b);
    scree_build_generate(b);
    scree_build_number(b);
    scree_working_on("the plugins");
    guint before = b->config->problems->len;
    scree_build_plugins(b);
    scree_build_source_bonds(b);
    if (b->config->problems->len == before) // otherwise a missing plugin may have the field
        scree_build_fields(b);
    scree_build_group(b, top.extent, SCREE_KEYS_EXTENT, &s->extent);
    scree_build_group(b, top.renumber, SCREE_KEYS_RENUMBER, &s->renumber);
    scree_build_group(b, top.guard, SCREE_KEYS_GUARD, &s->guard);
    scree_build_interval(b, top.checkpoint);
    scree_build_group(b, top.checkpoint, SCREE_KEYS_CHECKPOINT, &s->checkpoint);
    scree_build_stop(b);
    if (s->bodies->len + s->to_come->len == 0 && b->config->problems->len == 0)
        scree_config_problem(b->config, b->config->root,
                             "the scene has no bodies: give `bodies` or `generate`");
    if (s->bodies->len >= UINT32_MAX / 2)
        scree_config_problem(b->config, NULL, "%u bodies are more than this host can number",
                             s->bodies->len);
    scree_config_report_unknown(b->config, b->config->root);
    report_absent(b, &top.plugin_path);
    b->top = NULL;
}

scree_scene *scree_scene_new(scree_config *config, const char *name, scree_registry *registry,
                             GError **error)
{
    g_autoptr(scree_scene) s = g_new0(scree_scene, 1);
    s->config = config;
    config->homes = scree_keys_homes;
    s->registry = registry;
    s->name = config->parts->name = g_strdup(name);
    s->shapes = g_ptr_array_new_with_free_func((GDestroyNotify)scree_any_shape_free);
    s->shape_names = g_ptr_array_new_with_free_func(g_free);
    s->group_names = g_ptr_array_new_with_free_func(g_free);
    s->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->sources = g_ptr_array_new_with_free_func((GDestroyNotify)scree_choice_of_free);
    s->to_come = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->query = g_new0(scree_query_settings, 1);
    if (!config->root) {
        if (!scree_config_failed(config, error))
            g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s: empty", name);
        return NULL;
    }
    scree_build b = {.scene = s, .config = config};
    b.shape_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    s->shape_names_known = b.shape_names;
    // A text that could not be parsed gives no further messages.
    if (!config->broken)
        build(&b);
    scree_query_service_free(b.query);
    scree_id_set_clear(&b.ids);
    g_clear_pointer(&b.start_rows, g_array_unref);
    s->materials.build = NULL;
    s->materials.fill = NULL;
    if (scree_config_failed(config, error))
        return NULL;
    s->identity = scree_identity_of(s);
    return g_steal_pointer(&s);
}

/** Returns the end of a message about a missing scene: the nearest name. New string. */
static char *hint_scene(const char *scene, const char *const *folders, size_t n_folders)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < n_folders; i++) {
        g_autoptr(GDir) dir = g_dir_open(folders[i], 0, NULL);
        if (!dir) // ./configs may be missing
            continue;
        for (const char *file; (file = g_dir_read_name(dir));)
            if (g_str_has_suffix(file, ".cfg"))
                g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".cfg")));
    }
    g_ptr_array_sort(names, scree_compare_texts); // a folder is not sorted
    g_ptr_array_add(names, NULL);
    return scree_did_you_mean(scene, (const char *const *)names->pdata);
}

/** Returns the path of a scene given by path or by name. */
static char *find_scene(const char *scene, GError **error)
{
    if (g_file_test(scene, G_FILE_TEST_IS_REGULAR))
        return g_strdup(scene);
    // In the build tree, the scenes of the source tree count as installed.
    g_autofree char *own = scree_paths_own(SCREE_SOURCE_DIR "/configs", SCREE_SCENE_DIR);
    const char *folders[] = {"configs", own};
    g_autofree char *file =
        g_str_has_suffix(scene, ".cfg") ? g_strdup(scene) : g_strconcat(scene, ".cfg", NULL);
    bool path_only = g_path_is_absolute(scene) || scene[0] == '.';
    if (!path_only)
        for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
            char *path = g_build_filename(folders[i], file, NULL);
            if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
                return path;
            g_free(path);
        }
    if (g_file_test(scene, G_FILE_TEST_EXISTS))
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s is %s; a scene is a regular file%s",
                    scene,
                    g_file_test(scene, G_FILE_TEST_IS_DIR) ? "a folder" : "a pipe or a device",
                    g_file_test(scene, G_FILE_TEST_IS_DIR) ? "" : ": write it into one first");
    else if (path_only)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s: no such scene file", scene);
    else {
        g_autofree char *hint = hint_scene(scene, folders, G_N_ELEMENTS(folders));
        g_set_error(
            error, SCREE_ERROR, SCREE_EXIT_USAGE,
            "expected a scene, got \"%s\": neither a file of that name, nor %s in ./configs "
            "or %s%s",
            scene, file, own, hint);
    }
    return NULL;
}

/** Reads the text of the scene in a file, with overrides. */
static scree_config *read_config(const char *path, const char *const *overrides, GError **error)
{
    scree_config *config = scree_config_load(path, NULL, error);
    if (config && overrides)
        scree_config_set_all(config, g_strv_length((char **)overrides), overrides, NULL);
    return config;
}

scree_config *scree_scene_read(const char *scene, const char *const *overrides, GError **error)
{
    g_autofree char *path = find_scene(scene, error);
    return path ? read_config(path, overrides, error) : NULL;
}

scree_scene *scree_scene_load(const char *scene, const char *const *overrides,
                              scree_registry *registry, GError **error)
{
    g_autofree char *path = find_scene(scene, error);
    scree_config *config = path ? read_config(path, overrides, error) : NULL;
    if (!config)
        return NULL;
    g_autofree char *name = g_path_get_basename(path);
    if (g_str_has_suffix(name, ".cfg"))
        name[strlen(name) - 4] = '\0';
    return scree_scene_new(config, name, registry, error);
}

void scree_scene_free(scree_scene *s)
{
    if (!s)
        return;
    GPtrArray *arrays[] = {s->resolvers,   s->forces,      s->observers,   s->modifiers, s->sources,
                           s->group_names, s->shape_names, s->shape_types, s->shapes};
    for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (arrays[i])
            g_ptr_array_free(arrays[i], TRUE);
    scree_scene_free_shape_runtime(s);
    scree_choice_of_free(s->gcd);
    scree_choice_of_free(s->query->gcd);
    g_free(s->query);
    scree_choice_of_free(s->integrator);
    scree_choice_of_free(s->domain);
    g_clear_pointer(&s->schedule, g_ptr_array_unref);
    g_clear_pointer(&s->stop, g_ptr_array_unref);
    g_clear_pointer(&s->shape_names_known, g_hash_table_destroy);
    scree_start_values_clear(&s->starts);
    g_array_free(s->bodies, TRUE);
    g_array_free(s->to_come, TRUE);
    g_free((void *)s->materials.names);
    g_free((void *)s->materials.groups);
    g_free(s->density);
    g_free(s->young);
    g_free(s->poisson);
    g_clear_pointer(&s->memory, g_ptr_array_unref);
    scree_identity_free(s->identity);
    scree_config_free(s->config);
    g_free(s);
}
