// SPDX-License-Identifier: Apache-2.0
// Sources: groups of `generate` with a plugin.
#include <glib/gstdio.h>

#include "../../test.h"
#include "../scene_fixture.h"

#define BOX "region = { min = (0, 0, 0); max = (1, 1, 1); }; "
#define DUMBBELL                                                                                   \
    "shapes = { d = { type = \"dumbbell\"; radius = 0.05; other = 0.03; distance = 0.085; }; };\n"

/* Settings of `scene`, shapes, and groups in old words: `method` becomes `plugin`. */
static const struct {
    const char *scene, *shapes, *groups;
} same[] = {
    {BOX, "", "g = { method = \"random\"; count = 200; radius = 0.03; };"},
    {BOX, "",
     "g = { method = \"random\"; fraction = 0.15; radius = 0.03; velocity = (1, 0, 0); };"},
    {BOX "seed = 7; boundary = [\"periodic\", \"open\", \"periodic\"]; ", "",
     "g = { method = \"random\"; fraction = 0.2; distribution = { type = \"lognormal\"; median = "
     "0.03; sigma = 0.2; "
     " by = \"volume\"; }; velocity_random = 0.3; };"},
    {BOX, "",
     "a = { method = \"lattice\"; radius = 0.05; lattice = \"hexagonal\"; count = 300; spin = (0, "
     "0, "
     "1); }; "
     "b = { method = \"random\"; radius = 0.02; count = 100; region = { min = (0.2, 0.2, 0.2); max "
     "= "
     "(1.4, 0.8, 0.9); }; motion = \"fixed\"; };"},
    {BOX "boundary = \"periodic\"; ", "",
     "a = { method = \"lattice\"; radius = 0.049; lattice = \"hexagonal\"; jitter = 0.9; spacing = "
     "0.103; }; b = { method = \"random\"; radius = 0.01; count = 200; grow = 1.5; };"},
    {BOX, "",
     "a = { method = \"random\"; radius = 0.1; count = 20; }; "
     "b = { method = \"lattice\"; distribution = { type = \"uniform\"; min = 0.02; max = 0.04; }; "
     "fraction = 0.1; grow = 0.5; jitter = 0.3; };"},
    {BOX, DUMBBELL,
     "a = { method = \"random\"; shape = \"d\"; count = 60; orientation = \"random\"; }; "
     "c = { method = \"lattice\"; shape = \"d\"; region = { min = (0, 0, 0); max = (1, 1, 0.3); }; "
     "radius = 0.03; orientation = { axis = (1, 1, 0); "
     "angle = 1.0; }; };"},
    {"dimension = 2; region = { min = (0, 0); max = (1, 1); }; boundary = [\"periodic\", "
     "\"open\"]; ",
     "",
     "a = { method = \"random\"; radius = 0.03; fraction = 0.3; orientation = \"random\"; "
     "velocity_random = { type = \"uniform\"; amplitude = 2.0; }; }; "
     "b = { method = \"lattice\"; radius = 0.01; lattice = \"hexagonal\"; count = 300; };"},
};

/** The scene with `method` or `plugin` as the word. */
static scree_scene *load(size_t i, const char *word)
{
    g_autofree char *text = g_strdup_printf("scene = { %s };\n" MATERIAL "%sgenerate = { %s };\n",
                                            same[i].scene, same[i].shapes, same[i].groups);
    g_auto(GStrv) parts = g_strsplit(text, "method", -1);
    g_autofree char *whole = g_strjoinv(word, parts);
    return fixture_scene(whole);
}

TEST("/source/old-and-new-words-make-the-same-bodies")
{
    for (size_t i = 0; i < G_N_ELEMENTS(same); i++) {
        g_autoptr(scree_scene) old = load(i, "method"), now = load(i, "plugin");
        g_assert_cmpuint(old->bodies->len, >, 40);
        g_assert_cmpuint(old->bodies->len, ==, now->bodies->len);
        for (uint32_t b = 0; b < old->bodies->len; b++)
            fixture_same_body(fixture_body(old, b), fixture_body(now, b));
    }
}

/** Number of notes with this text. */
static guint count_notes(const scree_scene *s, const char *text)
{
    guint n = 0;
    for (guint i = 0; i < s->config->notes->len; i++)
        n += strstr(s->config->notes->pdata[i], text) != NULL;
    return n;
}

TEST("/source/old-words-are-noted-once-in-each-room-with-their-replacement")
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "scree-former.csv", NULL);
    g_assert_true(g_file_set_contents(path, "x,y,z,radius\n3,3,3,0.1\n", -1, NULL));
    g_autofree char *text = g_strdup_printf(
        "scene = { " BOX "};\n" MATERIAL
        "generate = { g = { method = \"lattice\"; radius = 0.1; }; "
        "h = { radius = 0.01; count = 1; }; };\n"
        "bodies = { a = { file = \"%s\"; }; b = { file = \"%s\"; format = \"table\"; }; };",
        path, path);
    g_autofree char *line =
        g_strdup_printf("generate.a = { plugin = \"table\"; file = \"%s\"; .. }", path);
    g_autoptr(scree_scene) s = fixture_scene(text);
    g_assert_cmpuint(count_notes(s, "plugin = \"lattice\"; is the word for method now"), ==, 1);
    g_assert_cmpuint(count_notes(s, "is the word for"), ==, 1);
    g_assert_cmpuint(count_notes(s, line), ==, 1);
    g_assert_cmpuint(count_notes(s, "bodies of a file come from a source"), ==, 1);
    g_remove(path);
}

