/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from memory for tests: a prism in STL, problems compared with what they must say. */
#ifndef TESTS_SHAPE_MESH_FIXTURE_H
#define TESTS_SHAPE_MESH_FIXTURE_H

#include <math.h>
#include <string.h>

#include "../unit/near.h"
#include "mesh_plugin.h"
#include "shape/shape.h"
#include "tools/look/shape_survey.h"

/* A prism over a regular polygon, upright on z = 0; its closed forms. */
#define PRISM_N 7
#define PRISM_R 1.5
#define PRISM_H 2.5
#define PRISM_BASE (0.5 * PRISM_N * PRISM_R * PRISM_R * sin(2.0 * G_PI / PRISM_N))
#define PRISM_AREA (2.0 * PRISM_BASE + PRISM_N * 2.0 * PRISM_R * sin(G_PI / PRISM_N) * PRISM_H)
#define PRISM_VOLUME (PRISM_BASE * PRISM_H)

/** Corners of triangle t of the 4 PRISM_N, normals outward. */
static inline void prism_triangle(int t, double x[3][3])
{
    int i = t / 4, j = (i + 1) % PRISM_N;
    double a = 2.0 * G_PI * i / PRISM_N, b = 2.0 * G_PI * j / PRISM_N;
    double p[2] = {PRISM_R * cos(a), PRISM_R * sin(a)}, q[2] = {PRISM_R * cos(b), PRISM_R * sin(b)};
    const double corners[4][3][3] = {
        {{0, 0, 0}, {q[0], q[1], 0}, {p[0], p[1], 0}},
        {{0, 0, PRISM_H}, {p[0], p[1], PRISM_H}, {q[0], q[1], PRISM_H}},
        {{p[0], p[1], 0}, {q[0], q[1], 0}, {q[0], q[1], PRISM_H}},
        {{p[0], p[1], 0}, {q[0], q[1], PRISM_H}, {p[0], p[1], PRISM_H}}};
    memcpy(x, corners[t % 4], sizeof corners[0]);
}

static inline void append_u32(GString *s, uint32_t v)
{
    for (int k = 0; k < 4; k++)
        g_string_append_c(s, (char)(v >> 8 * k & 255));
}

static inline void append_float(GString *s, double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    append_u32(s, bits);
}

static inline GString *prism_binary(const char *header)
{
    GString *s = g_string_new(header);
    while (s->len < 80)
        g_string_append_c(s, '\0');
    append_u32(s, 4 * PRISM_N);
    for (int t = 0; t < 4 * PRISM_N; t++) {
        double x[3][3];
        prism_triangle(t, x);
        for (int k = 0; k < 12; k++)
            append_float(s, k < 3 ? 0.0 : x[k / 3 - 1][k % 3]);
        g_string_append_len(s, "ab", 2); // attribute bytes mean nothing
    }
    return s;
}

static inline GString *prism_text(void)
{
    GString *s = g_string_new("solid a prism\n");
    for (int t = 0; t < 4 * PRISM_N; t++) {
        double x[3][3];
        prism_triangle(t, x);
        g_string_append(s, "facet normal 0 0 0\n outer loop\n");
        for (int k = 0; k < 3; k++)
            g_string_append_printf(s, "  vertex %.17g %.17g %.17g\n", x[k][0], x[k][1], x[k][2]);
        g_string_append(s, " endloop\nendfacet\n");
    }
    g_string_append(s, "endsolid a prism\n");
    return s;
}

/** The one problem (or note) among them has this text. */
static inline void expect_text(const GPtrArray *texts, const char *expected)
{
    g_assert_cmpuint(texts->len, >, 0);
    for (guint i = 0; i < texts->len; i++)
        if (strstr(texts->pdata[i], expected))
            return;
    g_assert_cmpstr(texts->pdata[0], ==, expected);
}

/** Welds, checks with the policies, surveys; errors are failures. To be freed. */
static inline mesh_surface *mesh_finished(mesh_soup *m, double weld, scree_survey *survey)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    mesh_surface *surface = finish_soup(m, weld, MESH_ERROR, MESH_ERROR, problems, notes);
    if (problems->len)
        g_assert_cmpstr(problems->pdata[0], ==, "");
    g_assert_cmpuint(notes->len, ==, 0);
    const scree_shape shape = shape_of_surface(surface);
    scree_shape_survey(&shape, survey);
    return surface;
}

#endif
