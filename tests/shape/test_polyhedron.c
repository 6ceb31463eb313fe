// SPDX-License-Identifier: Apache-2.0
// Polyhedra: sums against closed forms, hulls, named solids, support.
#include "../test.h"
#include "near.h"
#include "polyhedron_soups.h"

#define PI 3.14159265358979323846

/** A checked surface. Clears the soup. */
static mesh_surface *solid_of(mesh_soup *soup)
{
    mesh_lines problems = {0};
    mesh_surface *s = surface_of(soup);
    if (polyhedron_check(soup, s, &problems) != 1)
        g_error("%s", problems.line[0]);
    mesh_soup_clear(soup);
    return s;
}

static uint32_t count_edges(const mesh_surface *s, uint8_t kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 4 * s->view.n_facets; i++)
        n += s->facet[i] != SCREE_NONE && s->edge[i] == kind;
    return n / 2;
}

/* ---- sums ---- */

/** Edge 1. Moments per mass: cube 1/6; tetrahedron 1/20; octahedron 1/10; dodecahedron (39 g + 28) / 150;
 * icosahedron g^2 / 10, g the golden ratio. */
TEST("/polyhedron/regular-solids")
{
    const double g = 0.5 * (1.0 + sqrt(5.0));
    const struct {
        int32_t solid;
        double volume, moment, radius;
        uint32_t vertices, facets, edges;
    } solids[] = {{POLYHEDRON_CUBE, 1.0, 1.0 / 6.0, sqrt(0.75), 8, 12, 12},
                  {POLYHEDRON_TETRAHEDRON, sqrt(2.0) / 12.0, 0.05, sqrt(0.375), 4, 4, 6},
                  {POLYHEDRON_OCTAHEDRON, sqrt(2.0) / 3.0, 0.1, sqrt(0.5), 6, 8, 12},
                  {POLYHEDRON_DODECAHEDRON, 0.25 * (15.0 + 7.0 * sqrt(5.0)),
                   (39.0 * g + 28.0) / 150.0, sqrt(0.75) * g, 20, 36, 30},
                  {POLYHEDRON_ICOSAHEDRON, 5.0 / 12.0 * (3.0 + sqrt(5.0)), 0.1 * g * g,
                   0.5 * sqrt(2.0 + g), 12, 20, 30}};
    for (size_t i = 0; i < G_N_ELEMENTS(solids); i++) {
        mesh_soup soup = {0};
        mesh_lines problems = {0};
        double radius;
        g_assert_true(polyhedron_regular(solids[i].solid, NULL, &soup, &radius, &problems));
        mesh_surface *s = solid_of(&soup);
        const polyhedron_sums sums = polyhedron_measure(s);
        assert_near(radius, solids[i].radius, 4e-16);
        assert_near(sums.volume, solids[i].volume, 1e-14);
        for (int k = 0; k < 3; k++) {
            assert_near(sums.centroid[k], 0.0, 1e-15);
            assert_near(sums.inertia[k], solids[i].moment, 1e-15);
            assert_near(sums.inertia[k + 3], 0.0, 1e-16);
        }
        g_assert_true(s->view.closed);
        g_assert_true(polyhedron_is_convex(s));
        g_assert_cmpuint(s->view.n_vertices, ==, solids[i].vertices);
        g_assert_cmpuint(s->view.n_facets, ==, solids[i].facets);
        g_assert_cmpuint(count_edges(s, SCREE_EDGE_CONVEX), ==, solids[i].edges);
        g_assert_cmpuint(count_edges(s, SCREE_EDGE_FLAT), ==,
                         3 * solids[i].facets / 2 - solids[i].edges);
        mesh_surface_free(s);
    }
}

/** An affine image of the unit tetrahedron: V = |det| / 6, centroid the mean of the corners, and the
 * covariance A C A^T with the one of the unit tetrahedron, 3/80 on its diagonal -1/80 off it. */