TEST("/source/old-words-have-their-old-values-only")
{
    static const char *const groups[][2] = {
        {"bodies = { a = { file = \"a.csv\"; format = \"csv\"; }; };",
         "bodies.a.format: expected \"table\" or \"lammps\", got \"csv\""},
        {"bodies = { a = { file = \"a.csv\"; format = \"random\"; }; };",
         "bodies.a.format: expected \"table\" or \"lammps\", got \"random\""},
        {"bodies = { a = { file = \"a.csv\"; format = 3; }; };",
         "bodies.a.format: expected \"table\" or \"lammps\", got another type"},
        {"generate = { g = { method = \"table\"; file = \"a.csv\"; }; };",
         "generate.g.method: expected \"random\" or \"lattice\", got \"table\""}};
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        g_autofree char *text =
            g_strdup_printf("scene = { " BOX "};\n" MATERIAL "%s", groups[i][0]);
        fixture_refuse(text, groups[i][1]);
    }
}

/** A ball and a cylinder as the region, with all bodies whole in it. */
TEST("/source/bodies-are-whole-in-a-ball-and-in-a-cylinder")
{
    static const char *const sources[] = {"random\"; count = 150", "lattice\"; lattice = \"cubic"};
    for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
        for (int ball = 0; ball < 2; ball++) {
            g_autofree char *text =
                g_strdup_printf("scene = { };\n" MATERIAL
                                "generate = { g = { plugin = \"%s%s; radius = 0.05; region = "
                                "{ %s radius = 0.5; }; }; };",
                                sources[i], i ? "\"" : "",
                                ball ? "type = \"sphere\"; centre = (3, 2, 1);"
                                     : "type = \"cylinder\"; from = (3, 2, 1); to = (3, 2, 4);");
            g_autoptr(scree_scene) s = fixture_scene(text);
            g_assert_cmpuint(s->bodies->len, >=, 100);
            for (uint32_t k = 0; k < s->bodies->len; k++) {
                const double *x = fixture_body(s, k)->x;
                const double d[3] = {x[0] - 3.0, x[1] - 2.0, ball ? x[2] - 1.0 : 0.0};
                g_assert_cmpfloat(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), <=, 0.45 + 1e-9);
                g_assert_true(ball || (x[2] >= 1.05 - 1e-9 && x[2] <= 3.95 + 1e-9));
            }
        }
}

TEST("/source/mistakes-are-refused-with-their-place")
{
    static const char *const scenes[][2] = {
        {"plugin = \"random\"; radius = 0.1;", "s.cfg:3: generate.g: count or fraction is missing"},
        {"plugin = \"random\"; radius = 0.1; count = 3; fraction = 0.1;",
         "expected one of count and fraction, got both"},
        {"plugin = \"random\"; count = 3;", "the key radius or distribution is missing"},
        {"plugin = \"random\"; radius = 0.1; count = 3; jitter = 0.1;", "jitter"},
        {"plugin = \"random\"; radius = 0.1; count = 3; method = \"lattice\";", "method"},
        {"plugin = \"random\"; radius = 0.6; count = 3;", "does not fit into the region"},
        {"plugin = \"lattice\"; radius = 0.1; spacing = 0.1;",
         "spacing: expected the largest diameter, 0.2 m, or more, got 0.1 m"},
        {"plugin = \"lattice\"; radius = 0.1; count = 126;", "the lattice has room for 125 bodies"},
        {"plugin = \"latice\"; radius = 0.1;", "lattice"},
        // (1 / 2e-8)^3 sites
        {"plugin = \"lattice\"; radius = 1e-8;", "the lattice would hold 1.25e+23 bodies, 2e-08 m "
                                                 "apart: expected 100000000 at most"},
        // 0.1 m^3 over 4/3 pi (1e-5 m)^3
        {"plugin = \"lattice\"; radius = 1e-5; fraction = 0.1;", "would hold 2.39e+13 bodies"},
        {"plugin = \"lattice\"; radius = 1e-8; count = 3;", "1.25e+23 sites, 2e-08 m apart"},
        {"plugin = \"lattice\"; radius = 1e-300;", "would hold inf bodies, 2e-300 m apart"},
        {"plugin = \"random\"; radius = 1e-5; fraction = 0.1;",
         "a fraction of 0.1 takes 2.39e+13 bodies: expected 100000000 at most"},
        {"plugin = \"random\"; fraction = 0.1; distribution = { type = \"discrete\"; values = "
         "(1e-4, 1e-3); weights = (1e6, 1.0); };",
         "bodies: expected 100000000 at most"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(scenes); i++) {
        g_autofree char *text = g_strdup_printf(
            "scene = { " BOX "};\n" MATERIAL "generate = { g = { %s }; };", scenes[i][0]);
        fixture_refuse(text, scenes[i][1]);
    }
    fixture_refuse("scene = { " BOX " boundary = \"destroy\"; };\n" MATERIAL
                   "generate = { g = { plugin = \"random\"; radius = 0.1; count = 3; region = "
                   "{ min = (2, 2, 2); max = (3, 3, 3); }; }; };",
                   "it lies outside of scene.region: 2 m to 3 m along x");
    fixture_refuse("scene = { " BOX "};\n" MATERIAL "gcd = { plugin = \"linked_cell\"; };",
                   "no plugin gcd/linked_cell; installed: adaptive_grid, ");
}

/** The boundary is open: nothing removes them. */
TEST("/source/bodies-may-begin-outside-where-the-boundary-is-open")
{
    g_autoptr(scree_scene) s =
        fixture_scene("scene = { " BOX "};\n" MATERIAL
                      "generate = { g = { plugin = \"random\"; radius = 0.1; count = 3; region = "
                      "{ min = (2, 2, 2); max = (3, 3, 3); }; }; };");
    g_assert_cmpuint(s->bodies->len, ==, 3);
}
