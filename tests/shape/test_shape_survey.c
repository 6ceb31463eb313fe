// SPDX-License-Identifier: Apache-2.0
// Surfaces whose area, volume, parts, holes and sides are known.
#include <math.h>

#include "../test.h"
#include "mesh_plugin.h"
#include "near.h"
#include "tools/look/shape_survey.h"

#define N SCREE_NONE

static scree_survey survey_of(uint32_t nv, const double *xyz, uint32_t nf, const uint32_t *facets)
{
    mesh_lines problems = {0};
    scree_survey v;
    mesh_surface *s = mesh_surface_new(3, nv, xyz, nf, facets, &problems);
    take_lines(&problems, NULL);
    const scree_shape shape = shape_of_surface(s);
    scree_shape_survey(&shape, &v);
    mesh_surface_free(s);
    return v;
}

static const double cube_xyz[] = {5, 0, 0, 6, 0, 0, 5, 1, 0, 6, 1, 0,
                                  5, 0, 1, 6, 0, 1, 5, 1, 1, 6, 1, 1};
static const uint32_t cube[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

TEST("/survey/a-cube-and-what-is-left-of-it")
{
    scree_survey v = survey_of(8, cube_xyz, 6, cube);
    assert_near(v.area, 6.0, 1e-14);
    assert_near(v.volume, 1.0, 1e-14);
    g_assert_cmpuint(v.n_parts, ==, 1);
    g_assert_cmpuint(v.open_edges + v.n_holes + v.branching + v.turned, ==, 0);
    uint32_t inward[24];
    for (int i = 0; i < 24; i++)
        inward[i] = cube[4 * (i / 4) + 3 - i % 4];
    assert_near(survey_of(8, cube_xyz, 6, inward).volume, -1.0, 1e-14);
    // Without top and bottom: two holes. With only left and right: two parts.
    v = survey_of(8, cube_xyz, 4, cube);
    g_assert_cmpuint(v.open_edges, ==, 8);
    g_assert_cmpuint(v.n_holes, ==, 2);
    v = survey_of(8, cube_xyz, 2, cube);
    g_assert_cmpuint(v.n_parts, ==, 2);
    g_assert_cmpuint(v.n_holes, ==, 2);
    // One side the other way round, then five of six: one is inside out.
    uint32_t one[24], five[24];
    for (int i = 0; i < 24; i++) {
        one[i] = i / 4 == 3 ? inward[i] : cube[i];
        five[i] = i / 4 == 0 ? cube[i] : inward[i];
    }
    g_assert_cmpuint(survey_of(8, cube_xyz, 6, one).turned, ==, 1);
    g_assert_cmpuint(survey_of(8, cube_xyz, 6, five).turned, ==, 1);
}

TEST("/survey/sheets-on-one-edge-branch")
{
    // Three sheets on one edge.
    static const double xyz[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 1, 0, -1, -1, 0};
    static const uint32_t f[] = {0, 1, 2, N, 0, 1, 3, N, 0, 1, 4, N};
    scree_survey v = survey_of(5, xyz, 3, f);
    g_assert_cmpuint(v.branching, ==, 1);
    g_assert_cmpuint(v.open_edges, ==, 6);
    g_assert_cmpuint(v.n_parts, ==, 3);
}

TEST("/survey/a-strip-with-a-half-turn-has-one-side")
{
    // A band of 2 n triangles: closed with a half turn it has one side and one rim, without two.
    enum { TURNS = 24 };
    for (int half = 0; half < 2; half++) {
        double xyz[6 * TURNS];
        uint32_t f[8 * TURNS];
        for (uint32_t i = 0; i < TURNS; i++) {
            double a = 2.0 * G_PI * i / TURNS, b = half ? 0.5 * a : 0.0;
            for (int k = 0; k < 2; k++) {
                double w = k ? 0.3 : -0.3, *x = xyz + 6 * (size_t)i + 3 * k;
                x[0] = (2.0 + w * sin(b)) * cos(a);
                x[1] = (2.0 + w * sin(b)) * sin(a);
                x[2] = w * cos(b);
            }
            uint32_t p = 2 * i, q = p + 1, r = 2 * (i + 1) % (2 * TURNS), s = r + 1;
            if (half && i + 1 == TURNS) { // what was below is above
                r = 1;
                s = 0;
            }
            const uint32_t two[8] = {p, r, q, N, q, r, s, N};
            memcpy(f + 8 * (size_t)i, two, sizeof two);
        }
        const scree_survey v = survey_of(2 * TURNS, xyz, 2 * TURNS, f);
        g_assert_cmpuint(v.open_edges, ==, 2 * TURNS);
        g_assert_cmpuint(v.n_holes, ==, half ? 1 : 2);
        g_assert_cmpuint(v.n_parts, ==, 1);
        g_assert_cmpuint(v.turned > 0, ==, half);
    }
}