TEST("/polyhedron/affine-tetrahedra")
{
    static const uint32_t facet[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    static const uint32_t turned[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3};
    for (int i = 0; i < 500; i++) {
        double a[3][3], at[3], xyz[12], det = 0.0;
        const double far = i % 2 ? 1e4 : 0.0;
        mesh_soup soup = {0};
        for (int k = 0; k < 3; k++) {
            at[k] = far * g_test_rand_double_range(-1.0, 1.0);
            for (int l = 0; l < 3; l++)
                a[k][l] = g_test_rand_double_range(-1.0, 1.0);
        }
        for (int k = 0; k < 3; k++)
            det += a[0][k] *
                   (a[1][(k + 1) % 3] * a[2][(k + 2) % 3] - a[1][(k + 2) % 3] * a[2][(k + 1) % 3]);
        if (fabs(det) < 0.05)
            continue;
        for (int v = 0; v < 4; v++)
            for (int k = 0; k < 3; k++)
                xyz[3 * v + k] = at[k] + (v ? a[k][v - 1] : 0.0);
        add(&soup, 4, xyz, 4, 3, det > 0.0 ? facet : turned);
        mesh_surface *s = solid_of(&soup);
        const polyhedron_sums sums = polyhedron_measure(s);
        const double slack = far > 0.0 ? 1e-9 : 1e-14;
        assert_near(sums.volume, fabs(det) / 6.0, slack);
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            double own[3] = {0.0, 0.0,
                             0.0}; // xx of axes l and m, and of the pair (0, 1), (0, 2), (1, 2)
            assert_near(sums.centroid[k], at[k] + (a[k][0] + a[k][1] + a[k][2]) / 4.0, slack);
            for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++) {
                    const double c = (u == v ? 3.0 : -1.0) / 80.0;
                    own[0] += a[l][u] * c * a[l][v] + a[m][u] * c * a[m][v];
                    own[1] -= a[k == 2][u] * c * a[k == 0 ? 1 : 2][v];
                }
            assert_near(sums.inertia[k], own[0], slack);
            assert_near(sums.inertia[k + 3], own[1], slack);
        }
        mesh_surface_free(s);
    }
}

/** An L of three cubes, by Steiner; concave. With a cavity the sums are those of a difference. */
TEST("/polyhedron/an-l-and-cavities")
{
    static const double l[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0,
                               0, 0, 1, 2, 0, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 0, 2, 1};
    static const uint32_t sides[] = {0,  3,  2,  1, 0, 5, 4,  3,  6, 7, 8, 9, 6, 9,
                                     10, 11, 0,  1, 7, 6, 1,  2,  8, 7, 2, 3, 9, 8,
                                     3,  4,  10, 9, 4, 5, 11, 10, 5, 0, 6, 11};
    mesh_soup soup = {0};
    add(&soup, 12, l, 10, 4, sides);
    mesh_surface *s = solid_of(&soup);
    polyhedron_sums sums = polyhedron_measure(s);
    double zz = 1.0 / 6.0;
    static const double middle[3][2] = {{0.5, 0.5}, {1.5, 0.5}, {0.5, 1.5}};
    for (int i = 0; i < 3; i++)
        zz += (pow(middle[i][0] - 5.0 / 6.0, 2) + pow(middle[i][1] - 5.0 / 6.0, 2)) / 3.0;
    assert_near(sums.volume, 3.0, 1e-15);
    assert_near(sums.centroid[0], 5.0 / 6.0, 1e-15);
    assert_near(sums.centroid[2], 0.5, 1e-15);
    assert_near(sums.inertia[2], zz, 1e-15);
    g_assert_false(polyhedron_is_convex(s));
    g_assert_cmpuint(count_edges(s, SCREE_EDGE_CONCAVE), ==, 1);
    mesh_surface_free(s);

    soup = (mesh_soup){0};
    double hole[24], shift[24];
    uint32_t inward[24];
    for (int i = 0; i < 24; i++) {
        hole[i] = 0.25 + 0.5 * cube[i];
        shift[i] = 0.3 + 0.5 * cube[i];
        inward[i] = cube_sides[i / 4 * 4 + 3 - i % 4];
    }
    add(&soup, 8, cube, 6, 4, cube_sides);
    add(&soup, 8, hole, 6, 4, inward);
    s = solid_of(&soup);
    sums = polyhedron_measure(s);
    assert_near(sums.volume, 1.0 - 0.125, 1e-15);
    assert_near(sums.inertia[0], (1.0 / 6.0 - 0.125 * 0.25 / 6.0) / 0.875, 1e-15);
    assert_near(sums.centroid[0], 0.5, 1e-15);
    mesh_surface_free(s);

    soup = (mesh_soup){0}; // off the centre: (0.5 - 0.125 * 0.55) / 0.875
    add(&soup, 8, cube, 6, 4, cube_sides);
    add(&soup, 8, shift, 6, 4, inward);
    s = solid_of(&soup);
    sums = polyhedron_measure(s);
    assert_near(sums.centroid[1], (0.5 - 0.125 * 0.55) / 0.875, 1e-15);
    mesh_surface_free(s);
}

