// SPDX-License-Identifier: Apache-2.0
// Keys of bodies that are made by number, of shapes that are not round: sizes, orientation, refusals.
#include <glib/gstdio.h>

#include "../../test.h"
#include "../scene_fixture.h"
#include "shape/plugin_shape.h"

/* Half sides 1, 2, 3: volume 48, bounding radius sqrt(14). */
#define BRICK                                                                                      \
    "shapes = { stone = { type = \"brick\"; size = [1, 2, 3]; turn = [9, 4, -5, 2]; };\n"          \
    "floor = { type = \"plane\"; normal = (0, 0, 1); };\n"                                         \
    "ball = { type = \"sphere\"; radius = 0.2; }; };\n"
#define FRAME "scene = { region = { min = (0,0,0); max = (100,100,100); }; };\n" MATERIAL BRICK
#define STONE(KEYS) FRAME "generate = { g = {\n shape = \"stone\"; count = 2; " KEYS " }; };"
#define FEED(KEYS)                                                                                 \
    FRAME "modifiers = { f = { plugin = \"insert\"; number = 2;\n body = { " KEYS " }; }; };"

static double scale_of(const char *keys)
{
    g_autofree char *text =
        g_strdup_printf(FRAME "generate = { g = { shape = \"stone\"; count = 1; %s }; };", keys);
    g_autoptr(scree_scene) s = fixture_scene(text);
    return fixture_body(s, 0)->scale;
}

TEST("/made/sizes-are-those-of-the-sphere-of-equal-volume")
{
    const double equal = cbrt(36.0 / G_PI); // 4/3 pi r^3 = 48
    g_autoptr(scree_scene) s = fixture_scene(STONE(""));
    g_assert_cmpfloat(scree_shape_equal_radius(s->shapes->pdata[0]), ==, 1.0);
    g_assert_cmpfloat(scree_shape_equal_radius(s->shapes->pdata[1]), ==, 1.0);
    assert_near(scree_shape_equal_radius(s->shapes->pdata[2]), equal, 1e-14 * equal);
    g_assert_cmpfloat(scale_of(""), ==, 1.0);
    g_assert_cmpfloat(scale_of("scale = 0.3;"), ==, 0.3);
    assert_near(scale_of("radius = 2;"), 2.0 / equal, 1e-14);
    assert_near(scale_of("diameter = 4;"), 2.0 / equal, 1e-14);
    assert_near(scale_of("distribution = { type = \"discrete\"; of = \"diameter\"; values = [4];"
                         " weights = [1]; };"),
                2.0 / equal, 1e-14);
}

/** Scale of the only body of a table. */
static double scale_in_table(const char *table, const char *keys)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("scree-made-XXXXXX", &error);
    g_assert_no_error(error);
    g_autofree char *path = g_build_filename(folder, "stones.csv", NULL);
    g_assert_true(g_file_set_contents(path, table, -1, NULL));
    g_autofree char *text = g_strdup_printf(
        FRAME "bodies = { b = { shape = \"stone\"; file = \"%s\"; %s }; };", path, keys);
    g_autoptr(scree_scene) s = fixture_scene(text);
    g_assert_cmpint(g_unlink(path) + g_rmdir(folder), ==, 0);
    return fixture_body(s, 0)->scale;
}

TEST("/made/columns-of-a-table-are-such-sizes")
{
    const double equal = cbrt(36.0 / G_PI);
    assert_near(scale_in_table("x,y,z,radius\n1,2,3,0.5\n", ""), 0.5 / equal, 1e-15);
    assert_near(scale_in_table("x,y,z,diameter\n1,2,3,0.5\n", ""), 0.25 / equal, 1e-15);
    g_assert_cmpfloat(scale_in_table("x,y,z\n1,2,3\n", ""), ==, 1.0);
    g_assert_cmpfloat(scale_in_table("x,y,z\n1,2,3\n", "scale = 0.7;"), ==, 0.7);
}

