// SPDX-License-Identifier: Apache-2.0
// STL: a prism's closed forms from text and binary; every cut of a file is refused.
#include "../test.h"
#include "mesh_fixture.h"

#include "tools/look/shape_survey.h"

static mesh_soup *read_stl(const GString *s)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    mesh_soup *m = read_soup(mesh_read_stl, s->str, s->len, "p.stl", problems, NULL);
    if (problems->len)
        g_assert_cmpstr(problems->pdata[0], ==, "");
    g_assert_nonnull(m);
    return m;
}

static void refuse(const char *bytes, size_t length, const char *expected)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_assert_null(read_soup(mesh_read_stl, bytes, length, "p.stl", problems, NULL));
    expect_text(problems, expected);
}

static void check_prism(const GString *s, double tolerance)
{
    g_autoptr(mesh_soup) m = read_stl(s);
    scree_survey v;
    g_assert_cmpuint(m->n_facets, ==, 4 * PRISM_N);
    mesh_surface *shape = mesh_finished(m, 1e-6, &v);
    g_assert_cmpuint(shape->view.n_vertices, ==, 2 * PRISM_N + 2);
    assert_near(v.area, PRISM_AREA, tolerance);
    assert_near(v.volume, PRISM_VOLUME, tolerance);
    g_assert_cmpuint(v.open_edges + v.branching + v.turned, ==, 0);
    g_assert_cmpuint(v.n_parts, ==, 1);
    mesh_surface_free(shape);
}

TEST("/stl/text-gives-the-closed-forms")
{
    GString *s = prism_text();
    check_prism(s, 1e-13);
    // A second solid, capitals, CRLF and a byte-order mark change nothing.
    g_autofree char *upper = g_ascii_strup(s->str, -1);
    g_autofree char *twice = g_strconcat("\xef\xbb\xbf", s->str, upper, NULL);
    g_auto(GStrv) lines = g_strsplit(twice, "\n", -1);
    g_autofree char *crlf = g_strjoinv("\r\n", lines);
    GString *both = g_string_new(crlf);
    g_autoptr(mesh_soup) m = read_stl(both);
    g_assert_cmpuint(m->n_facets, ==, 8 * PRISM_N);
    g_assert_cmpuint(m->line[0], ==, 2);
    g_assert_cmpuint(m->line[1], ==, 9);
    g_string_free(both, TRUE);
    g_string_free(s, TRUE);
}

TEST("/stl/binary-gives-them-whatever-its-header-says")
{
    static const char *const headers[] = {"", "solid made by a CAD program",
                                          "solid x\nfacet normal 0 0 1\nouter loop\n"};
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++) {
        GString *s = prism_binary(headers[i]);
        check_prism(s, 1e-5); // floats
        g_string_free(s, TRUE);
    }
}

TEST("/stl/every-cut-of-a-file-is-refused")
{
    GString *text = prism_text(), *binary = prism_binary("solid");
    for (gsize n = 0; n < text->len - strlen(" a prism\n"); n++)
        refuse(text->str, n, n < 5 ? "not an STL file" : "p.stl");
    for (gsize n = 0; n < binary->len; n++)
        refuse(binary->str, n, n < 84 ? "" : "truncated: its header (byte 80) says 28 triangles");
    g_string_append(binary, "\n");
    refuse(binary->str, binary->len, "too long for its count");
    g_string_free(text, TRUE);
    g_string_free(binary, TRUE);
}

TEST("/stl/garbage-is-refused-with-its-place")
{
    GString *s = prism_binary("x");
    float nan_value = NAN;
    memset(s->str + 80, 0xff, 4);
    refuse(s->str, s->len,
           "says 4294967295 triangles, 214748364834 bytes; the file has 1484 bytes");
    memset(s->str + 80, 0, 4);
    refuse(s->str, 84, "no triangles");
    s->str[80] = 4 * PRISM_N;
    memcpy(s->str + 84 + 50 * 3 + 12 + 4, &nan_value, 4);
    refuse(s->str, s->len, "facet 3 (byte 234): a coordinate is not a finite number");
    g_string_free(s, TRUE);
#define REFUSE(TEXT, EXPECTED) refuse(TEXT, strlen(TEXT), EXPECTED)
#define FACET "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
    REFUSE("solid\nendsolid\n", "no triangles");
    REFUSE(FACET "vertex 1 0 nan\n", "p.stl:5: vertex = 'nan' is not a finite number");
    REFUSE(FACET "vertex 1 0 1e999\n", "p.stl:5: vertex = '1e999'");
    REFUSE(FACET "vertex 1,5 0 1\n", "(write a decimal point, not a comma)");
    REFUSE(FACET "vertex 1 0\nvertex 0 1 0\n", "p.stl:6: vertex = 'vertex'");
    REFUSE(FACET "vertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\n",
           "p.stl:7: 'endloop' is expected, not 'vertex'");
    REFUSE(FACET "vertex 1 0 0\nendloop\n", "p.stl:6: 'vertex' is expected, not 'endloop'");
    REFUSE(FACET "vertex 1 0 0\n", "p.stl:5: truncated: the file ends where 'vertex' is expected");
    REFUSE("solid\nbanana\n", "p.stl:2: 'facet' is expected, not 'banana'");
    REFUSE("banana", "6 bytes are not an STL file");
}

TEST("/stl/normals-against-the-vertices-are-counted")
{
    static const char text[] = "solid\nfacet normal 0 0 -2\nouter loop\nvertex 0 0 0\n"
                               "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
                               "facet normal nan nan nan\nouter loop\nvertex 0 0 0\n"
                               "vertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    g_autoptr(GPtrArray) none = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(mesh_soup) m = read_soup(mesh_read_stl, text, strlen(text), "p.stl", none, NULL);
    g_assert_nonnull(m);
    g_assert_cmpuint(m->n_opposed, ==, 1);
    g_assert_cmpuint(m->opposed, ==, 0);
}