/* ---- hulls ---- */

static mesh_surface *hull_of(uint32_t n, const double *xyz)
{
    mesh_soup soup = {0};
    mesh_lines problems = {0};
    add(&soup, n, xyz, 0, 3, NULL);
    if (!polyhedron_hull(&soup, &problems))
        g_error("%s", problems.line[0]);
    return solid_of(&soup);
}

/** Points of a grid: 8 corners, 12 facets, 6 flat edges, whatever is inside or on a side. */
TEST("/polyhedron/hull-of-a-grid-has-8-corners")
{
    double xyz[3 * 216];
    for (int i = 0; i < 216; i++) {
        xyz[3 * i] = 0.1 * (i % 6);
        xyz[3 * i + 1] = 0.7 * (i / 6 % 6);
        xyz[3 * i + 2] = 3.0 - 0.3 * (i / 36);
    }
    mesh_surface *s = hull_of(216, xyz);
    g_assert_cmpuint(s->view.n_vertices, ==, 8);
    g_assert_cmpuint(s->view.n_facets, ==, 12);
    g_assert_cmpuint(count_edges(s, SCREE_EDGE_FLAT), ==, 6);
    assert_near(polyhedron_measure(s).volume, 0.5 * 3.5 * 1.5, 1e-14);
    mesh_surface_free(s);
}

/** A prism of a regular 200-gon, as a table with seven digits would hold it: volume of the n-gon. */
TEST("/polyhedron/hull-of-a-rounded-prism")
{
    double xyz[1200];
    for (int i = 0; i < 400; i++) {
        const double angle = 2.0 * PI * (i / 2) / 200.0;
        xyz[3 * i] = rint(1e7 * cos(angle)) / 1e7;
        xyz[3 * i + 1] = rint(1e7 * sin(angle)) / 1e7;
        xyz[3 * i + 2] = i % 2;
    }
    mesh_surface *s = hull_of(400, xyz);
    g_assert_cmpuint(s->view.n_vertices, ==, 400);
    g_assert_true(polyhedron_is_convex(s));
    assert_near(polyhedron_measure(s).volume, 100.0 * sin(2.0 * PI / 200.0), 1e-6);
    mesh_surface_free(s);
}

/** Random points: convex, all of them inside, corners on it, the same reach as by brute force. */
TEST("/polyhedron/hull-of-random-points")
{
    for (uint32_t n = 4; n < 600; n = n * 3 / 2 + 1) {
        double *xyz = g_new(double, 3 * n);
        const int ball = n % 2; // on a sphere: all are corners
        for (uint32_t i = 0; i < n; i++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++) {
                xyz[3 * i + k] = g_test_rand_double_range(-1.0, 1.0);
                square += xyz[3 * i + k] * xyz[3 * i + k];
            }
            const double length = ball ? sqrt(square) : 1.0;
            for (int k = 0; k < 3; k++)
                xyz[3 * i + k] /= length;
        }
        mesh_surface *s = hull_of(n, xyz);
        g_assert_true(polyhedron_is_convex(s));
        g_assert_cmpuint(s->view.n_facets, ==, 2 * s->view.n_vertices - 4);
        if (ball)
            g_assert_cmpuint(s->view.n_vertices, ==, n);
        for (uint32_t f = 0; f < s->view.n_facets; f++) {
            double normal[3], most = -HUGE_VAL;
            mesh_normal(s, f, normal);
            for (uint32_t i = 0; i < n; i++)
                most = fmax(most, normal[0] * (xyz[3 * i] - s->vertex[0][s->facet[4 * f]]) +
                                      normal[1] * (xyz[3 * i + 1] - s->vertex[1][s->facet[4 * f]]) +
                                      normal[2] * (xyz[3 * i + 2] - s->vertex[2][s->facet[4 * f]]));
            assert_near(most, 0.0, 1e-13);
        }
        mesh_surface_free(s);
        g_free(xyz);
    }
}

