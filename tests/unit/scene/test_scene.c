// SPDX-License-Identifier: Apache-2.0
// Scenes as a whole: defaults, refusals, all mistakes at once, and printing that reads back.
#include <glib/gstdio.h>

#include "../../test.h"
#include "../scene_fixture.h"
#include "config/units.h"
#include "scene/scene_build.h"
#include "scene/scene_keys.h"
#include "tools/look/scene_print.h"

TEST("/scene/defaults-need-no-word")
{
    g_autoptr(scree_scene) s = fixture_scene(MATERIAL BALL);
    g_assert_cmpuint(s->dimension, ==, 3);
    g_assert_true(isnan(s->dt));
    g_assert_cmpfloat(s->dt_fraction, ==, 0.3);
    g_assert_cmpstr(s->title, ==, "s");
    g_assert_cmpstr(s->gcd->plugin->id, ==, "auto");
    g_assert_cmpuint(s->resolvers->len, ==, 1);
    g_assert_cmpuint(s->forces->len, ==, 0);
    g_assert_cmpstr(s->integrator->plugin->id, ==, "velocity_verlet");
    g_assert_cmpuint(s->shapes->len, ==, 2);
    g_assert_cmpuint(s->config->notes->len, >, 0); // no force law
}

TEST("/scene/keys-of-scene-extent-intervals")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "scene = { title = \"t\"; dimension = 2; dt = \"2 us\"; steps = 7; gravity = (0, -9.81);"
        " region = { min = (-1, -2); max = (1, 2); }; boundary = [\"periodic\", \"stop\"];"
        " thickness = \"1 cm\"; seed = 9; };" MATERIAL
        "bodies = { d = { radius = 0.5; position = (0.0, 0.0); }; };"
        "extent = { eps_v = 0; eps_e = 0.0; eps_c = \"1 mm\"; renew = \"moved\"; };"
        "renumber = { every = 5; };"
        "observers = { log = { plugin = \"csv\"; every_time = \"1 ms\"; }; };");
    g_assert_cmpfloat(s->dt, ==, 2.0 * 1e-6);
    g_assert_cmpfloat(s->gravity[1], ==, -9.81);
    g_assert_cmpint(s->boundary[0], ==, SCREE_BOUNDARY_PERIODIC);
    g_assert_cmpint(s->boundary[1], ==, SCREE_BOUNDARY_STOP);
    g_assert_cmpint(s->boundary[2], ==, SCREE_BOUNDARY_OPEN);
    g_assert_cmpfloat(s->region_max[1], ==, 2.0);
    g_assert_cmpfloat(s->thickness, ==, 0.01);
    g_assert_cmpint(s->extent.renew, ==, SCREE_RENEW_MOVED);
    g_assert_cmpfloat(s->extent.eps_c, ==, 0.001);
    g_assert_cmpuint(s->renumber.every, ==, 5);
    const scree_timed_choice *timed = s->observers->pdata[0];
    g_assert_cmpstr(timed->name, ==, "log");
    assert_near(timed->every_time, 1e-3, 1e-18);
    g_assert_true(((scree_shape *)s->shapes->pdata[fixture_body(s, 0)->shape])->flat);
}

