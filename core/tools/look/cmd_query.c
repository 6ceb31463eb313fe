/* SPDX-License-Identifier: Apache-2.0 */
/* `scree query`: prints the bodies in a box or ball, of a scene or of a run's last checkpoint. */
#include "tools/look/cmd_query.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "cli/cmd.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "shape/shape.h"
#include "tools/look/look_json.h"
#include "tools/look/zone_bodies.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/scene_again.h"

/** Loads the scene, or that of a run with its current bodies. */
static scree_scene *load_asked(const char *path, char **overrides, scree_registry *registry,
                               GError **error)
{
    const char *const *set = (const char *const *)overrides;
    if (!g_file_test(path, G_FILE_TEST_IS_DIR) && !g_str_has_suffix(path, ".h5"))
        return scree_scene_load(path, set, registry, error);
    g_autoptr(scree_checkpoint) file = scree_checkpoint_find(path, error);
    scree_scene *scene = file ? scree_stored_scene_load(file->scene, set, registry, error) : NULL;
    if (scene)
        scree_zone_take_world(scene->bodies, file->snapshot->world);
    return scene;
}

/** A body in the region. Hits name bodies by their index in the scene. */
static const scree_body *find_body(const scree_scene *scene, const scree_zone_hit *hit)
{
    return &g_array_index(scene->bodies, scree_body, hit->index);
}

/** Prints the number and mass of free bodies, and the number of others, on standard error. */
static void print_sum(const scree_scene *scene, const GArray *hits)
{
    double sum = 0.0;
    guint n = 0;
    for (guint i = 0; i < hits->len; i++) {
        const scree_body *b = find_body(scene, &g_array_index(hits, scree_zone_hit, i));
        double mass, moment[3];
        if (b->motion != SCREE_MOTION_FREE)
            continue;
        scree_shape_mass(scene->shapes->pdata[b->shape], b->scale, scene->density[b->material],
                         scene->thickness, &mass, moment);
        sum += mass;
        n++;
    }
    fflush(stdout);
    fprintf(stderr, "scree query: %u free bod%s of %.6g kg, %u other%s\n", n, n == 1 ? "y" : "ies",
            sum, hits->len - n, hits->len - n == 1 ? "" : "s");
}

/** Prints a line for each body; standard error lists bodies of which only the box is in the
 * region. */
static void print_lines(const scree_scene *scene, const GArray *hits)
{
    g_autoptr(GString) by_box = g_string_new(NULL);
    for (guint i = 0; i < hits->len; i++) {
        const scree_zone_hit *hit = &g_array_index(hits, scree_zone_hit, i);
        const uint64_t id = find_body(scene, hit)->id;
        printf("%" PRIu64 "\n", id);
        if (hit->by_box)
            g_string_append_printf(by_box, " %" PRIu64, id);
    }
    if (by_box->len)
        fprintf(stderr, "scree query: by their boxes, no resolver of the scene can say:%s\n",
                by_box->str);
    print_sum(scene, hits);
}

static bool query(const char *path, char **overrides, const char *box, const char *ball,
                  scree_json *json, GError **error)
{
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    g_autoptr(scree_scene) scene =
        scree_cpu_level(error) ? load_asked(path, overrides, registry, error) : NULL;
    g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(scree_zone_hit));
    if (!scene || !scree_zone_bodies(scene, scene->bodies, NULL, box ? "--box" : "--ball",
                                     box ? box : ball, hits, error))
        return false;
    if (json)
        scree_zone_bodies_json(json, scene, scene->bodies, hits);
    else
        print_lines(scene, hits);
    return true;
}

int scree_cmd_query(int argc, char **argv)
{
    g_auto(GStrv) overrides = NULL;
    g_autofree char *box = NULL, *ball = NULL;
    gboolean json = FALSE;
    scree_look look;
    g_autoptr(GError) error = NULL;
    const GOptionEntry entries[] = {
        {"box", 0, 0, G_OPTION_ARG_FILENAME, &box,
         "Bodies in a box, its lower and its upper corner", "X0,Y0,Z0:X1,Y1,Z1"},
        {"ball", 0, 0, G_OPTION_ARG_FILENAME, &ball, "Bodies in a ball", "X,Y,Z:R"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json,
         "Print one JSON object: id, group, shape and position of each, and whether only its box "
         "is "
         "there",
         NULL},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &overrides,
         "Override a setting of the scene; add to a list", "PATH[+]=VALUE"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!scree_cmd_parse(&argc, &argv, entries, "SCENE|RUN",
                         "Prints the ids of the bodies that overlap a box or ball, or touch it: of "
                         "a scene before "
                         "its\nfirst step, or of a run (its folder, or a checkpoint) at its last "
                         "checkpoint. Numbers "
                         "are in metres;\nin 2D leave out Z.",
                         &status))
        return status;
    if (argc != 2)
        return scree_cmd_operands("query", "SCENE or RUN", argc - 1);
    if (!box == !ball)
        return scree_cmd_usage("query", "expected one of --box and --ball, got %s",
                               box ? "both" : "none");
    scree_look_begin(&look, json, false);
    const bool ok = query(argv[1], overrides, box, ball, look.json, &error);
    return scree_look_end(&look, ok ? SCREE_EXIT_OK : scree_look_fail(&look, error));
}
