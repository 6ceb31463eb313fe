// SPDX-License-Identifier: Apache-2.0
// Polyhedra that are refused, with their place, and crossings of facets.
#include "../test.h"
#include "near.h"
#include "polyhedron_soups.h"

/** The surface of the soup is refused with these words. Clears it. */
static void refused(mesh_soup *soup, const char *words)
{
    mesh_lines problems = {0};
    mesh_surface *s = surface_of(soup);
    g_assert_cmpint(polyhedron_check(soup, s, &problems), ==, 0);
    g_assert_cmpuint(problems.n, >=, 1);
    if (!strstr(problems.line[0], words))
        g_error("expected '%s', got '%s'", words, problems.line[0]);
    mesh_lines_clear(&problems);
    mesh_surface_free(s);
    mesh_soup_clear(soup);
}

/** A cube whose corners go through f. */
static mesh_soup moved_cube(double scale, double x, double y, double z, int inward)
{
    mesh_soup soup = {0};
    double xyz[24];
    uint32_t sides[24];
    const double shift[3] = {x, y, z};
    for (int i = 0; i < 24; i++) {
        xyz[i] = scale * cube[i] + shift[i % 3];
        sides[i] = inward ? cube_sides[i / 4 * 4 + 3 - i % 4] : cube_sides[i];
    }
    add(&soup, 8, xyz, 6, 4, sides);
    return soup;
}

static void join(mesh_soup *a, mesh_soup *b)
{
    const uint32_t first = (uint32_t)a->n_vertices;
    mesh_lines problems = {0};
    g_assert_true(mesh_reserve(a, b->n_vertices, b->n_facets, &problems));
    for (uint64_t i = 0; i < b->n_vertices; i++)
        mesh_add_vertex(a, b->xyz + 3 * i);
    for (uint64_t i = 0; i < b->n_facets; i++) {
        uint32_t c[4];
        for (int k = 0; k < 4; k++)
            c[k] = first + b->corner[4 * i + k];
        mesh_add_facet(a, 4, c, 0);
    }
    mesh_soup_clear(b);
}

TEST("/polyhedron/open-is-refused")
{
    mesh_soup soup = {0};
    add(&soup, 8, cube, 5, 4, cube_sides);
    refused(&soup,
            "facet 0: its edge from vertex 4 at (0, 0, 1) m to vertex 6 at (0, 1, 1) m has no "
            "other facet; the surface is open");
}

TEST("/polyhedron/edges-of-three-facets-are-refused")
{
    static const double fin[] = {0, 0, 0, 1, 0, 0, 0.5, -1, -1};
    static const uint32_t sides[] = {0, 1, 2};
    mesh_soup soup = moved_cube(1.0, 0.0, 0.0, 0.0, 0);
    add(&soup, 3, fin, 1, 3, sides);
    refused(&soup, "does not have two facets, one or more than two");
}

TEST("/polyhedron/inside-out-is-refused")
{
    mesh_soup soup = moved_cube(1.0, 0.0, 0.0, 0.0, 1);
    refused(&soup, "it is inside out: it encloses -1 m^3");
    soup = moved_cube(1.0, 0.0, 0.0, 0.0, 0);
    const uint32_t turned[4] = {1, 5, 7, 3};
    memcpy(soup.corner + 4, turned, sizeof turned);
    refused(&soup, "facet 1 is inside out: its corners go the other way round");
}

TEST("/polyhedron/pieces-are-refused")
{
    mesh_soup a = moved_cube(1.0, 0.0, 0.0, 0.0, 0), b = moved_cube(1.0, 1.5, 0.0, 0.0, 0);
    join(&a, &b);
    refused(&a, "it has several pieces: facet 0 and facet 6 are of different ones");
    a = moved_cube(1.0, 0.0, 0.0, 0.0, 0);
    b = moved_cube(0.5, 1.5, 0.0, 0.0, 1);
    join(&a, &b);
    refused(&a,
            "facet 6 is of a piece whose normals point inward, as those of a cavity do, but it is "
            "not inside");
    a = moved_cube(1.0, 0.0, 0.0, 0.0, 0); // a cavity in a cavity
    b = moved_cube(0.8, 0.1, 0.1, 0.1, 1);
    join(&a, &b);
    b = moved_cube(0.5, 0.2, 0.2, 0.2, 1);
    join(&a, &b);
    refused(&a, "is not inside the solid");
    a = moved_cube(1.0, 0.0, 0.0, 0.0, 0); // one vertex in common
    b = moved_cube(1.0, 1.0, 1.0, 1.0, 0);
    join(&a, &b);
    refused(&a, "parts of the surface touch only in its corner vertex 7 at (1, 1, 1) m");
}