TEST("/scene/mistakes-are-refused-by-name")
{
    fixture_refuse(MATERIAL BALL "checkpoint = { every_steps = 2; every_wall = 1.0; };", "not 2");
    fixture_refuse(MATERIAL BALL "checkpoint = { kep = 3; };", "keep");
    fixture_refuse(MATERIAL BALL "checkpoint = { keep = 0; };", "checkpoint.keep");
    fixture_refuse(MATERIAL BALL "obsrvers = { };", "observers");
    fixture_refuse(MATERIAL BALL "scene = { gravty = 1.0; };", "gravity");
    fixture_refuse(MATERIAL BALL "scene = { boundary = \"periodic\"; };", "needs a scene.region");
    fixture_refuse(MATERIAL BALL "scene = { boundary = \"perodic\"; };",
                   "did you mean \"periodic\"?");
    fixture_refuse(MATERIAL BALL "scene = { region = { min = (0,0,0); max = (1,0,1); }; };",
                   "expected max > min along y, got min 0 m and max 0 m");
    fixture_refuse(MATERIAL BALL "scene = { region = { min = (0,0,0); max = (1,1e300,1); }; };",
                   "scene.region.max[1]: expected -1e+100 <= value <= 1e+100 m, got 1e+300");
    fixture_refuse(MATERIAL BALL "checkpoint = { every_time = 1e-300; };",
                   "checkpoint.every_time: expected >= 1e-30 s, got 1e-300");
    fixture_refuse(MATERIAL BALL "scene = { dt = 0.0; };", "scene.dt");
    fixture_refuse(MATERIAL BALL "gcd = { plugin = \"flat\"; };", "gcd/flat does not serve 3D");
    fixture_refuse(MATERIAL BALL "resolvers = ( { plugin = \"even\"; } );",
                   "resolver/even does not serve 3D");
    fixture_refuse(MATERIAL BALL "resolvers = ( { plugin = \"blunt\"; } );"
                                 "force = ( { plugin = \"needy\"; } );",
                   "needs `area` of contacts");
    fixture_refuse(MATERIAL BALL "force = ( { plugin = \"spring\"; } );", "kn");
    fixture_refuse(MATERIAL BALL
                   "observers = { a = { plugin = \"csv\"; every_steps = 1; every_wall = 2.0; }; };",
                   "one of every_steps");
    fixture_refuse(MATERIAL BALL "modifiers = { a = { plugin = \"none\"; every_wall = 2.0; }; };",
                   "may not depend on the clock");
    fixture_refuse("materials = { a = { }; };" BALL, "density");
    fixture_refuse("materials = { a = { density = 0.0; }; };" BALL, "density");
    fixture_refuse("materials = { a = { density = 1.0; densty = 1.0; }; };" BALL, "densty");
    fixture_refuse(BALL, ": a scene needs a material");
    fixture_refuse(MATERIAL, "no bodies");
    fixture_refuse(MATERIAL BALL "material_pairs = ( { between = [\"glass\", \"steel\"]; } );",
                   "steel");
}

TEST("/scene/all-mistakes-at-once")
{
    g_autoptr(GError) error = NULL;
    scree_scene *s = fixture_load("scene = { dimension = 4; };\n" MATERIAL
                                  "bodies = { a = { radius = -1.0; position = (0,0,0); };\n"
                                  "b = { shape = \"sphre\"; }; };\n"
                                  "gcd = { plugin = \"gird\"; };\n",
                                  &error);
    g_assert_null(s);
    const char *const expected[] = {
        "s.cfg:1:", "s.cfg:3:", "s.cfg:4:", "s.cfg:5:", "sphere", "grid"};
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++)
        g_assert_nonnull(strstr(error->message, expected[i]));
}

TEST("/scene/pairs-beat-mixing")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "materials = { a = { density = 1.0; kn = 2.0; }; b = { density = 1.0; kn = 6.0; }; };"
        "material_pairs = ( { between = [\"a\", \"b\"]; kn = 5.0; } );"
        "bodies = { x = { material = \"b\"; radius = 1.0; position = (0,0,0); }; };"
        "force = ( { plugin = \"spring\"; } );");
    const scree_reals *kn = ((scree_choice_of *)s->forces->pdata[0])->config;
    g_assert_cmpuint(kn->n, ==, 4);
    g_assert_cmpfloat(kn->v[1], ==, 5.0);
    g_assert_cmpfloat(kn->v[2], ==, 5.0);
    g_assert_cmpfloat(kn->v[3], ==, 6.0);
    g_assert_cmpuint(fixture_body(s, 0)->material, ==, 1);
    fixture_refuse("materials = { a = { density = 1.0; kn = 2.0; }; };"
                   "material_pairs = ( { between = [\"a\", \"a\"]; kn = 5.0; },"
                   " { between = [\"a\", \"a\"]; kn = 6.0; } );" BALL,
                   "twice");
}

TEST("/scene/print-reads-back-the-same")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "scene = { title = \"a \\\"b\\\" \\\\c\"; dt = 1e-7; gravity = (0, 0.1, -9.81);"
        " seed = 5000000000L; };" MATERIAL BALL LAW);
    g_autofree char *text = scree_scene_print(s);
    g_autoptr(scree_scene) t = fixture_scene(text);
    g_autofree char *again = scree_scene_print(t);
    g_assert_cmpstr(text, ==, again);
    g_assert_cmpstr(t->title, ==, "a \"b\" \\c");
    g_assert_cmpfloat(t->dt, ==, s->dt);
    g_assert_cmpfloat(t->gravity[1], ==, 0.1);
    g_assert_cmpuint(t->seed, ==, 5000000000u);
    g_assert_nonnull(strstr(text, "friction = 0.25;")); // a default of the law
    g_assert_nonnull(strstr(text, "plugin = \"velocity_verlet\";"));
}

