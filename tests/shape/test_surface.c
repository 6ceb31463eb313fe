// SPDX-License-Identifier: Apache-2.0
// Surfaces of shape/mesh: neighbours and edges against shapes known by eye and a search of all pairs, what is
// refused, and which of them enclose a solid.
#include "../test.h"
#include "mesh_plugin.h"

#include <math.h>
#include <string.h>

#define N SCREE_NONE

static mesh_surface *make(uint32_t dimension, uint32_t nv, const double *xyz, uint32_t nf,
                          const uint32_t *facets)
{
    mesh_lines problems = {0};
    mesh_surface *s = mesh_surface_new(dimension, nv, xyz, nf, facets, &problems);
    take_lines(&problems, NULL);
    return s;
}

static void refuse(uint32_t dimension, uint32_t nv, const double *xyz, uint32_t nf,
                   const uint32_t *facets, const char *expected)
{
    mesh_lines problems = {0};
    g_assert_null(mesh_surface_new(dimension, nv, xyz, nf, facets, &problems));
    g_assert_cmpuint(problems.n, ==, 1);
    g_assert_cmpstr(strstr(problems.line[0], expected) ? expected : problems.line[0], ==, expected);
    mesh_lines_clear(&problems);
}

/* A unit cube of six quads; normals outward, or inward with each quad turned round. */
static const double cube_xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                  0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const uint32_t cube[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

TEST("/surface/cube-is-convex-outside-and-concave-inside")
{
    mesh_surface *s = make(3, 8, cube_xyz, 6, cube);
    uint32_t turned[24];
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 4; k++)
            turned[4 * f + k] = cube[4 * f + 3 - k];
    mesh_surface *t = make(3, 8, cube_xyz, 6, turned);
    for (int i = 0; i < 24; i++) {
        g_assert_cmpuint(s->view.neighbour[i], <, 6);
        g_assert_cmpuint(s->view.edge[i], ==, SCREE_EDGE_CONVEX);
        g_assert_cmpuint(t->view.edge[i], ==, SCREE_EDGE_CONCAVE);
    }
    double n[3];
    mesh_normal(s, 5, n);
    g_assert_cmpfloat(n[2], ==, 1.0);
    mesh_normal(t, 5, n);
    g_assert_cmpfloat(n[2], ==, -1.0);
    mesh_surface_free(s);
    mesh_surface_free(t);
}

TEST("/surface/triangle-soup-closes-up")
{
    // Two coplanar triangles and one at 45 degrees, each with its own vertices.
    static const double xyz[] = {0, 0, 0, 1, 0,    0, 0, 1, 0, 1, 0,  0,   1, 1,
                                 0, 0, 1, 0, -0.0, 0, 0, 0, 1, 0, -1, 0.5, 1};
    static const uint32_t f[] = {0, 1, 2, N, 3, 4, 5, N, 6, 7, 8, N};
    mesh_surface *s = make(3, 9, xyz, 3, f);
    g_assert_cmpuint(s->view.n_vertices, ==, 5);
    g_assert_cmpuint(s->view.neighbour[1], ==, 1); // edge (1, 0)-(0, 1)
    g_assert_cmpuint(s->view.edge[1], ==, SCREE_EDGE_FLAT);
    g_assert_cmpuint(s->view.edge[0], ==, SCREE_EDGE_OPEN);
    g_assert_cmpuint(s->view.neighbour[0], ==, N);
    g_assert_cmpuint(s->view.neighbour[2], ==, 2);
    g_assert_cmpuint(s->view.edge[2], ==, SCREE_EDGE_CONCAVE); // the third one rises
    mesh_surface_free(s);
}

TEST("/surface/flatness-needs-no-common-orientation")
{
    // The same two coplanar triangles, the second's normal down: still one plane.
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const uint32_t f[] = {0, 1, 2, N, 1, 2, 3, N};
    mesh_surface *s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->view.edge[1], ==, SCREE_EDGE_FLAT);
    g_assert_cmpuint(s->view.edge[4 + 0], ==, SCREE_EDGE_FLAT);
    mesh_surface_free(s);
}