TEST("/polyhedron/crossings-are-refused")
{
    mesh_soup a = moved_cube(1.0, 0.0, 0.0, 0.0, 0), b = moved_cube(1.0, 0.3, 0.4, 0.35, 0);
    join(&a, &b);
    refused(&a, "cross or touch each other");
    a = moved_cube(1.0, 0.0, 0.0, 0.0, 0); // touches the side from outside
    b = moved_cube(0.5, 1.0, 0.25, 0.25, 0);
    join(&a, &b);
    refused(&a, "cross or touch each other");
    a = moved_cube(1.0, 0.0, 0.0, 0.0, 0); // a corner through the opposite side
    a.xyz[21] = a.xyz[22] = 0.5;
    a.xyz[23] = -0.3;
    refused(&a, "cross or touch each other");
    a = moved_cube(1.0, 0.0, 0.0, 0.0, 0); // a gap of 1e-9 is one
    b = moved_cube(0.5, 1.0 + 1e-9, 0.25, 0.25, 0);
    join(&a, &b);
    refused(&a, "it has several pieces");
}

/** [Moeller, Trumbore 1997] Whether the segment from p to q passes through a triangle. */
static int pierces(const double p[3], const double q[3], double t[3][3])
{
    double d[3], e1[3], e2[3], s[3], h[3], r[3];
    for (int k = 0; k < 3; k++) {
        d[k] = q[k] - p[k];
        e1[k] = t[1][k] - t[0][k];
        e2[k] = t[2][k] - t[0][k];
        s[k] = p[k] - t[0][k];
    }
    for (int k = 0; k < 3; k++) {
        h[k] = d[(k + 1) % 3] * e2[(k + 2) % 3] - d[(k + 2) % 3] * e2[(k + 1) % 3];
        r[k] = s[(k + 1) % 3] * e1[(k + 2) % 3] - s[(k + 2) % 3] * e1[(k + 1) % 3];
    }
    const double det = e1[0] * h[0] + e1[1] * h[1] + e1[2] * h[2];
    const double u = (s[0] * h[0] + s[1] * h[1] + s[2] * h[2]) / det;
    const double v = (d[0] * r[0] + d[1] * r[1] + d[2] * r[2]) / det;
    const double at = (e2[0] * r[0] + e2[1] * r[1] + e2[2] * r[2]) / det;
    return u > 0.0 && v > 0.0 && u + v < 1.0 && at > 0.0 && at < 1.0;
}

