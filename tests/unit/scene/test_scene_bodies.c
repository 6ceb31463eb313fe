// SPDX-License-Identifier: Apache-2.0
// Bodies and shapes of scenes: sizes, motion, orientation, tables, numbers.
#include <glib/gstdio.h>

#define OWN_MAIN
#include "../../test.h"
#include "../scene_fixture.h"

static char *folder; // of tables, removed at the end

static void write_table(const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    g_file_set_contents(path, text, -1, &error);
    g_assert_no_error(error);
}

/** A scene whose only group reads /TMP/NAME. */
static char *table_scene(const char *name, const char *more)
{
    return g_strdup_printf(MATERIAL "bodies = { t = { file = \"%s/%s\"; %s }; };", folder, name,
                           more);
}

TEST("/bodies/size-is-radius-times-scale")
{
    g_autoptr(scree_scene) s =
        fixture_scene(MATERIAL "shapes = { bead = { type = \"sphere\"; radius = \"2 mm\"; }; };"
                               "bodies = { a = { radius = 0.5; position = (1,2,3); };"
                               "b = { shape = \"bead\"; scale = 2.0; position = (0,0,0); };"
                               "c = { shape = \"sphere\"; diameter = 3; position = (0,9,0); }; };");
    g_assert_cmpfloat(fixture_body(s, 0)->scale, ==, 0.5);
    g_assert_cmpfloat(fixture_body(s, 0)->x[2], ==, 3.0);
    g_assert_cmpfloat(fixture_body(s, 1)->scale, ==, 0.004);
    g_assert_cmpuint(fixture_body(s, 1)->shape, ==, 0);
    g_assert_cmpfloat(fixture_body(s, 2)->scale, ==, 1.5);
    g_assert_cmpuint(fixture_body(s, 2)->id, ==, 3);
    g_assert_cmpstr(s->group_names->pdata[fixture_body(s, 1)->group], ==, "b");
}

TEST("/bodies/walls-are-fixed-unless-said-otherwise")
{
    g_autoptr(scree_scene) s = fixture_scene(
        MATERIAL "shapes = { p = { type = \"plane\"; normal = (0, 0, 2); };"
                 "b = { type = \"box\"; size = (1, 2, 3); open = [\"top\"]; }; };"
                 "bodies = { floor = { shape = \"p\"; position = (0, 0, -1); };"
                 "box = { shape = \"b\"; motion = \"kinematic\"; spin = (0, 0, \"90 deg/s\");"
                 " orientation = { axis = (0, 0, 2); angle = \"180 deg\"; }; }; };");
    const scree_shape *plane = s->shapes->pdata[fixture_body(s, 0)->shape];
    const scree_shape *box = s->shapes->pdata[fixture_body(s, 1)->shape];
    g_assert_cmpuint(fixture_body(s, 0)->motion, ==, SCREE_MOTION_FIXED);
    g_assert_cmpfloat(plane->normal[2], ==, 1.0);
    g_assert_cmpuint(box->mesh->n_facets, ==, 5);
    g_assert_cmpuint(box->mesh->edge[0], !=, SCREE_EDGE_CONVEX); // inward
    g_assert_cmpuint(fixture_body(s, 1)->motion, ==, SCREE_MOTION_KINEMATIC);
    assert_near(fixture_body(s, 1)->q[3], 1.0, 1e-15);
    assert_near(fixture_body(s, 1)->w[2], G_PI / 2.0, 1e-15);
}

/** Only the direction of a quaternion and of an axis counts, however long they are. */
TEST("/bodies/only-the-direction-of-a-turn-counts")
{
    static const char *const turns[] = {"(1e200, 0.0, 0.0, 1e200)", "(1e-200, 0.0, 0.0, 1e-200)",
                                        "{ axis = (0.0, 0.0, 1e200); angle = \"90 deg\"; }",
                                        "{ axis = (0.0, 0.0, 1e-200); angle = \"90 deg\"; }"};
    for (size_t i = 0; i < G_N_ELEMENTS(turns); i++) {
        g_autofree char *text = g_strdup_printf(
            MATERIAL "bodies = { a = { radius = 1.0; position = (0, 0, 0); orientation = %s; }; };",
            turns[i]);
        g_autoptr(scree_scene) s = fixture_scene(text);
        assert_near(fixture_body(s, 0)->q[0], G_SQRT2 / 2.0, 1e-15);
        assert_near(fixture_body(s, 0)->q[3], G_SQRT2 / 2.0, 1e-15);
    }
    fixture_refuse(MATERIAL "bodies = { a = { radius = 1; position = (0, 0, 0);"
                            " orientation = (0, 0, 0, 0); }; };",
                   "a quaternion of length 0");
    fixture_refuse(MATERIAL "bodies = { a = { radius = 1; position = (0, 0, 0);"
                            " orientation = 0.3; }; };",
                   "angle = ..; }, got 0.3");
}