TEST("/surface/flat-up-to-a-micro-radian")
{
    static const uint32_t f[] = {0, 1, 2, N, 1, 0, 3, N};
    double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 1e-7};
    mesh_surface *s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->view.edge[0], ==, SCREE_EDGE_FLAT);
    mesh_surface_free(s);
    xyz[11] = 1e-5;
    s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->view.edge[0], ==, SCREE_EDGE_CONCAVE);
    mesh_surface_free(s);
    xyz[11] = -1e-5;
    s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->view.edge[0], ==, SCREE_EDGE_CONVEX);
    mesh_surface_free(s);
}

TEST("/surface/three-facets-on-an-edge-leave-it-open")
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, -1, 0, 0.5, 0, 1};
    static const uint32_t f[] = {0, 1, 2, N, 1, 0, 3, N, 0, 1, 4, N};
    mesh_surface *s = make(3, 5, xyz, 3, f);
    g_assert_cmpuint(s->branching, ==, 1);
    g_assert_cmpuint(s->view.edge[0], ==, SCREE_EDGE_OPEN);
    g_assert_cmpuint(s->view.neighbour[0], ==, N);
    mesh_surface_free(s);
}

TEST("/surface/segments-meet-at-vertices")
{
    // A floor of two pieces, then a wall up: normals are to the right of the direction.
    static const double xyz[] = {2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0};
    static const uint32_t f[] = {0, 1, N, N, 1, 2, N, N, 2, 3, N, N};
    mesh_surface *s = make(2, 4, xyz, 3, f);
    double n[3];
    mesh_normal(s, 0, n);
    g_assert_cmpfloat(n[1], ==, 1.0);
    g_assert_cmpuint(s->view.edge[0], ==, SCREE_EDGE_OPEN);
    g_assert_cmpuint(s->view.neighbour[1], ==, 1);
    g_assert_cmpuint(s->view.edge[1], ==, SCREE_EDGE_FLAT);
    g_assert_cmpuint(s->view.edge[5], ==, SCREE_EDGE_CONCAVE);
    mesh_surface_free(s);
}

TEST("/surface/bad-facets-are-refused-by-number")
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.01, 2, 0, 0, 0.1, 0.1, 0};
    static const uint32_t bent[] = {0, 1, 2, 3}, line[] = {0, 1, 4, N}, dart[] = {0, 1, 5, 2};
    static const uint32_t far[] = {0, 1, 9, N}, two[] = {0, 1, 2, N, 2, 0, 1, N},
                          pair[] = {0, 1, N, N};
    static const uint32_t same[] = {0, 1, 0, N};
    static const double nan_xyz[] = {0, 0, 0, 1, 0, (double)NAN, 0, 1, 0};
    refuse(3, 6, xyz, 1, bent, "facet 0 is not planar");
    refuse(3, 6, xyz, 1, line, "facet 0 is degenerate");
    refuse(3, 6, xyz, 1, dart, "facet 0 is not convex");
    refuse(3, 6, xyz, 1, far, "facet 0 names vertex 9");
    refuse(3, 6, xyz, 2, two, "facets 0 and 1 are the same");
    refuse(3, 6, xyz, 1, pair, "facet 0 has 2 vertices");
    refuse(3, 6, xyz, 1, same, "facet 0 is degenerate");
    refuse(3, 3, nan_xyz, 1, (const uint32_t[]){0, 1, 2, N}, "vertex 1 is not finite");
    refuse(2, 6, xyz, 1, pair, "vertex 3 has z");
    refuse(3, 6, xyz, 0, pair, "needs a facet");
}

/** Vertices of edge e of a facet, the lower first; in 2D a vertex, twice. False: it has no such edge. */
static bool find_ends(const scree_mesh *m, uint32_t facet, uint32_t e, uint32_t ends[2])
{
    const uint32_t *f = m->facet + 4 * facet, n = f[2] == N ? 2 : f[3] == N ? 3 : 4;
    const uint32_t p = f[e], q = n == 2 ? f[e] : f[(e + 1) % n];
    ends[0] = MIN(p, q);
    ends[1] = MAX(p, q);
    return e < n;
}

/** Facets that share edge e of a facet; *last: one of them. */
static uint32_t count_sharing(const scree_mesh *m, uint32_t facet, uint32_t e, uint32_t *last)
{
    uint32_t n = 0, mine[2], its[2];
    find_ends(m, facet, e, mine);
    for (uint32_t j = 0; j < 4 * m->n_facets; j++)
        if (j / 4 != facet && find_ends(m, j / 4, j % 4, its) && !memcmp(mine, its, sizeof mine)) {
            n++;
            *last = j / 4;
        }
    return n;
}

