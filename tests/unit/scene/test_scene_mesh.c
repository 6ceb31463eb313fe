// SPDX-License-Identifier: Apache-2.0
// Meshes in scenes: unit, scale, rotate, move in the order written; policies; what is refused.
#include <glib/gstdio.h>

#define OWN_MAIN
#include "../../test.h"
#include "../scene_fixture.h"

#include "shape/shape.h"
#include "tools/look/shape_survey.h"

static char *folder;

/** The one problem (or note) among them has this text. */
static void expect_text(const GPtrArray *texts, const char *expected)
{
    g_assert_cmpuint(texts->len, >, 0);
    for (guint i = 0; i < texts->len; i++)
        if (strstr(texts->pdata[i], expected))
            return;
    g_assert_cmpstr(texts->pdata[0], ==, expected);
}

static void put(const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *scene_of(const char *file, const char *keys)
{
    return g_strdup_printf(MATERIAL BALL
                           "shapes = { wall = { type = \"mesh\"; file = \"%s/%s\"; %s }; };\n",
                           folder, file, keys);
}

static scree_scene *load(const char *file, const char *keys)
{
    g_autofree char *text = scene_of(file, keys);
    return fixture_scene(text);
}

static void refuse(const char *file, const char *keys, const char *expected)
{
    g_autofree char *text = scene_of(file, keys);
    fixture_refuse(text, expected);
}

static const scree_shape *wall(const scree_scene *s)
{
    return s->shapes->pdata[s->shapes->len - 1];
}

/** Twice the area of a triangle in the plane z = 0, above 0 where its normal points up. */
static double normal_z(const scree_mesh *m, uint32_t facet)
{
    const uint32_t *f = m->facet + 4 * facet;
    const double *x = m->vertex[0], *y = m->vertex[1];
    return (x[f[1]] - x[f[0]]) * (y[f[2]] - y[f[0]]) - (x[f[2]] - x[f[0]]) * (y[f[1]] - y[f[0]]);
}

static void check_vertex(const char *keys, double x, double y, double z)
{
    g_autoptr(scree_scene) s = load("one.obj", keys);
    const scree_shape *shape = wall(s);
    assert_near(shape->mesh->vertex[0][0], x, 1e-15);
    assert_near(shape->mesh->vertex[1][0], y, 1e-15);
    assert_near(shape->mesh->vertex[2][0], z, 1e-15);
}

TEST("/scene-mesh/keys-act-in-the-order-written")
{
    put("one.obj", "v 3 4 5\nv 6 4 5\nv 3 8 5\nf 1 2 3\n");
    check_vertex("", 3.0, 4.0, 5.0);
    check_vertex("unit = \"mm\";", 3e-3, 4e-3, 5e-3);
    check_vertex("unit = \"mm\"; scale = 2.0;", 6e-3, 8e-3, 10e-3);
    check_vertex("scale = (1.0, 2, \"50 %\");", 3.0, 8.0, 2.5);
    check_vertex("move = (\"5 mm\", 0.0, -5);", 3.005, 4.0, 0.0);
    check_vertex("rotate = { axis = (0, 0, 2); angle = \"90 deg\"; };", -4.0, 3.0, 5.0);
    check_vertex("rotate = { axis = (1, 1, 1); angle = \"-120 deg\"; };", 4.0, 5.0, 3.0);
    // in the order in which they are written
    check_vertex("scale = 2.0; move = (1, 0, 0);", 7.0, 8.0, 10.0);
    check_vertex("move = (1, 0, 0); scale = 2.0;", 8.0, 8.0, 10.0);
    check_vertex("move = (1, 0, 0); rotate = { axis = (0, 0, 1); angle = \"90 deg\"; };", -4.0, 4.0,
                 5.0);
    check_vertex("rotate = ({ axis = (0, 0, 1); angle = \"90 deg\"; }, { axis = (1, 0, 0); angle = "
                 "\"180 deg\"; });",
                 -4.0, -3.0, -5.0);
}

TEST("/scene-mesh/bad-keys-are-refused")
{
    refuse("one.obj", "unit = \"kg\";", "shapes.wall.unit: expected a unit of length, got \"kg\"");
    refuse("one.obj", "unit = \"furlong\";", "shapes.wall.unit");
    refuse("one.obj", "scale = 0.0;", "shapes.wall.scale");
    refuse("one.obj", "scale = (1, 1, -1);", "shapes.wall.scale[2]: expected > 0, got -1");
    refuse("one.obj", "scale = 1e200; move = (0, 0, 0); unit = \"Mm\";", "degenerate");
    refuse("one.obj", "scale = (1e308, 1e308, 1e308);", "beyond all bounds");
    refuse("one.obj", "rotate = 3.0;", "expected { axis = (x, y, z); angle = ..; }");
    refuse("one.obj", "rotate = { axis = (0, 0, 0); angle = 1.0; };", "an axis of length 0");
    refuse("one.obj", "rotate = { axis = (0, 0, 1); };", "angle");
    refuse("one.obj", "rotate = { axis = (0, 0, 1); angle = \"3 mm\"; };", "angle");
    refuse("one.obj", "move = (1, 2);", "shapes.wall.move");
    refuse("one.obj", "format = \"ply\";", "shapes.wall.format");
    refuse("one.obj", "weld = -1.0;", "shapes.wall.weld");
    refuse("one.obj", "wled = 1.0;", "did you mean \"weld\"?");
    refuse("one.obj", "degenerate = \"ignore\";", "shapes.wall.degenerate");
    refuse("none.stl", "", "none.stl");
    refuse("none.stl", "scale = -1.0;", "shapes.wall.scale");
    put("one.txt", "v 3 4 5\nv 6 4 5\nv 3 8 5\nf 1 2 3\n");
    refuse("one.txt", "", "ends neither in .stl nor in .obj");
    check_vertex("format = \"obj\";", 3.0, 4.0, 5.0);
    refuse("one.obj", "format = \"stl\";", "not an STL file");
}

#define BAD                                                                                        \
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0.5 0 0\nv 1.0000001 0 0\nv 2 0 0\n"                    \
    "f 1 2 3\nf 2 4 3\nf 1 5 2\nf 1 2 6\nf 3 2 4\n"

TEST("/scene-mesh/degenerate-and-duplicate-by-policy")
{
    put("bad.obj", BAD);
    refuse("bad.obj", "", "2 of 5 facets are degenerate:\n");
    refuse("bad.obj", "", "bad.obj:10: facet 2: its corners are on a line (height 0 m, weld = ");
    refuse("bad.obj", "", "bad.obj:11: facet 3: two corners in one place\n");
    refuse("bad.obj", "", "degenerate = \"drop\" would go on");
    refuse("bad.obj", "degenerate = \"drop\";", "1 of 3 facets are duplicates:\n");
    refuse("bad.obj", "degenerate = \"drop\";", "bad.obj:12: facet 4, as ");
    scree_scene *s = load("bad.obj", "degenerate = \"drop\"; duplicate = \"drop\";");
    g_assert_cmpuint(wall(s)->mesh->n_facets, ==, 2);
    g_assert_cmpuint(wall(s)->mesh->n_vertices, ==, 4);
    expect_text(s->config->notes, "2 of 5 facets are degenerate (dropped):");
    expect_text(s->config->notes, "1 of 3 facets are duplicates (dropped):");
    scree_scene_free(s);
    put("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    refuse("flat.obj", "degenerate = \"drop\";", "no facets are left");
    // Only exact equality: the two corners that are 1e-7 apart stay two, and a sliver stays.
    put("near.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1e-7 0\nv 1 1 0\nf 1 2 3\nf 4 5 3\n");
    s = load("near.obj", "weld = 0.0;");
    g_assert_cmpuint(wall(s)->mesh->n_vertices, ==, 5);
    scree_scene_free(s);
    s = load("near.obj", "");
    g_assert_cmpuint(wall(s)->mesh->n_vertices, ==, 4);
    scree_scene_free(s);
    s = load("near.obj", "weld = \"50 nm\";");
    g_assert_cmpuint(wall(s)->mesh->n_vertices, ==, 5);
    scree_scene_free(s);
}

TEST("/scene-mesh/inside-out-by-policy")
{
    put("turned.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 0 0\n"
                      "f 1 2 3\nf 2 3 4\nf 2 5 4\n");
    refuse("turned.obj", "inside_out = \"error\";", "1 of 3 facets are inside out:\n");
    refuse("turned.obj", "inside_out = \"error\";", "turned.obj:7: facet 1");
    scree_scene *s = load("turned.obj", "");
    expect_text(s->config->notes, "turned.obj:7: facet 1");
    scree_survey v;
    scree_shape_survey(wall(s), &v);
    g_assert_cmpuint(v.turned, ==, 1);
    scree_scene_free(s);
    s = load("turned.obj", "inside_out = \"turn\";");
    expect_text(s->config->notes, "1 of 3 facets are inside out (turned):");
    scree_shape_survey(wall(s), &v);
    g_assert_cmpuint(v.turned, ==, 0);
    for (uint32_t i = 0; i < 3; i++)
        g_assert_cmpfloat(normal_z(wall(s)->mesh, i), >, 0.0);
    scree_scene_free(s);
}

int main(int argc, char **argv)
{
    folder = g_dir_make_tmp("scree-XXXXXX", NULL);
    int status = test_run(argc, argv);
    static const char *const files[] = {"one.obj",  "one.txt",  "bad.obj",
                                        "flat.obj", "near.obj", "turned.obj"};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i], NULL);
        g_remove(path);
    }
    g_rmdir(folder);
    g_free(folder);
    return status;
}
