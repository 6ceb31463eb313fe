// SPDX-License-Identifier: Apache-2.0
// Welding against brute force; what is kept, and in which order.
#include "../test.h"
#include "mesh_fixture.h"

static mesh_soup *soup(uint32_t n, const double *xyz)
{
    mesh_lines problems = {0};
    mesh_soup *m = g_new0(mesh_soup, 1);
    m->file = "m.stl";
    g_assert_true(mesh_reserve(m, n, n / 3, &problems));
    for (uint32_t i = 0; i < n; i++)
        mesh_add_vertex(m, xyz + 3 * (size_t)i);
    for (uint32_t i = 0; i + 2 < n; i += 3) {
        const uint32_t corner[3] = {i, i + 1, i + 2};
        mesh_add_facet(m, 3, corner, 0);
    }
    return m;
}

static void weld(mesh_soup *m, double tolerance)
{
    mesh_lines problems = {0};
    g_assert_true(mesh_weld(m, tolerance, &problems));
    g_assert_cmpuint(problems.n, ==, 0);
}

/** Each vertex becomes the lowest kept one within the tolerance: all pairs. */
static void check_brute(uint32_t n, const double *xyz, double tolerance)
{
    g_autoptr(mesh_soup) m = soup(n, xyz);
    g_autofree uint32_t *place = g_new(uint32_t, n);
    g_autofree uint32_t *kept = g_new(uint32_t, n);
    uint32_t n_kept = 0;
    weld(m, tolerance);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        for (; k < n_kept; k++) {
            const double *a = xyz + 3 * (size_t)i, *b = xyz + 3 * (size_t)kept[k];
            if (hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) <= tolerance)
                break;
        }
        place[i] = k;
        if (k == n_kept)
            kept[n_kept++] = i;
    }
    g_assert_cmpuint(m->n_vertices, ==, n_kept);
    for (uint32_t i = 0; i < n; i++)
        g_assert_cmpuint(m->corner[4 * (i / 3) + i % 3], ==, place[i]);
    for (uint32_t k = 0; k < n_kept; k++)
        for (int c = 0; c < 3; c++)
            g_assert_cmpfloat(m->xyz[3 * (size_t)k + c], ==, xyz[3 * (size_t)kept[k] + c]);
}

TEST("/mesh/welding-is-that-of-all-pairs")
{
    enum { N = 900 };
    double xyz[3 * N];
    for (int round = 0; round < 6; round++) {
        // On cell edges and off them, in a space small enough for many to be near.
        for (int i = 0; i < 3 * N; i++) {
            double x = g_test_rand_double_range(-1.0, 1.0);
            xyz[i] = round % 3 == 0   ? x
                     : round % 3 == 1 ? nearbyint(8.0 * x) * 0.4
                                      : 0.1 * x - 40.0;
        }
        static const double tolerances[] = {0.0, 0.01, 0.05, 0.4, 3.0};
        for (size_t t = 0; t < G_N_ELEMENTS(tolerances); t++)
            check_brute(N, xyz, tolerances[t]);
    }
}

TEST("/mesh/chains-do-not-creep-together")
{
    // Each is within 1 of the next: the second joins the first, the third stands for itself.
    static const double xyz[] = {0, 0, 0, 0.9, 0, 0, 1.8, 0, 0, 2.7, 0, 0, 3.6, 0, 0, -0.0, 5, 0};
    check_brute(6, xyz, 1.0);
    g_autoptr(mesh_soup) m = soup(6, xyz);
    weld(m, 1.0);
    g_assert_cmpuint(m->n_vertices, ==, 4);
}

TEST("/mesh/any-numbers-can-be-welded")
{
    static const double xyz[] = {0.0,   0, 0, -0.0,   0, 0, 1e-320, 0, 0,
                                 1e300, 0, 0, -1e300, 1, 1, 1,      1, 1};
    static const double tolerances[] = {0.0, 1e-300, 1e-9, 1e290, 1e301};
    static const uint64_t kept[] = {5, 5, 5, 3, 1}; // below 1e285: only equal ones
    for (size_t t = 0; t < G_N_ELEMENTS(tolerances); t++) {
        g_autoptr(mesh_soup) m = soup(6, xyz);
        weld(m, tolerances[t]);
        g_assert_cmpuint(m->n_vertices, ==, kept[t]);
    }
}

TEST("/mesh/too-many-facets-are-refused")
{
    mesh_lines problems = {0};
    mesh_soup m = {.file = "m.stl"};
    g_assert_false(mesh_reserve(&m, 0, MESH_MOST_FACETS + 1, &problems));
    g_assert_nonnull(strstr(problems.line[0], "m.stl: more than 536870912 facets"));
    g_assert_false(mesh_reserve(&m, UINT64_MAX, 0, &problems));
    g_assert_cmpuint(problems.n, ==, 2);
    mesh_lines_clear(&problems);
}
