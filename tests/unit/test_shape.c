// SPDX-License-Identifier: Apache-2.0
// Facet topology against shapes whose edges are known by eye; masses against closed forms.
#include <math.h>
#include <string.h>

#include "near.h"
#include "shape/shape.h"

#define N SCREE_NONE

static scree_shape *make(uint32_t dimension, uint32_t nv, const double *xyz, uint32_t nf,
                         const uint32_t *facets)
{
    g_autoptr(GError) error = NULL;
    scree_shape *s = scree_shape_new_facets(dimension, nv, xyz, nf, facets, &error);
    g_assert_no_error(error);
    return s;
}

static void refuse(uint32_t dimension, uint32_t nv, const double *xyz, uint32_t nf,
                   const uint32_t *facets, const char *expected)
{
    g_autoptr(GError) error = NULL;
    scree_shape *s = scree_shape_new_facets(dimension, nv, xyz, nf, facets, &error);
    g_assert_null(s);
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(strstr(error->message, expected) ? expected : error->message, ==, expected);
}

/* A unit cube of six quads; normals outward, or inward with each quad turned round. */
static const double cube_xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                  0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const uint32_t cube[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

static void test_cube(void)
{
    scree_shape *s = make(3, 8, cube_xyz, 6, cube);
    uint32_t turned[24];
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 4; k++)
            turned[4 * f + k] = cube[4 * f + 3 - k];
    scree_shape *t = make(3, 8, cube_xyz, 6, turned);
    for (int i = 0; i < 24; i++) {
        g_assert_cmpuint(s->mesh->neighbour[i], <, 6);
        g_assert_cmpuint(s->mesh->edge[i], ==, SCREE_EDGE_CONVEX);
        g_assert_cmpuint(t->mesh->edge[i], ==, SCREE_EDGE_CONCAVE);
    }
    double n[3];
    scree_facet_normal(s, 5, n);
    g_assert_cmpfloat(n[2], ==, 1.0);
    scree_facet_normal(t, 5, n);
    g_assert_cmpfloat(n[2], ==, -1.0);
    assert_near(s->radius, sqrt(3.0), 1e-15);
    scree_shape_free(s);
    scree_shape_free(t);
}

static void test_soup(void)
{
    // Two coplanar triangles and one at 45 degrees, each with its own vertices.
    static const double xyz[] = {0, 0, 0, 1, 0,    0, 0, 1, 0, 1, 0,  0,   1, 1,
                                 0, 0, 1, 0, -0.0, 0, 0, 0, 1, 0, -1, 0.5, 1};
    static const uint32_t f[] = {0, 1, 2, N, 3, 4, 5, N, 6, 7, 8, N};
    scree_shape *s = make(3, 9, xyz, 3, f);
    g_assert_cmpuint(s->mesh->n_vertices, ==, 5);
    g_assert_cmpuint(s->mesh->neighbour[1], ==, 1); // edge (1, 0)-(0, 1)
    g_assert_cmpuint(s->mesh->edge[1], ==, SCREE_EDGE_FLAT);
    g_assert_cmpuint(s->mesh->edge[0], ==, SCREE_EDGE_OPEN);
    g_assert_cmpuint(s->mesh->neighbour[0], ==, N);
    g_assert_cmpuint(s->mesh->neighbour[2], ==, 2);
    g_assert_cmpuint(s->mesh->edge[2], ==, SCREE_EDGE_CONCAVE); // the third one rises
    scree_shape_free(s);
}

static void test_turned_neighbour(void)
{
    // The same two coplanar triangles, the second's normal down: still one plane.
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const uint32_t f[] = {0, 1, 2, N, 1, 2, 3, N};
    scree_shape *s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->mesh->edge[1], ==, SCREE_EDGE_FLAT);
    g_assert_cmpuint(s->mesh->edge[4 + 0], ==, SCREE_EDGE_FLAT);
    scree_shape_free(s);
}

static void test_flat_limit(void)
{
    static const uint32_t f[] = {0, 1, 2, N, 1, 0, 3, N};
    double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 1e-7};
    scree_shape *s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->mesh->edge[0], ==, SCREE_EDGE_FLAT);
    scree_shape_free(s);
    xyz[11] = 1e-5;
    s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->mesh->edge[0], ==, SCREE_EDGE_CONCAVE);
    scree_shape_free(s);
    xyz[11] = -1e-5;
    s = make(3, 4, xyz, 2, f);
    g_assert_cmpuint(s->mesh->edge[0], ==, SCREE_EDGE_CONVEX);
    scree_shape_free(s);
}

static void test_branching(void)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, -1, 0, 0.5, 0, 1};
    static const uint32_t f[] = {0, 1, 2, N, 1, 0, 3, N, 0, 1, 4, N};
    scree_shape *s = make(3, 5, xyz, 3, f);
    g_assert_cmpuint(scree_shape_branching(s), ==, 1);
    g_assert_cmpuint(s->mesh->edge[0], ==, SCREE_EDGE_OPEN);
    g_assert_cmpuint(s->mesh->neighbour[0], ==, N);
    scree_shape_free(s);
}

static void test_segments(void)
{
    // A floor of two pieces, then a wall up: normals are to the right of the direction.
    static const double xyz[] = {2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0};
    static const uint32_t f[] = {0, 1, N, N, 1, 2, N, N, 2, 3, N, N};
    scree_shape *s = make(2, 4, xyz, 3, f);
    double n[3];
    scree_facet_normal(s, 0, n);
    g_assert_cmpfloat(n[1], ==, 1.0);
    g_assert_cmpuint(s->mesh->edge[0], ==, SCREE_EDGE_OPEN);
    g_assert_cmpuint(s->mesh->neighbour[1], ==, 1);
    g_assert_cmpuint(s->mesh->edge[1], ==, SCREE_EDGE_FLAT);
    g_assert_cmpuint(s->mesh->edge[5], ==, SCREE_EDGE_CONCAVE);
    scree_shape_free(s);
}

static void test_refusals(void)
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

static void test_mass(void)
{
    scree_shape *sphere = scree_shape_new_round(false);
    scree_shape *disc = scree_shape_new_round(true);
    double m, inertia[3];
    scree_shape_mass(sphere, 0.5, 1000.0, 3.0, &m, inertia);
    assert_near(m, 4.0 / 3.0 * G_PI * 125.0, 1e-12 * m);
    assert_near(inertia[2], 0.4 * m * 0.25, 1e-12 * m);
    scree_shape_mass(disc, 0.5, 1000.0, 3.0, &m, inertia);
    assert_near(m, G_PI * 0.25 * 3000.0, 1e-12 * m);
    assert_near(inertia[2], 0.5 * m * 0.25, 1e-12 * m);
    g_assert_null(disc->view(disc, SCREE_VIEW_OUTLINE, 0.0)); // asked without a look at the pointer
    scree_shape_free(sphere);
    scree_shape_free(disc);
    scree_shape_free(NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/shape/cube-is-convex-outside-and-concave-inside", test_cube);
    g_test_add_func("/shape/triangle-soup-closes-up", test_soup);
    g_test_add_func("/shape/flatness-needs-no-common-orientation", test_turned_neighbour);
    g_test_add_func("/shape/flat-up-to-a-micro-radian", test_flat_limit);
    g_test_add_func("/shape/three-facets-on-an-edge-leave-it-open", test_branching);
    g_test_add_func("/shape/segments-meet-at-vertices", test_segments);
    g_test_add_func("/shape/bad-facets-are-refused-by-number", test_refusals);
    g_test_add_func("/shape/mass-and-inertia-of-spheres-and-discs", test_mass);
    return g_test_run();
}