/** The print of a scene is read from any folder: the names of its files are absolute. */
TEST("/scene/print-names-files-absolutely")
{
    g_autoptr(GError) error = NULL;
    g_autofree char *dir = g_dir_make_tmp("scree-print-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(dir, "wall.obj", NULL);
    g_assert_true(g_file_set_contents(file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", -1, NULL));
    scree_config *config = scree_config_parse(
        MATERIAL BALL LAW "shapes = { w = { type = \"mesh\"; file = \"wall.obj\"; }; };", "s.cfg",
        dir);
    g_autoptr(scree_scene) s = scree_scene_new(config, "s", fixture_registry(), &error);
    g_assert_no_error(error);
    g_autofree char *text = scree_scene_print(s);
    g_assert_nonnull(strstr(text, file));
    g_autoptr(scree_scene) again = fixture_scene(text);
    g_assert_nonnull(again);
    g_assert_cmpint(g_unlink(file), ==, 0);
    g_assert_cmpint(g_rmdir(dir), ==, 0);
}

TEST("/scene/missing-scene-says-where-it-looked")
{
    g_autoptr(GError) error = NULL;
    g_assert_null(scree_scene_load("no-such-scene", NULL, fixture_registry(), &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_nonnull(strstr(error->message, "no-such-scene.cfg"));
}

TEST("/scene/first-scenes-load")
{
    static const struct {
        const char *name;
        uint32_t bodies, dimension;
    } scenes[] = {{"collision", 2, 3}, {"pile", 404, 2}, {"bed", 1506, 3}, {"gas", 1000, 3}};
    for (size_t i = 0; i < G_N_ELEMENTS(scenes); i++) {
        g_autoptr(GError) error = NULL;
        const char *const set[] = {"scene.steps=3", NULL};
        g_autofree char *path =
            g_strdup_printf("%s/../../configs/%s.cfg", g_test_get_dir(G_TEST_DIST), scenes[i].name);
        g_autoptr(scree_scene) s = scree_scene_load(path, set, fixture_registry(), &error);
        g_assert_no_error(error);
        g_assert_cmpuint(s->bodies->len, ==, scenes[i].bodies);
        g_assert_cmpuint(s->dimension, ==, scenes[i].dimension);
        g_assert_cmpuint(s->steps, ==, 3);
        g_assert_cmpstr(s->name, ==, scenes[i].name);
    }
}

/** A mistake of the text is reported, and none that follows from it. */
TEST("/scene/a-mistake-is-reported-once")
{
    static const char *const texts[] = {
        "materials = { glass = { density = 0.0; }; };" BALL,
        MATERIAL
        "bodies = { ball = { radius = 0.5; diameter = 1.0; position = (0.0, 0.0, 0.0); }; };",
        MATERIAL "generate = { balls = { radius = 0.5; diameter = 1.0; count = 1;"
                 "region = { min = (0, 0, 0); max = (2, 2, 2); }; }; };"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strconcat(texts[i], LAW, NULL);
        g_assert_null(fixture_load(text, &error));
        g_assert_cmpstr(strchr(error->message, '\n'), ==, NULL);
    }
}

/** Whether the default of a number lies in its range; others have none. */
static bool default_fits(const scree_param *row)
{
    if (row->type == SCREE_TYPE_REAL)
        return isnan(row->real_default) ||
               (row->real_default >= row->real_min && row->real_default <= row->real_max);
    return (row->type != SCREE_TYPE_INT && row->type != SCREE_KEY_COUNT) ||
           (row->int_default >= row->int_min && row->int_default <= row->int_max);
}

TEST("/scene/rows-of-keys-are-sound")
{
    const uint32_t none = SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL | SCREE_KEY_UNSET;
    guint n = 0;
    for (int t = 0; t < SCREE_KEYS_END; t++)
        for (uint32_t k = 0; k < scree_scene_tables[t].n; k++) {
            const scree_param *row = &scree_scene_tables[t].rows[k];
            scree_unit unit;
            g_assert_true(row->help && *row->help && !strchr(row->help, '\n'));
            g_assert_true(row->offset < scree_scene_tables[t].size);
            g_assert_true(scree_unit_parse(row->unit, &unit, NULL) && unit.factor == 1.0);
            g_assert_true(row->flags & none || default_fits(row));
            for (uint32_t i = 0; i < k; i++)
                g_assert_cmpstr(row->name, !=, scree_scene_tables[t].rows[i].name);
            n++;
        }
    g_assert_cmpuint(n, >, 100);
}