TEST("/bodies/mistakes-are-refused-by-name")
{
#define SHAPES                                                                                     \
    MATERIAL "shapes = { p = { type = \"plane\"; normal = (0, 0, 1); };"                           \
             "bead = { type = \"sphere\"; radius = 1.0; }; };"
    fixture_refuse(SHAPES "bodies = { a = { shape = \"p\"; motion = \"free\"; }; };",
                   "has no mass");
    fixture_refuse(SHAPES "bodies = { a = { shape = \"p\"; velocity = (1, 0, 0); }; };",
                   "a fixed body has no velocity");
    fixture_refuse(SHAPES
                   "bodies = { a = { shape = \"bead\"; radius = 1.0; position = (0,0,0); }; };",
                   "has its size already");
    fixture_refuse(MATERIAL "bodies = { a = { position = (0,0,0); }; };",
                   "the key radius is missing");
    fixture_refuse(MATERIAL "bodies = { a = { radius = 1.0; }; };", "position");
    fixture_refuse(MATERIAL "bodies = { a = { radius = 1e-120; position = (0,0,0); }; };",
                   "gives a mass of 0 kg");
    fixture_refuse(MATERIAL "bodies = { a = { radius = 1e150; position = (0,0,0); }; };",
                   "gives a mass of inf kg");
    fixture_refuse(MATERIAL
                   "bodies = { a = { shape = \"disc\"; radius = 1.0; position = (0,0,0); }; };",
                   "needs scene.dimension = 2");
    fixture_refuse(MATERIAL
                   "bodies = { a = { radius = 1.0; position = (0,0,0); material = \"glas\"; }; };",
                   "did you mean \"glass\"?");
    fixture_refuse(MATERIAL "bodies = { a = { id = 4; radius = 1.0; position = (0,0,0); };"
                            "b = { id = 4; radius = 1.0; position = (5,0,0); }; };",
                   "id 4 is taken already");
    fixture_refuse(MATERIAL BALL "shapes = { m = { type = \"mesh\"; vertices = ((0,0,0), (1,0,0),"
                                 " (2,0,0)); facets = ((0,1,2)); }; };",
                   "facet 0 is degenerate");
    fixture_refuse(MATERIAL BALL "shapes = { m = { type = \"mesh\"; vertices = ((0,0,0), (1,0,0),"
                                 " (2,1,0)); facets = ((0,1,3)); }; };",
                   "facet 0 names vertex 3, there are 3 (counted from 0)");
    fixture_refuse(MATERIAL BALL "shapes = { m = { type = \"bax\"; }; };",
                   "no plugin shape/bax; did you mean \"box\"?; installed: blend, box, brick, ");
}

/** Ids that ascend need no set; the first one that does not is sought among those before it. */
TEST("/bodies/an-id-is-taken-once-in-whatever-order")
{
    static const struct {
        const char *ids, *taken;
    } all[] = {{"7,9,3,4", NULL},
               {"7,9,7", "id 7 is taken already, at"},
               {"7,9,9", "id 9 is taken already, at"},
               {"0,7,3,5,3", "id 3 is taken already, at"},
               {"3,0,9,0", "id 0 is taken already, at"}};
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
        g_auto(GStrv) ids = g_strsplit(all[k].ids, ",", -1);
        g_autoptr(GString) text = g_string_new(MATERIAL "bodies = {");
        for (int i = 0; ids[i]; i++)
            g_string_append_printf(text, "b%d = { id = %s; radius = 0.1; position = (%d, 0, 0); };",
                                   i, ids[i], i);
        g_string_append(text, "};");
        if (all[k].taken) {
            fixture_refuse(text->str, all[k].taken);
            continue;
        }
        g_autoptr(scree_scene) s = fixture_scene(text->str);
        g_assert_cmpuint(s->bodies->len, ==, g_strv_length(ids));
    }
}

