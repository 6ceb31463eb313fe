// SPDX-License-Identifier: Apache-2.0
// Surfaces of shape/mesh: the same neighbours, edges and refusals as the host's own facets have, and
// which of them enclose a solid.
#include "mesh_plugin.h"

#include <string.h>

#define N SCREE_NONE

/** The surface and the host's shape of the same facets: the same bits, or the same refusal. Returns
 * 1 when there was a surface, 2 when it is closed. */
static int compare(uint32_t dimension, uint32_t n_vertices, const double *xyz, uint32_t n_facets,
                   const uint32_t *facets)
{
    g_autoptr(GError) error = NULL;
    mesh_lines problems = {0};
    scree_shape *shape =
        scree_shape_new_facets(dimension, n_vertices, xyz, n_facets, facets, &error);
    mesh_surface *surface =
        mesh_surface_new(dimension, n_vertices, xyz, n_facets, facets, &problems);
    int answer = surface != NULL;
    g_assert_cmpint(answer, ==, shape != NULL);
    if (!surface) {
        g_assert_cmpuint(problems.n, ==, 1);
        g_assert_cmpstr(problems.line[0], ==, error->message);
    } else {
        const scree_mesh *a = &surface->view, *b = shape->mesh;
        const size_t places = 4 * (size_t)n_facets;
        g_assert_cmpuint(a->n_vertices, ==, b->n_vertices);
        g_assert_cmpuint(a->n_facets, ==, b->n_facets);
        g_assert_cmpuint(surface->branching, ==, scree_shape_branching(shape));
        for (int k = 0; k < 3; k++)
            g_assert_cmpmem(a->vertex[k], 8 * a->n_vertices, b->vertex[k], 8 * b->n_vertices);
        g_assert_cmpmem(a->facet, 4 * places, b->facet, 4 * places);
        g_assert_cmpmem(a->neighbour, 4 * places, b->neighbour, 4 * places);
        g_assert_cmpmem(a->edge, places, b->edge, places);
        answer += a->closed != 0;
    }
    mesh_lines_clear(&problems);
    mesh_surface_free(surface);
    scree_shape_free(shape);
    return answer;
}

static void test_random(void)
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
        made += compare(dimension, n, xyz, n_facets, facets) > 0;
    }
    g_assert_cmpuint(made, >, 1000);
}

static const double cube_xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                  0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const uint32_t cube[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

static void test_closed(void)
{
    static const uint32_t square[] = {0, 1, N, N, 1, 3, N, N, 3, 2, N, N, 2, 0, N, N};
    uint32_t turned[24], mixed[24], back[16];
    for (int i = 0; i < 24; i++)
        turned[i] = cube[4 * (i / 4) + 3 - i % 4];
    memcpy(mixed, cube, sizeof mixed);
    memcpy(mixed + 8, turned + 8, 4 * sizeof *mixed);
    for (int i = 0; i < 16; i++)
        back[i] = i % 4 < 2 ? square[4 * (i / 4) + 1 - i % 4] : N;
    g_assert_cmpint(compare(3, 8, cube_xyz, 6, cube), ==, 2);
    g_assert_cmpint(compare(3, 8, cube_xyz, 6, turned), ==, 1); // normals inward
    g_assert_cmpint(compare(3, 8, cube_xyz, 6, mixed), ==, 1);  // one facet inside out
    g_assert_cmpint(compare(3, 8, cube_xyz, 5, cube), ==, 1);   // open
    g_assert_cmpint(compare(2, 4, cube_xyz, 4, square), ==, 2);
    g_assert_cmpint(compare(2, 4, cube_xyz, 4, back), ==, 1);
    g_assert_cmpint(compare(2, 4, cube_xyz, 3, square), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/surface/is-that-of-the-hosts-own-facets", test_random);
    g_test_add_func("/surface/closed-ones-have-their-normals-outward", test_closed);
    return g_test_run();
}
