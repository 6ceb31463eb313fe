// SPDX-License-Identifier: Apache-2.0
// OBJ: forms of faces, polygons against their areas, what is skipped, what is refused.
#include "../test.h"
#include "mesh_fixture.h"

#include "tools/look/shape_survey.h"

static mesh_soup *read_obj(const char *text, GPtrArray *notes)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    mesh_soup *m = read_soup(mesh_read_obj, text, strlen(text), "p.obj", problems, notes);
    if (problems->len)
        g_assert_cmpstr(problems->pdata[0], ==, "");
    g_assert_nonnull(m);
    return m;
}

static mesh_surface *shape_of(const char *text, scree_survey *v)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(mesh_soup) m = read_obj(text, notes);
    g_assert_cmpuint(notes->len, ==, 0);
    return mesh_finished(m, 1e-9, v);
}

static void refuse(const char *text, const char *expected)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_assert_null(read_soup(mesh_read_obj, text, strlen(text), "p.obj", problems, notes));
    expect_text(problems, expected);
}

#define CUBE                                                                                       \
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1 1.0\nv 1 0 1 0.2 0.3 0.4\nv 0 1 1\nv 1 1 1\n"

TEST("/obj/all-forms-of-faces-are-read")
{
    scree_survey v;
    mesh_surface *quads =
        shape_of("# a cube\nmtllib x.mtl\no c\n" CUBE "vt 0 0\nvn 0 0 1\nusemtl m\ng a b\ns off\n"
                 "f 1 5 7 3\nf 2/1 4/1 8/1 6/1\nf 1//1 2//1 6//1 5//1\n"
                 "f -6/1/1 -2/1/1 -1/1/1 -5/1/1\nf 1 3 \\\n 4 2\nf 5 6 8 7\n",
                 &v);
    g_assert_cmpuint(quads->view.n_facets, ==, 6);
    g_assert_cmpuint(quads->view.n_vertices, ==, 8);
    assert_near(v.area, 6.0, 1e-15);
    assert_near(v.volume, 1.0, 1e-15);
    g_assert_cmpuint(v.open_edges + v.turned, ==, 0);
    mesh_surface_free(quads);
    // A face may come before its vertices; -1 counts those so far.
    mesh_surface *early = shape_of("f 1 2 3\nv 0 0 0\nv 2 0 0\nv 0 3 0\n", &v);
    assert_near(v.area, 3.0, 1e-15);
    g_assert_cmpuint(v.open_edges, ==, 3);
    g_assert_cmpuint(v.n_holes, ==, 1);
    mesh_surface_free(early);
}

/** Area of a polygon (shoelace) from x, y pairs. */
static double shoelace(const double *xy, int n)
{
    double twice = 0.0;
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        twice += xy[2 * i] * xy[2 * j + 1] - xy[2 * j] * xy[2 * i + 1];
    }
    return 0.5 * fabs(twice);
}

static void check_polygon(const double *xy, int n, uint32_t facets)
{
    GString *text = g_string_new(NULL), *face = g_string_new("f");
    for (int i = 0; i < n; i++) { // in the plane z = x + 2 y, whose area is sqrt(6) times as large
        g_string_append_printf(text, "v %.17g %.17g %.17g\n", xy[2 * i], xy[2 * i + 1],
                               xy[2 * i] + 2.0 * xy[2 * i + 1]);
        g_string_append_printf(face, " %d", i + 1);
    }
    g_string_append_printf(text, "%s\n", face->str);
    scree_survey v;
    mesh_surface *s = shape_of(text->str, &v);
    assert_near(v.area, sqrt(6.0) * shoelace(xy, n), 1e-12);
    g_assert_cmpuint(s->view.n_facets, ==, facets);
    g_assert_cmpuint(v.open_edges, ==, (guint)n);
    g_assert_cmpuint(v.turned, ==, 0);
    mesh_surface_free(s);
    g_string_free(text, TRUE);
    g_string_free(face, TRUE);
}

