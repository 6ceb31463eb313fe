// SPDX-License-Identifier: Apache-2.0
/*
 * Volume, centroid and inertia of a closed surface of triangles.
 *
 * Sources  B. Mirtich, J. Graphics Tools 1 (2), 1996, 31; D. Eberly, Polyhedral mass properties
 *          (revisited), 2002.
 * Idea     The tetrahedra between a point and the facets, with signs, are the solid. With the corners
 *          0, a, b, c of one, s = a + b + c and 6 V = a · (b × c):
 *            integral of x      V s / 4
 *            integral of x y    V (s_x s_y + a_x a_y + b_x b_y + c_x c_y) / 20
 *          Exact but for rounding. The first sums are about a vertex and the second about the
 *          centroid, so that a solid far from the origin loses no digits.
 */
#include "polyhedron.h"

static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

/** Corners of a facet as seen from a point; returns 6 V. */
static double corners_of(const mesh_surface *s, uint32_t facet, const double from[3],
                         double c[3][3])
{
    double six = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c[i][k] = s->vertex[k][s->facet[4 * (size_t)facet + i]] - from[k];
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        six += c[0][k] * (c[1][l] * c[2][m] - c[1][m] * c[2][l]);
    }
    return six;
}

/** Six times the volume, and 24 times its first moments, about a vertex. */
static double sum_first(const mesh_surface *s, const double from[3], double first[3])
{
    double six = 0.0, c[3][3];
    for (uint32_t f = 0; f < s->view.n_facets; f++) {
        const double part = corners_of(s, f, from, c);
        six += part;
        for (int k = 0; k < 3; k++)
            first[k] += part * (c[0][k] + c[1][k] + c[2][k]);
    }
    return six;
}

/** 120 times the second moments xx yy zz xy xz yz about a point. */
static void sum_second(const mesh_surface *s, const double from[3], double second[6])
{
    double c[3][3];
    for (uint32_t f = 0; f < s->view.n_facets; f++) {
        const double part = corners_of(s, f, from, c);
        double sum[3];
        for (int k = 0; k < 3; k++)
            sum[k] = c[0][k] + c[1][k] + c[2][k];
        for (int i = 0; i < 6; i++) {
            double product = sum[row[i]] * sum[column[i]];
            for (int v = 0; v < 3; v++)
                product += c[v][row[i]] * c[v][column[i]];
            second[i] += part * product;
        }
    }
}

polyhedron_sums polyhedron_measure(const mesh_surface *s)
{
    polyhedron_sums out = {0};
    double from[3], first[3] = {0.0}, mean[6] = {0.0};
    for (int k = 0; k < 3; k++)
        from[k] = s->vertex[k][0];
    const double six = sum_first(s, from, first);
    out.volume = six / 6.0;
    for (int k = 0; k < 3; k++)
        out.centroid[k] = from[k] + first[k] / (4.0 * six);
    sum_second(s, out.centroid, mean);
    for (int i = 0; i < 6; i++)
        mean[i] /= 20.0 * six;
    for (int k = 0; k < 3; k++)
        out.inertia[k] = mean[(k + 1) % 3] + mean[(k + 2) % 3];
    for (int i = 3; i < 6; i++)
        out.inertia[i] = -mean[i];
    return out;
}

int polyhedron_is_convex(const mesh_surface *s)
{
    for (size_t e = 0; e < 4 * (size_t)s->view.n_facets; e++)
        if (s->facet[e] != SCREE_NONE && s->edge[e] != SCREE_EDGE_FLAT &&
            s->edge[e] != SCREE_EDGE_CONVEX)
            return 0;
    return 1;
}