TEST("/made/one-size-and-of-the-right-kind")
{
    fixture_refuse(
        STONE("radius = 1; diameter = 2;"),
        "s.cfg:7: generate.g.diameter: radius is given as well; expected one of the two");
    fixture_refuse(STONE("scale = 1; diameter = 2;"),
                   "s.cfg:7: generate.g.scale: diameter is given as well; expected one of radius, "
                   "diameter and scale");
    fixture_refuse(STONE("diameter = -2;"), "s.cfg:7: generate.g.diameter: expected > 0 m, got -2");
    fixture_refuse(STONE("scale = 2; distribution = { type = \"uniform\"; min = 1; max = 2; };"),
                   "s.cfg:7: generate.g.distribution: scale is given as well; expected one of "
                   "radius, diameter, scale and distribution");
    fixture_refuse(FRAME "generate = { g = {\n shape = \"ball\"; count = 2; diameter = 1; }; };",
                   "s.cfg:7: generate.g.diameter: the shape has its size already; `scale` "
                   "multiplies it");
    fixture_refuse(FRAME "bodies = { b = {\n shape = \"floor\"; radius = 1; }; };",
                   "s.cfg:7: bodies.b.radius: the shape has its size already");
}

TEST("/made/walls-are-refused")
{
    static const char *const expected = "expected a shape with a volume: a mesh, a box or a plane "
                                        "has no mass";
    fixture_refuse(FRAME "generate = { g = { count = 1;\n shape = \"floor\"; }; };", expected);
    fixture_refuse(FRAME "generate = { g = { count = 1;\n shape = \"floor\"; }; };",
                   "s.cfg:7: generate.g.shape");
    fixture_refuse(FEED("shape = \"floor\";"), expected);
    fixture_refuse(FEED("shape = \"floor\";"), "s.cfg:7: modifiers.f.body.shape");
}

TEST("/made/orientation-is-fixed-or-random")
{
    g_autoptr(scree_scene) a = fixture_scene(STONE(""));
    g_autoptr(scree_scene) b = fixture_scene(STONE("orientation = \"fixed\";"));
    g_autoptr(scree_scene) c = fixture_scene(STONE("orientation = \"random\";"));
    g_autoptr(scree_scene) d = fixture_scene(STONE("orientation = (1, 1, 0, 0);"));
    for (uint32_t i = 0; i < 2; i++) {
        g_assert_cmpmem(fixture_body(a, i)->q, 32, fixture_body(b, i)->q, 32);
        g_assert_cmpmem(fixture_body(a, i)->x, 24, fixture_body(c, i)->x, 24); // places stay
        g_assert_cmpmem(fixture_body(d, 0)->q, 32, fixture_body(d, i)->q, 32);
    }
    g_autoptr(scree_scene) e = fixture_scene(
        FRAME "bodies = { b = { shape = \"stone\"; position = (9, 9, 9); }; };"); // in its frame
    g_assert_cmpmem(fixture_body(a, 0)->q, 32, fixture_body(e, 0)->q, 32);
    g_assert_cmpfloat(fabs(fixture_body(a, 0)->q[0]), <, 0.99);
    g_assert_true(memcmp(fixture_body(c, 0)->q, fixture_body(c, 1)->q, 32) != 0);
    g_assert_true(memcmp(fixture_body(a, 0)->q, fixture_body(d, 0)->q, 32) != 0);
    fixture_refuse(STONE("orientation = \"randm\";"),
                   "s.cfg:7: generate.g.orientation: expected \"random\", \"fixed\", or a "
                   "rotation, got \"randm\"; "
                   "did you mean \"random\"?");
    fixture_refuse(STONE("orientation = 3;"), "s.cfg:7: generate.g.orientation: expected "
                                              "\"random\", \"fixed\", a quaternion (w, x, y, z)");
    fixture_refuse(STONE("orientation = (0, 0, 0, 0);"), "a quaternion of length 0");
}

TEST("/made/bounding-radii-are-named-where-there-is-no-room")
{
    fixture_refuse(STONE("scale = 20;"), "a body of bounding radius 74.8331 m does not fit");
    fixture_refuse(STONE("method = \"lattice\"; spacing = 7;"),
                   "s.cfg:7: generate.g.spacing: expected the largest bounding diameter, 7.48331 "
                   "m, or more, got 7 m");
    g_autoptr(scree_scene) s = fixture_scene(STONE("method = \"lattice\";"));
    g_assert_cmpfloat(fixture_body(s, 1)->x[0] - fixture_body(s, 0)->x[0], >=, 2.0 * sqrt(14.0));
}