/** Grids, prisms, doubled corners of a dodecahedron, clouds, near and far from the origin, each with noise of
 * 0 to 1e-5: a closed convex surface of good triangles, beyond which no point is farther than 1e-7. */
TEST("/polyhedron/hull-of-noisy-points")
{
    for (int round = 0; round < 1200; round++) {
        enum { N = 120 };
        double xyz[3 * N], radius;
        const double noise = round % 12 ? pow(10.0, -round % 12 - 5.0) : 0.0;
        const double far = round % 5 ? 0.0 : 1000.0;
        mesh_soup die = {0};
        mesh_lines problems = {0};
        g_assert_true(polyhedron_regular(POLYHEDRON_DODECAHEDRON, NULL, &die, &radius, &problems));
        for (int i = 0; i < N; i++) {
            const double angle = 2.0 * PI * (i / 2) / 60.0;
            const double grid[3] = {0.25 * (i % 5), 0.25 * (i / 5 % 5), 0.25 * (i / 25)};
            const double prism[3] = {cos(angle), sin(angle), i % 2};
            const double *const kinds[3] = {grid, prism, die.xyz + 3 * (size_t)(i % 20)};
            const int kind = round / 12 % 4;
            for (int k = 0; k < 3; k++) {
                const double at = kind < 3 ? kinds[kind][k] : g_test_rand_double_range(-1.0, 1.0);
                xyz[3 * i + k] = far + at + noise * g_test_rand_double_range(-1.0, 1.0);
            }
        }
        mesh_soup_clear(&die);
        mesh_surface *s = hull_of(N, xyz);
        g_assert_true(polyhedron_is_convex(s));
        for (uint32_t f = 0; f < s->view.n_facets; f++) {
            double normal[3];
            mesh_normal(s, f, normal);
            for (uint32_t i = 0; i < N; i++) {
                double over = 0.0;
                for (int k = 0; k < 3; k++)
                    over += normal[k] * (xyz[3 * i + k] - s->vertex[k][s->facet[4 * (size_t)f]]);
                g_assert_cmpfloat(over, <, 1e-7);
            }
        }
        mesh_surface_free(s);
    }
}

/** The farthest corner against a plain loop, which keeps the first of equal ones. */
TEST("/polyhedron/support-is-the-first-farthest-corner")
{
    for (uint32_t n = 4; n < 90; n++) {
        double x[3][90], range[2];
        uint8_t marked[90];
        const double *const at[3] = {x[0], x[1], x[2]};
        polyhedron_corners c = {0};
        for (uint32_t i = 0; i < n; i++) {
            marked[i] = 1;
            for (int k = 0; k < 3; k++) // few values: many ties
                x[k][i] = (double)g_test_rand_int_range(-2, 3);
        }
        g_assert_true(polyhedron_corners_new(&c, n, marked));
        polyhedron_corners_set(&c, at);
        for (int t = 0; t < 300; t++) {
            double d[3], most = -HUGE_VAL, least = HUGE_VAL;
            uint32_t best = 0;
            for (int k = 0; k < 3; k++)
                d[k] = t % 2 ? (double)g_test_rand_int_range(-2, 3)
                             : g_test_rand_double_range(-1.0, 1.0);
            for (uint32_t i = 0; i < n; i++) {
                const double far = d[0] * x[0][i] + d[1] * x[1][i] + d[2] * x[2][i];
                best = far > most ? i : best;
                most = fmax(far, most);
                least = fmin(far, least);
            }
            g_assert_cmpuint(polyhedron_farthest(&c, d), ==, best);
            polyhedron_range(&c, d, range);
            assert_near(range[0], least, 0.0);
            assert_near(range[1], most, 0.0);
        }
        polyhedron_corners_clear(&c);
    }
}