/** Random soups of triangles, some with shared vertices, against an edge through a triangle. */
TEST("/polyhedron/crossings-of-random-triangles")
{
    uint64_t seen = 0;
    for (int round = 0; round < 200; round++) {
        enum { V = 24, F = 16 };
        double xyz[3 * V];
        uint32_t facet[3 * F], pair[F * F][2];
        uint64_t n, expected = 0;
        mesh_soup soup = {0};
        for (int i = 0; i < 3 * V; i++)
            xyz[i] = g_test_rand_double_range(-1.0, 1.0);
        for (int i = 0; i < F; i++) // facet i has a vertex of its own: none is there twice
            for (int c = 0; c < 3; c++)
                facet[3 * i + c] =
                    c == 0 ? (uint32_t)i
                           : (uint32_t)(i + 1 + c + g_test_rand_int_range(0, 2) * 2) % V;
        add(&soup, V, xyz, F, 3, facet);
        mesh_surface *s = surface_of(&soup);
        g_assert_true(polyhedron_find_crossings(s, F * F, pair, &n));
        for (int i = 0; i < F; i++)
            for (int j = 0; j < i; j++) {
                double t[2][3][3];
                int meet = 0;
                for (int c = 0; c < 3; c++) {
                    memcpy(t[0][c], xyz + 3 * facet[3 * i + c], sizeof t[0][c]);
                    memcpy(t[1][c], xyz + 3 * facet[3 * j + c], sizeof t[1][c]);
                }
                for (int p = 0; p < 2; p++)
                    for (int e = 0; e < 3; e++) {
                        int shares = 0; // an edge that begins in a corner of the other one
                        for (int c = 0; c < 3; c++)
                            shares |= memcmp(t[p][e], t[!p][c], sizeof t[p][e]) == 0 ||
                                      memcmp(t[p][(e + 1) % 3], t[!p][c], sizeof t[p][e]) == 0;
                        meet |= !shares && pierces(t[p][e], t[p][(e + 1) % 3], t[!p]);
                    }
                expected += (uint64_t)meet;
            }
        g_assert_cmpuint(n, ==, expected);
        seen += n;
        mesh_surface_free(s);
        mesh_soup_clear(&soup);
    }
    g_assert_cmpuint(seen, >, 1000);
}

/** Facets that fold onto each other, and coplanar ones that overlap, meet; a flat fan does not. */
TEST("/polyhedron/facets-of-one-plane")
{
    static const double fan[] = {0, 0,  0, 1, 0,  0, 1, 1,   0,   0, 1,
                                 0, -1, 1, 0, -1, 0, 0, 0.6, 0.5, 0};
    static const uint32_t good[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
    static const uint32_t folded[] = {0, 1, 2, 0, 6, 1}, over[] = {0, 1, 2, 0, 6, 3};
    uint32_t pair[4][2];
    uint64_t n;
    const struct {
        const uint32_t *facet;
        uint32_t n;
        uint64_t crossings;
    } cases[] = {{good, 4, 0}, {folded, 2, 1}, {over, 2, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        mesh_soup soup = {0};
        add(&soup, 7, fan, cases[i].n, 3, cases[i].facet);
        mesh_surface *s = surface_of(&soup);
        g_assert_true(polyhedron_find_crossings(s, 4, pair, &n));
        g_assert_cmpuint(n, ==, cases[i].crossings);
        mesh_surface_free(s);
        mesh_soup_clear(&soup);
    }
}

/** In a file the line is named: an STL tetrahedron without its last facet. */
TEST("/polyhedron/lines-of-a-file-are-named")
{
    static const char text[] =
        "solid t\n"
        "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\n"
        "endloop\nendfacet\n"
        "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\n"
        "endloop\nendfacet\n"
        "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\n"
        "endloop\nendfacet\nendsolid t\n";
    mesh_soup soup = {.file = "t.stl"};
    mesh_notes notes = {0};
    g_assert_true(mesh_read_stl(&soup, text, sizeof text - 1, &notes));
    g_assert_true(mesh_weld(&soup, 1e-6, &notes.problems));
    refused(&soup, "t.stl:2: facet 0: its edge from (0, 0, 0) m to (0, 1, 0) m has no other facet");
}

/** The points of a plane have no volume, nor have three. */
TEST("/polyhedron/points-without-a-volume-are-refused")
{
    static const double plane[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.2, 0};
    for (uint32_t n = 3; n <= 5; n += 2) {
        mesh_soup soup = {0};
        mesh_lines problems = {0};
        add(&soup, n, plane, 0, 3, NULL);
        g_assert_false(polyhedron_hull(&soup, &problems));
        g_assert_cmpuint(problems.n, ==, 1);
        g_assert_nonnull(strstr(problems.line[0], n == 3
                                                      ? "needs 4 points or more, got 3"
                                                      : "the 5 points have no convex hull with a "
                                                        "volume (QH6"));
        mesh_lines_clear(&problems);
        mesh_soup_clear(&soup);
    }
}
