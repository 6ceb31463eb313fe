/* SPDX-License-Identifier: Apache-2.0 */
/* `scree query`: prints the bodies in a box or ball, of a scene or of a run's last checkpoint. */
#include "tools/look/cmd_query.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "cli/cmd.h"
#include "config/units.h"
#include "plugin/registry.h"
#include "run/checkpoint.h"
#include "scene/query_space.h"
#include "scene/scene.h"
#include "shape/shape.h"
#include "tools/look/look_json.h"

/** Reads lengths separated by commas: "0.3,0,-17 mm". False: `text` is something else. */
static bool read_vector(const char *text, uint32_t n, double *out)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    bool good = g_strv_length(words) == n;
    for (uint32_t k = 0; good && k < n; k++) {
        good = scree_quantity_parse(g_strstrip(words[k]), "m", &out[k], NULL);
    }
    return good;
}

/** Splits the value of an option at its colon. */
static bool read_halves(const char *text, uint32_t n, uint32_t m, double *first, double *second)
{
    g_auto(GStrv) halves = g_strsplit(text, ":", -1);
    return g_strv_length(halves) == 2 && read_vector(halves[0], n, first) &&
           read_vector(halves[1], m, second);
}

/** Reads the zone of --box or --ball. */
static bool read_zone(const char *box, const char *ball, uint32_t dimension, scree_zone *z,
                      GError **error)
{
    const bool flat = dimension == 2;
    *z = (scree_zone){.size = sizeof *z, .type = box ? SCREE_ZONE_BOX : SCREE_ZONE_BALL};
    if (box && !read_halves(box, dimension, dimension, z->lo, z->hi))
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--box", box,
                             "expected %s of a scene in %uD, in metres or with a unit (20mm)",
                             flat ? "X0,Y0:X1,Y1" : "X0,Y0,Z0:X1,Y1,Z1", dimension);
    if (ball && !read_halves(ball, dimension, 1, z->a, &z->radius))
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--ball", ball,
                             "expected %s of a scene in %uD, in metres or with a unit (20mm)",
                             flat ? "X,Y:R" : "X,Y,Z:R", dimension);
    if (box)
        return true;
    for (uint32_t k = 0; k < dimension; k++) {
        z->lo[k] = z->a[k] - z->radius;
        z->hi[k] = z->a[k] + z->radius;
    }
    return true;
}

/** Puts the bodies of a run's last checkpoint in place of the scene's first ones. */
static void take_bodies(scree_scene *scene, const scree_checkpoint *file)
{
    const scree_world *w = file->snapshot->world;
    g_array_set_size(scene->bodies, 0);
    for (uint32_t i = 0; i < w->n; i++) {
        scree_body b = {.id = w->id[i],
                        .shape = w->shape[i],
                        .material = w->material[i],
                        .motion = w->motion[i],
                        .group = w->group[i],
                        .scale = w->scale[i]};
        for (int k = 0; k < 4; k++)
            b.q[k] = w->q[k][i];
        for (int k = 0; k < 3; k++)
            b.x[k] = w->x[k][i];
        g_array_append_val(scene->bodies, b);
    }
}

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
        take_bodies(scene, file);
    return scene;
}

/** A body in the region. Hits name bodies by their index in the scene. */
static const scree_body *find_body(const scree_scene *scene, const scree_space_hit *hit)
{
    return &g_array_index(scene->bodies, scree_body, hit->id);
}

static void put_json(scree_json *json, const scree_scene *scene, const GArray *hits)
{
    scree_json_open_array(json, "bodies");
    for (guint i = 0; i < hits->len; i++) {
        const scree_space_hit *hit = &g_array_index(hits, scree_space_hit, i);
        const scree_body *b = find_body(scene, hit);
        scree_json_open_object(json, NULL);
        scree_json_uint(json, "id", b->id);
        scree_json_string(json, "group", scene->group_names->pdata[b->group]);
        scree_json_string(json, "shape", scene->shape_names->pdata[b->shape]);
        scree_json_open_array(json, "position");
        for (uint32_t k = 0; k < scene->dimension; k++)
            scree_json_real(json, NULL, b->x[k]);
        scree_json_close_array(json);
        scree_json_bool(json, "by_box", hit->by_box);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}

/** Prints the number and mass of free bodies, and the number of others, on standard error. */
static void print_sum(const scree_scene *scene, const GArray *hits)
{
    double sum = 0.0;
    guint n = 0;
    for (guint i = 0; i < hits->len; i++) {
        const scree_body *b = find_body(scene, &g_array_index(hits, scree_space_hit, i));
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
        const scree_space_hit *hit = &g_array_index(hits, scree_space_hit, i);
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

static int compare_ids(gconstpointer pa, gconstpointer pb, gpointer user)
{
    const uint64_t a = find_body(user, pa)->id, b = find_body(user, pb)->id;
    return a < b ? -1 : a > b;
}

static bool query(const char *path, char **overrides, const char *box, const char *ball,
                  scree_json *json, GError **error)
{
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    g_autoptr(scree_scene) scene =
        scree_cpu_level(error) ? load_asked(path, overrides, registry, error) : NULL;
    g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(scree_space_hit));
    scree_zone zone;
    if (!scene || !read_zone(box, ball, scene->dimension, &zone, error))
        return false;
    g_autofree char *wrong = scree_space_check_zone(scene, &zone);
    if (wrong)
        return scree_fail_of(error, SCREE_EXIT_USAGE, box ? "--box" : "--ball", box ? box : ball,
                             "%s", wrong);
    g_autoptr(scree_space) space = scree_space_new(scene, NULL);
    for (guint i = 0; i < scene->bodies->len; i++)
        if (!scree_space_add(space, &g_array_index(scene->bodies, scree_body, i), i, error))
            return false;
    if (!scree_space_find(space, &zone, hits, error))
        return false;
    g_array_sort_with_data(hits, compare_ids, scene);
    if (json)
        put_json(json, scene, hits);
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
    scree_look_begin(&look, json);
    const bool ok = query(argv[1], overrides, box, ball, look.json, &error);
    return scree_look_end(&look, ok ? SCREE_EXIT_OK : scree_look_fail(&look, error));
}
