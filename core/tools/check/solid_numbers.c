/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the representations of solids, which resolvers give by draft.solid/1.
 *
 * A file of a surface becomes a scene: shapes.solid is a polyhedron of that file, `resolvers` is
 * dfr3d. Overrides reach both: resolvers.cells=48, shapes.solid.unit="mm". */
#include "tools/check/solid_numbers.h"

#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/pool.h"
#include "cli/cmd.h"
#include "config/config.h"
#include "config/config_set.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "scene/scene.h"
#include "scene/scene_runtime.h"
#include "scree/draft/solid.h"

enum { MOST_NUMBERS = 64 };

typedef struct survey {
    scree_scene *scene;
    scree_runtime runtime;
    scree_json *json; // NULL: text
    uint32_t n;       // solids that were printed
} survey;

/** The scene of a file; NULL with an error. */
static scree_scene *find_scene(const char *file, char **settings, scree_registry *registry,
                               GError **error)
{
    if (g_str_has_suffix(file, ".cfg"))
        return scree_scene_load(file, (const char *const *)settings, registry, error);
    g_autofree char *path = g_canonicalize_filename(file, NULL);
    g_autoptr(GString) quoted = g_string_new(path);
    g_string_replace(quoted, "\\", "\\\\", 0);
    g_string_replace(quoted, "\"", "\\\"", 0);
    g_autofree char *text =
        g_strdup_printf("scene = { dt = 1.0; steps = 1; }; materials = { any = { density = 1.0; }; "
                        "}; shapes = { solid = { type = \"polyhedron\"; file = \"%s\"; }; }; "
                        "bodies = { solid = { shape = \"solid\"; position = (0.0, 0.0, 0.0); "
                        "motion = \"fixed\"; }; }; resolvers = { plugin = \"dfr3d\"; };",
                        quoted->str);
    scree_config *config = scree_config_parse(text, file, ".");
    if (settings)
        scree_config_set_all(config, g_strv_length(settings), (const char *const *)settings, NULL);
    return scree_scene_new(config, file, registry, error);
}

static void print(const survey *s, const scree_instance *resolver, const char *shape,
                  const scree_solid_grid *grid, const scree_solid_number *number, uint32_t n)
{
    if (!s->json) {
        printf("%s by resolver/%s: %u x %u x %u cells\n", shape, resolver->plugin->id, grid->n[0],
               grid->n[1], grid->n[2]);
        for (uint32_t k = 0; k < n; k++)
            printf("  %-10s %.10g\n", number[k].name, number[k].value);
        return;
    }
    scree_json_open_object(s->json, NULL);
    scree_json_string(s->json, "shape", shape);
    scree_json_string(s->json, "resolver", resolver->plugin->id);
    scree_json_open_array(s->json, "n");
    for (int k = 0; k < 3; k++)
        scree_json_uint(s->json, NULL, grid->n[k]);
    scree_json_close_array(s->json);
    scree_json_open_array(s->json, "origin");
    for (int k = 0; k < 3; k++)
        scree_json_real(s->json, NULL, grid->origin[k]);
    scree_json_close_array(s->json);
    scree_json_open_array(s->json, "axes");
    for (int k = 0; k < 9; k++)
        scree_json_real(s->json, NULL, grid->axis[k / 3][k % 3]);
    scree_json_close_array(s->json);
    for (uint32_t k = 0; k < n; k++)
        scree_json_real(s->json, number[k].name, number[k].value);
    scree_json_close_object(s->json);
}

/** Prints the solids of one resolver, which has prepared all shapes. */
static bool print_resolver(survey *s, scree_instance *resolver, GError **error)
{
    const scree_solid *solid = scree_call_extension(resolver->plugin, SCREE_DRAFT_SOLID);
    const guint n_shapes = solid && SCREE_HAS(solid, zone) ? s->scene->shapes->len : 0;
    for (guint k = 0; k < n_shapes; k++) {
        scree_solid_number number[MOST_NUMBERS];
        scree_solid_grid grid;
        uint32_t n = 0;
        scree_call call = scree_call_begin(resolver, SCREE_CALL_CONFIG, "draft.solid/1");
        const int32_t has = solid->grid(resolver->self, k, &grid);
        if (has)
            n = solid->numbers(resolver->self, k, MOST_NUMBERS, number);
        if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
            return false;
        if (has)
            print(s, resolver, s->scene->shape_names->pdata[k], &grid, number,
                  MIN(n, MOST_NUMBERS));
        s->n += has != 0;
    }
    return true;
}

static bool print_all(survey *s, GError **error)
{
    for (guint r = 0; r < s->scene->resolvers->len; r++) {
        const scree_slot slot = {.kind = SCREE_KIND_RESOLVER, .index = r};
        scree_instance *one =
            scree_instance_at(&s->runtime, s->scene->resolvers->pdata[r], slot, error);
        const bool good = one && scree_prepare_shapes(s->scene->shapes, one, error) &&
                          print_resolver(s, one, error);
        scree_instance_free(one);
        if (!good)
            return false;
    }
    return s->n || scree_fail(error, SCREE_EXIT_USAGE,
                              "no resolver of the scene shows how it represents a solid "
                              "(" SCREE_DRAFT_SOLID "); dfr3d does");
}

int scree_check_solid_numbers(const char *file, char **settings, gboolean as_json,
                              scree_registry *registry)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_scene) scene = find_scene(file, settings, registry, &error);
    if (!scene)
        return scree_cmd_fail(error);
    survey s = {.scene = scene,
                .runtime = scree_scene_runtime(scene, scree_pool_new(1)),
                .json = as_json ? scree_json_new() : NULL};
    if (s.json) {
        scree_json_open_object(s.json, NULL);
        scree_json_string(s.json, "file", file);
        scree_json_open_array(s.json, "solids");
    } else {
        s.runtime.say = scree_keep_quiet;
    }
    const bool good = print_all(&s, &error);
    if (s.json) {
        scree_json_close_array(s.json);
        scree_json_close_object(s.json);
        if (good)
            fputs(scree_json_text(s.json), stdout);
        scree_json_free(s.json);
    }
    scree_pool_free(s.runtime.pool);
    return good ? SCREE_EXIT_OK : scree_cmd_fail(error);
}