TEST("/obj/polygons-keep-their-area")
{
    static const double hexagon[] = {2, 0, 1, 1.7, -1, 1.7, -2, 0, -1, -1.7, 1, -1.7};
    static const double ell[] = {0, 0, 3, 0, 3, 1, 1, 1, 1, 2, 0, 2};
    static const double comb[] = {0, 0, 5, 0, 5, 3, 4, 3, 4, 1, 3, 1,
                                  3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3};
    static const double collinear[] = {0, 0, 1, 0, 2, 0, 2, 2, 1, 2, 0, 2};
    static const double arrow[] = {0, 0, 2, -1, 0.5, 0, 2, 1}; // a quad that is not convex
    double spiral[80];
    for (int i = 0; i < 20; i++) { // out along one arm, back along the other
        double a = 0.4 * i, r = 1.0 + 0.1 * i;
        spiral[2 * i] = r * cos(a);
        spiral[2 * i + 1] = r * sin(a);
        spiral[78 - 2 * i] = (r + 0.3) * cos(a);
        spiral[79 - 2 * i] = (r + 0.3) * sin(a);
    }
    check_polygon(hexagon, 6, 4);
    check_polygon(ell, 6, 4);
    check_polygon(comb, 12, 10);
    check_polygon(collinear, 6, 4);
    check_polygon(arrow, 4, 2);
    check_polygon(spiral, 40, 38);
}

/** A double spiral of n corners, so tight that nearly no corner is an ear. */
static GString *long_face(int n)
{
    GString *text = g_string_new(NULL), *face = g_string_new("f");
    for (int i = 0; i < n; i++) {
        int k = i < n / 2 ? i : n - 1 - i;
        double r = (i < n / 2 ? 1.0 : 1.003) + 0.01 * k;
        g_string_append_printf(text, "v %.17g %.17g 0\n", r * cos(0.4 * k), r * sin(0.4 * k));
        g_string_append_printf(face, " %d", i + 1);
    }
    g_string_append_printf(text, "%s\n", face->str);
    g_string_free(face, TRUE);
    return text;
}

TEST("/obj/polygons-take-no-more-than-their-time")
{
    GString *text = long_face(1000);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(mesh_soup) m = read_obj(text->str, notes);
    g_assert_cmpuint(m->n_facets, ==, 998);
    // As often as it takes: no file keeps the reader for long.
    for (int k = 0; k < 300; k++) {
        g_string_append(text, "f");
        for (int i = 0; i < 1000; i++)
            g_string_append_printf(text, " %d", i + 1);
        g_string_append(text, "\n");
    }
    refuse(text->str, "there is too much to cut");
    g_string_free(text, TRUE);
}

TEST("/obj/a-quad-that-is-not-flat-is-split")
{
    scree_survey v;
    mesh_surface *s = shape_of("v 0 0 0\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\nf 1 2 3 4\n", &v);
    g_assert_cmpuint(s->view.n_facets, ==, 2);
    // split along the shorter diagonal, from (1, 0, 0) to (0, 1, 0)
    assert_near(v.area, 0.5 + 0.5 * sqrt(0.25 + 0.25 + 1.0), 1e-15);
    mesh_surface_free(s);
}

TEST("/obj/geometry-that-is-skipped-is-named")
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(mesh_soup) m =
        read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\np 1\nl 2 3\n", notes);
    g_assert_cmpuint(m->n_facets, ==, 1);
    g_assert_cmpuint(notes->len, ==, 1);
    g_assert_cmpstr(notes->pdata[0], ==,
                    "p.obj: points, lines, curves and free-form surfaces are not read: p, l");
}

TEST("/obj/mistakes-are-refused-with-their-line")
{
#define T "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    refuse(T, "no faces");
    refuse("", "no faces");
    refuse("solid x\n", "p.obj:1: expected a statement of an OBJ file, got \"solid\"");
    refuse(T "f 1 2\n", "p.obj:4: expected three vertices of a face or more, got 2");
    refuse(T "f 1 2 0\n", "p.obj:4: vertex 0: they count from 1");
    refuse(T "f 1 2 -4\n", "p.obj:4: vertex -4");
    refuse(T "f 1 2 4\n", "p.obj:4: expected a vertex from 1 to 3, got 4");
    refuse(T "f 1 2 99999999999999999999\n", "p.obj:4: vertex = '99999999999999999999'");
    refuse(T "f 1 2 4294967297\n", "p.obj:4: vertex = '4294967297'");
    refuse(T "f 1 2 1610612736\n", "p.obj:4: expected a vertex from 1 to 3, got 1610612736");
    refuse(T "f 1 2 x/1\n", "p.obj:4: vertex = 'x'");
    refuse("v 0 0 inf\n" T "f 1 2 3\n", "p.obj:1: z = 'inf' is not a finite number");
    refuse("v 0 nan 0\n" T "f 1 2 3\n", "p.obj:1: y = 'nan'");
    refuse("v 0 0\n", "p.obj:1: expected three coordinates of a vertex, got 2");
    refuse("v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 2 0\nv -1 1 0\nf 1 2 3 4 5\n", "p.obj:6: a face of 5");
    refuse("v 0 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nv 5 0 0\nf 1 2 3 4 5\n",
           "crosses itself or has no area");
}