/** Against a search of all pairs: an edge has a neighbour where exactly two facets share it. */
static void check_neighbours(const mesh_surface *s)
{
    const scree_mesh *m = &s->view;
    uint32_t three = 0, ends[2];
    for (uint32_t i = 0; i < 4 * m->n_facets; i++) {
        uint32_t other = N;
        const bool is_edge = find_ends(m, i / 4, i % 4, ends);
        const uint32_t n = is_edge ? count_sharing(m, i / 4, i % 4, &other) : 0;
        g_assert_cmpuint(m->neighbour[i], ==, n == 1 ? other : N);
        g_assert_cmpuint(m->edge[i] == SCREE_EDGE_OPEN, ==, n != 1);
        three += n == 2;
    }
    g_assert_cmpuint(3 * s->branching, ==, three); // of three facets at most
}

TEST("/surface/neighbours-share-an-edge-with-no-third")
{
    enum { MOST = 8 };
    uint32_t made = 0;
    for (int round = 0; round < 20000; round++) {
        const uint32_t dimension = 2 + (uint32_t)g_test_rand_int_range(0, 2);
        const uint32_t n = 1 + (uint32_t)g_test_rand_int_range(0, MOST);
        double xyz[3 * MOST + 3] = {0};
        uint32_t facets[4 * MOST];
        for (uint32_t i = 0; i < 3 * n; i++)
            xyz[i] = i % 3 < dimension ? g_test_rand_int_range(0, 3) : 0.0;
        const uint32_t n_facets = 1 + (uint32_t)g_test_rand_int_range(0, 3);
        for (uint32_t i = 0; i < 4 * n_facets; i++) {
            const uint32_t corners = dimension == 2 ? 2 : 3 + (i / 4 + (uint32_t)round) % 2;
            facets[i] = i % 4 < corners ? (uint32_t)g_test_rand_int_range(0, (gint32)n) : N;
        }
        mesh_lines problems = {0};
        mesh_surface *s = mesh_surface_new(dimension, n, xyz, n_facets, facets, &problems);
        g_assert_cmpuint(problems.n, ==, s ? 0 : 1);
        made += s != NULL;
        if (s)
            check_neighbours(s);
        mesh_lines_clear(&problems);
        mesh_surface_free(s);
    }
    g_assert_cmpuint(made, >, 1000);
}

/** 1: there is a surface; 2: it is closed. */
static int answer(uint32_t dimension, uint32_t nv, const double *xyz, uint32_t nf,
                  const uint32_t *facets)
{
    mesh_surface *s = make(dimension, nv, xyz, nf, facets);
    const int closed = s->view.closed;
    mesh_surface_free(s);
    return 1 + closed;
}

TEST("/surface/closed-ones-have-their-normals-outward")
{
    static const uint32_t square[] = {0, 1, N, N, 1, 3, N, N, 3, 2, N, N, 2, 0, N, N};
    uint32_t turned[24], mixed[24], back[16];
    for (int i = 0; i < 24; i++)
        turned[i] = cube[4 * (i / 4) + 3 - i % 4];
    memcpy(mixed, cube, sizeof mixed);
    memcpy(mixed + 8, turned + 8, 4 * sizeof *mixed);
    for (int i = 0; i < 16; i++)
        back[i] = i % 4 < 2 ? square[4 * (i / 4) + 1 - i % 4] : N;
    g_assert_cmpint(answer(3, 8, cube_xyz, 6, cube), ==, 2);
    g_assert_cmpint(answer(3, 8, cube_xyz, 6, turned), ==, 1); // normals inward
    g_assert_cmpint(answer(3, 8, cube_xyz, 6, mixed), ==, 1);  // one facet inside out
    g_assert_cmpint(answer(3, 8, cube_xyz, 5, cube), ==, 1);   // open
    g_assert_cmpint(answer(2, 4, cube_xyz, 4, square), ==, 2);
    g_assert_cmpint(answer(2, 4, cube_xyz, 4, back), ==, 1);
    g_assert_cmpint(answer(2, 4, cube_xyz, 3, square), ==, 1);
}
