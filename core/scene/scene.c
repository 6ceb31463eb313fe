// SPDX-License-Identifier: Apache-2.0
// A scene: its top-level keys in the order that they need each other, all mistakes at once.
#include "scene/scene.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/shortage.h"
#include "base/spelling.h"
#include "build_config.h"
#include "config/config.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "plugin/registry.h"
#include "plugin/schema.h"
#include "scene/identity.h"
#include "scene/plugin_shape.h"
#include "scene/query_service.h"
#include "scene/scene_bodies.h"
#include "scene/scene_body.h"
#include "scene/scene_build.h"
#include "scene/scene_checkpoint.h"
#include "scene/scene_generate.h"
#include "scene/scene_plugins.h"
#include "scene/scene_query.h"
#include "scene/scene_settings.h"
#include "scene/scene_shapes.h"
#include "scene/scene_stop.h"
#include "scene/scene_uses.h"
#include "scene/schema_scene.h"

static void read_scene_group(scree_build *b)
{
    scree_scene *s = b->scene;
    scree_config *c = b->config;
    scree_node *group = scree_config_group(c, c->root, "scene");
    s->title = g_strdup(scree_config_string(c, group, "title", s->name, 0));
    s->dimension = (uint32_t)scree_config_int(c, group, "dimension", 3, 2, 3, 0);
    s->steps = (uint64_t)scree_config_int(c, group, "steps", 0, 0, INT64_MAX, 0);
    s->seed = (uint64_t)scree_config_int(c, group, "seed", 1, 0, INT64_MAX, 0);
    s->thickness =
        scree_config_real(c, group, "thickness", "m", 1.0, 0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
    s->dt = (double)NAN;
    s->dt_fraction =
        scree_config_real(c, group, "dt_fraction", NULL, 0.3, 0.0, 1.0, SCREE_KEY_MIN_OPEN);
    s->dt_limit =
        scree_config_real(c, group, "dt_limit", NULL, 2.0, 0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
    scree_settings settings;
    scree_build_settings(b, group, &settings);
    scree_settings_apply(&settings, s);
    scree_config_report_unknown(c, group, NULL);
}

static void read_material_group(scree_build *b, scree_node *group, uint32_t i)
{
    scree_scene *s = b->scene;
    s->density[i] = scree_config_real(b->config, group, "density", "kg/m^3", (double)NAN, 0.0,
                                      HUGE_VAL, SCREE_KEY_REQUIRED | SCREE_KEY_MIN_OPEN);
    s->young[i] = scree_config_real(b->config, group, "young_modulus", "Pa", (double)NAN, 0.0,
                                    HUGE_VAL, SCREE_KEY_MIN_OPEN);
    s->poisson[i] = scree_config_real(b->config, group, "poisson_ratio", NULL, (double)NAN, -1.0,
                                      0.5, SCREE_KEY_MIN_OPEN);
}

/** `between` of each pair names two materials, no two of them the same pair. */
static void check_pairs(scree_build *b)
{
    scree_node *list = b->scene->materials.pairs;
    uint32_t n = b->scene->materials.n;
    g_autofree uint8_t *seen = g_new0(uint8_t, (size_t)n * n + 1);
    if (list)
        for (uint32_t i = 0; i < list->children->len; i++) {
            scree_node *pair = list->children->pdata[i];
            scree_node *between = scree_config_list(
                b->config, pair->type == SCREE_NODE_GROUP ? pair : NULL, "between");
            uint32_t index[2] = {n, n};
            if (!between || between->children->len != 2) {
                scree_config_problem(b->config, pair,
                                     "expected a group { between = [\"one\", \"other\"]; .. }");
                continue;
            }
            for (int k = 0; k < 2; k++) {
                const scree_node *word = between->children->pdata[k];
                if (word->type == SCREE_NODE_STRING)
                    for (uint32_t m = 0; m < n; m++)
                        if (strcmp(b->scene->materials.names[m], word->s) == 0)
                            index[k] = m;
                if (index[k] == n)
                    scree_config_problem(b->config, word, "no material \"%s\"",
                                         word->type == SCREE_NODE_STRING ? word->s : "?");
            }
            if (index[0] == n || index[1] == n)
                continue;
            size_t key = (size_t)MIN(index[0], index[1]) * n + MAX(index[0], index[1]);
            if (seen[key]++)
                scree_config_problem(b->config, pair, "this pair is there twice");
        }
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
        nodes[i] = groups->pdata[i];
        names[i] = nodes[i]->name;
        read_material_group(b, nodes[i], i);
    }
    s->materials = (scree_materials){
        .n = n, .names = names, .groups = nodes, .build = b, .fill = scree_schema_fill_scene};
    s->materials.pairs = scree_config_list(b->config, b->config->root, "material_pairs");
    if (n == 0 && b->config->problems->len == before)
        scree_config_problem(b->config, b->config->root,
                             "a scene needs a material: "
                             "materials = { glass = { density = 2500.0; }; };");
    check_pairs(b);
}

static void read_scene_settings(scree_build *b)
{
    static const char *const renewals[] = {"all", "moved", NULL};
    scree_scene *s = b->scene;
    scree_config *c = b->config;
    scree_node *extent = scree_config_group(c, c->root, "extent");
    s->eps_v = scree_config_real(c, extent, "eps_v", NULL, 40.0, 0.0, HUGE_VAL, 0);
    s->eps_e = scree_config_real(c, extent, "eps_e", NULL, 0.05, 0.0, HUGE_VAL, 0);
    s->eps_c = scree_config_real(c, extent, "eps_c", "m", 0.0, 0.0, HUGE_VAL, 0);
    s->renew_moved = scree_config_choice(c, extent, "renew", renewals, 0) == 1;
    scree_node *renumber = scree_config_group(c, c->root, "renumber");
    s->renumber_every = (uint64_t)scree_config_int(c, renumber, "every", 1000, 0, INT64_MAX, 0);
    scree_node *guard = scree_config_group(c, c->root, "guard");
    s->guard_every = (uint64_t)scree_config_int(c, guard, "every", 100, 0, INT64_MAX, 0);
    s->guard_memory = (uint64_t)scree_config_int(c, guard, "memory", 256, 0, INT32_MAX, 0) << 20;
    s->guard_sample = (uint32_t)scree_config_int(c, guard, "sample", 0, 0, INT32_MAX, 0);
    scree_node *groups[] = {extent, renumber, guard};
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
        if (groups[i])
            scree_config_report_unknown(c, groups[i], NULL);
}

/** Calls `take` for each folder of plugin_path, the last one first. */
static void each_folder(scree_build *b,
                        void (*take)(scree_build *, const scree_node *, const char *))
{
    scree_node *node = scree_config_child(b->config->root, "plugin_path");
    bool list = node && node->type == SCREE_NODE_LIST;
    uint32_t n = !node ? 0 : list ? node->children->len : 1;
    for (uint32_t i = n; i-- > 0;) {
        const scree_node *word = list ? node->children->pdata[i] : node;
        g_autofree char *folder = NULL;
        if (word->type == SCREE_NODE_STRING)
            folder = g_path_is_absolute(word->s) || !word->dir
                         ? g_strdup(word->s)
                         : g_build_filename(word->dir, word->s, NULL);
        take(b, word, folder);
    }
}

/** Folders of the scene come before all others, in their order. */
static void take_folder(scree_build *b, const scree_node *word, const char *folder)
{
    if (folder)
        scree_registry_prepend(b->scene->registry, folder);
    else
        scree_config_problem(b->config, word, "expected the name of a folder");
}

/** Explains problems about plugins that are not there. */
static void report_absent(scree_build *b, const scree_node *word, const char *folder)
{
    if (!folder || g_file_test(folder, G_FILE_TEST_IS_DIR))
        return;
    g_autofree char *path = g_canonicalize_filename(folder, NULL);
    scree_config_problem(b->config, word,
                         "there is no folder %s yet: build its plugins, as the comments of the "
                         "scene say, or name another folder by --plugin-path",
                         path);
}

/** The order is that of need: dimension, materials, shapes, plugins that bring bodies or say whether
 * they overlap, bodies. */
static void build(scree_build *b)
{
    scree_config_child(b->config->root, "base"); // the config has merged it already
    read_scene_group(b);
    each_folder(b, take_folder);
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
    if (b->config->problems->len ==
        before) // else a plugin that is missing may be what has the field
        scree_build_fields(b);
    read_scene_settings(b);
    scree_build_checkpoint(b);
    scree_build_stop(b);
    if (b->scene->bodies->len + b->scene->to_come->len == 0 && b->config->problems->len == 0)
        scree_config_problem(b->config, b->config->root,
                             "the scene has no bodies: give `bodies` or `generate`");
    if (b->scene->bodies->len >= UINT32_MAX / 2)
        scree_config_problem(b->config, NULL, "%u bodies are more than this host can number",
                             b->scene->bodies->len);
    scree_config_report_unknown(b->config, b->config->root, NULL);
    if (b->config->problems->len && scree_registry_lacks(b->scene->registry))
        each_folder(b, report_absent);
}

/** Wide arrays go back to the system when they are freed: else what reading a table of bodies needs
 * once is held until the end, and what grows in a run leaves holes. */
static void give_back_wide_arrays(void)
{
#ifdef M_MMAP_THRESHOLD
    enum { WIDE = 1 << 20 };
    mallopt(M_MMAP_THRESHOLD, WIDE);
    mallopt(M_TRIM_THRESHOLD, 2 * WIDE);
#endif
}

scree_scene *scree_scene_new(scree_config *config, const char *name, scree_registry *registry,
                             GError **error)
{
    g_autoptr(scree_scene) s = g_new0(scree_scene, 1);
    give_back_wide_arrays();
    s->config = config;
    s->registry = registry;
    s->name = g_strdup(name);
    s->shapes = g_ptr_array_new_with_free_func((GDestroyNotify)scree_any_shape_free);
    s->shape_names = g_ptr_array_new_with_free_func(g_free);
    s->group_names = g_ptr_array_new_with_free_func(g_free);
    s->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->sources = g_ptr_array_new_with_free_func((GDestroyNotify)scree_choice_of_free);
    s->to_come = g_array_new(FALSE, FALSE, sizeof(scree_body));
    s->query = scree_query_settings_new();
    if (!config->root) {
        if (!scree_config_failed(config, error))
            g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s: empty", name);
        return NULL;
    }
    scree_build b = {.scene = s, .config = config};
    b.shape_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    s->shape_names_known = b.shape_names;
    g_clear_pointer(&b.start_rows, g_array_unref);
    // A text that could not be parsed gives no further messages.
    if (!config->broken)
        build(&b);
    scree_query_service_free(b.query);
    scree_id_set_clear(&b.ids);
    s->materials.build = NULL;
    s->materials.fill = NULL;
    if (scree_config_failed(config, error))
        return NULL;
    s->identity = scree_identity_of(s);
    return g_steal_pointer(&s);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/** The end of a message about a scene that none of the folders has: the nearest name. New string.
 */
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
    g_ptr_array_sort(names, by_name); // a folder has no order
    g_ptr_array_add(names, NULL);
    return scree_did_you_mean(scene, (const char *const *)names->pdata);
}

/** The file of a scene that was named by path or by name. */
static char *find_scene(const char *scene, GError **error)
{
    if (g_file_test(scene, G_FILE_TEST_IS_REGULAR))
        return g_strdup(scene);
    // In its build tree the scenes of the source tree are the installed ones.
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

scree_scene *scree_scene_load(const char *scene, const char *const *overrides,
                              scree_registry *registry, GError **error)
{
    g_autofree char *path = find_scene(scene, error);
    if (!path)
        return NULL;
    scree_config *config = scree_config_load(path, error);
    if (!config)
        return NULL;
    if (overrides)
        for (int i = 0; overrides[i] && !config->broken; i++) {
            g_autoptr(GError) wrong = NULL;
            if (!scree_config_set(config, overrides[i], &wrong))
                scree_config_problem(config, NULL, "%s", wrong->message);
        }
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
    scree_query_settings_free(s->query);
    scree_choice_of_free(s->integrator);
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
    g_free(s->title);
    g_free(s->name);
    scree_identity_free(s->identity);
    scree_config_free(s->config);
    g_free(s);
}