TEST("/bodies/table-fills-what-it-names")
{
    write_table("scree-bodies.csv", "id,radius_mm,x,y,z,vx\n9,1,0,0,0,2\n4,2,1,0,0,0\n");
    g_autofree char *text = table_scene("scree-bodies.csv", "spin = (0, 0, 1);");
    g_autoptr(scree_scene) s = fixture_scene(text);
    g_assert_cmpuint(s->bodies->len, ==, 2);
    g_assert_cmpuint(fixture_body(s, 0)->id, ==, 4); // by number
    g_assert_cmpfloat(fixture_body(s, 0)->scale, ==, 0.002);
    g_assert_cmpfloat(fixture_body(s, 1)->v[0], ==, 2.0);
    g_assert_cmpfloat(fixture_body(s, 1)->w[2], ==, 1.0);
}

TEST("/bodies/table-mistakes-have-file-and-line")
{
    static const char *const cases[][3] = {
        {"radius x y z\n0 0 0 0\n", "", ":2: radius: expected a number > 0, got 0"},
        {"radius x y z\n-1 0 0 0\n", "", ":2: radius: expected a number > 0, got -1"},
        {"radius x y z\n1 0 0 0\n1 nan 0 0\n", "", ":3: x = 'nan'"},
        {"id radius x y z\n1 1 0 0 0\n1 1 5 0 0\n", "", ":3: id 1 is taken already"},
        {"radius x y z\n1 0 0\n", "", ":2: 3 cells, but there are 4 columns"},
        {"radius x y\n1 0 0\n", "", "has no column 'z'"},
        {"x y z\n1 0 0\n", "", "the group has no radius"},
        {"radius x y z\n1 0 0 0\n", "radius = 1.0;", "the group gives one too"},
        {"radius x y z material\n1 0 0 0 gold\n", "", ":2: no material \"gold\""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        write_table("scree-refused.csv", cases[i][0]);
        g_autofree char *text = table_scene("scree-refused.csv", cases[i][1]);
        fixture_refuse(text, cases[i][2]);
    }
}

#define SHAPED                                                                                     \
    "scene = { dt = 1e-6; };\nmaterials = { glass = { density = 1000.0; }; steel = { density = "   \
    "2000.0; }; };\nshapes = { bead = { type = \"sphere\"; radius = 0.25; }; rock = { type = "     \
    "\"brick\"; size = (0.5, 0.25, 0.125); at = (0.1, 0.2, 0.3); }; floor = { type = \"plane\"; "  \
    "normal = (0, 0, 1); "                                                                         \
    "}; };\n"

/** Rows with shapes, turns and motions of their own: what `bodies` one by one would be. */
TEST("/bodies/rows-of-a-table-may-have-shapes-turns-and-motions")
{
    write_table("scree-bodies.csv", "x,y,z,shape,material,motion,q0,q1,q2,q3,scale,vx\n"
                                    "0,0,0,bead,glass,free,1,0,0,0,1,1\n"
                                    "5,0,0,rock,steel,kinematic,3,0,0,4,2,2\n"
                                    "0,0,-1,floor,steel,fixed,1,0,0,0,1,0\n");
    g_autofree char *text = g_strdup_printf(
        SHAPED "generate = { t = { plugin = \"table\"; file = \"%s/scree-bodies.csv\"; }; };",
        folder);
    g_autoptr(scree_scene) s = fixture_scene(text);
    g_autoptr(scree_scene) one = fixture_scene(
        SHAPED "bodies = { a = { shape = \"bead\"; material = \"glass\"; position = (0, 0, 0);"
               " velocity = (1, 0, 0); }; b = { shape = \"rock\"; material = \"steel\"; scale = 2;"
               " motion = \"kinematic\"; position = (5, 0, 0); orientation = (3, 0, 0, 4);"
               " velocity = (2, 0, 0); }; c = { shape = \"floor\"; material = \"steel\";"
               " position = (0, 0, -1); }; };");
    g_assert_cmpuint(s->bodies->len, ==, 3);
    for (uint32_t i = 0; i < 3; i++)
        fixture_same_body(fixture_body(s, i), fixture_body(one, i));
}

/** Rows of a table in a group that draws sizes, or without what a row needs. */
TEST("/bodies/rows-lack-nothing-or-are-refused")
{
    static const char *const cases[][3] = {
        {"x,y,z,shape\n0,0,0,sphere\n", "", ":2: shape sphere has no size"},
        {"x,y,z,shape\n0,0,0,beed\n", "", ":2: no shape \"beed\"; did you mean \"bead\"?"},
        {"x,y,z,shape,radius\n0,0,0,bead,1\n", "", ":2: shape bead has its size already"},
        {"x,y,z,shape,motion\n0,0,0,floor,free\n", "", ":2: a mesh, a box or a plane has no mass"},
        {"x,y,z,radius,motion\n0,0,0,1,bound\n", "", ":2: motion = 'bound': expected free"},
        {"x,y,z,radius,q0\n0,0,0,1,1\n", "", "has not all of the columns q0, q1, q2, q3"},
        {"x,y,z,radius,q0,q1,q2,q3\n0,0,0,1,0,0,0,0\n", "", ":2: a quaternion of length 0"},
        {"x,y,z,radius,angle\n0,0,0,1,0\n", "", "a column 'angle' is for 2D"},
        {"x,y,z,radius,scale\n0,0,0,1,1\n", "", "has a scale and another size"},
        {"x,y,z,radius,heat\n0,0,0,1,1\n", "", "unknown column \"heat\""},
        {"x,y,z,radius\n0,0,0,1\n", "body_fields = (\"heat\");", "expected a column 'heat'"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        write_table("scree-refused.csv", cases[i][0]);
        g_autofree char *text = g_strdup_printf(
            SHAPED "generate = { t = { plugin = \"table\"; material = \"glass\"; file = "
                   "\"%s/scree-refused.csv\"; %s }; };",
            folder, cases[i][1]);
        fixture_refuse(text, cases[i][2]);
    }
    write_table("scree-bodies.csv", "x,y,z\n0,0,0\n9,0,0\n18,0,0\n");
    g_autofree char *text = g_strdup_printf(
        SHAPED "generate = { t = { plugin = \"table\"; material = \"glass\"; velocity_random = 1.0;"
               " distribution = { type = \"uniform\"; min = 1; max = 2; }; file = "
               "\"%s/scree-bodies.csv\"; }; };",
        folder);
    g_autoptr(scree_scene) s = fixture_scene(text);
    g_assert_cmpfloat(fixture_body(s, 0)->scale, !=, fixture_body(s, 1)->scale);
    g_assert_cmpfloat(fixture_body(s, 0)->v[0], !=, fixture_body(s, 1)->v[0]);
}

TEST("/bodies/numbers-given-come-before-numbers-made")
{
    g_autoptr(scree_scene) s =
        fixture_scene(MATERIAL "bodies = { a = { radius = 1.0; position = (0,0,0); };"
                               "b = { id = 7; radius = 1.0; position = (5,0,0); };"
                               "c = { radius = 1.0; position = (9,0,0); }; };");
    g_assert_cmpuint(fixture_body(s, 0)->id, ==, 7);
    g_assert_cmpuint(fixture_body(s, 1)->id, ==, 8);
    g_assert_cmpuint(fixture_body(s, 2)->id, ==, 9);
    g_assert_cmpfloat(fixture_body(s, 2)->x[0], ==, 9.0);
}

int main(int argc, char **argv)
{
    folder = g_dir_make_tmp("scree-bodies-XXXXXX", NULL);
    g_assert_nonnull(folder);
    int status = test_run(argc, argv);
    g_autofree char *refused = g_strdup_printf("%s/scree-refused.csv", folder);
    g_autofree char *bodies = g_strdup_printf("%s/scree-bodies.csv", folder);
    g_remove(refused);
    g_remove(bodies);
    g_rmdir(folder);
    g_free(folder);
    return status;
}
