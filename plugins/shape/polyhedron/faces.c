// SPDX-License-Identifier: Apache-2.0
// Faces with more than three corners as triangles.
#include "polyhedron.h"

static void less(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/** Twice the area of a triangle about the normal, over the square of its longest side. */
static double fullness(const mesh_soup *soup, const uint32_t c[3], const double normal[3])
{
    const double *x = soup->xyz + 3 * (size_t)c[0], *y = soup->xyz + 3 * (size_t)c[1],
                 *z = soup->xyz + 3 * (size_t)c[2];
    double u[3], v[3], w[3], twice = 0.0, longest = 0.0;
    less(y, x, u);
    less(z, x, v);
    less(z, y, w);
    for (int k = 0; k < 3; k++)
        twice += normal[k] * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const double *const side[3] = {u, v, w};
    for (int i = 0; i < 3; i++)
        longest = scree_max(longest, side[i][0] * side[i][0] + side[i][1] * side[i][1] +
                                         side[i][2] * side[i][2]);
    return twice / longest;
}

/** Cuts off the corner whose triangle is the fullest, again and again. */
static int cut_corners(mesh_soup *soup, uint32_t n, uint32_t *corner, const double normal[3],
                       mesh_lines *problems)
{
    while (n >= 3) {
        uint32_t at = 0;
        double best = -HUGE_VAL;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t c[3] = {corner[(i + n - 1) % n], corner[i], corner[(i + 1) % n]};
            const double full = fullness(soup, c, normal);
            at = full > best ? i : at;
            best = scree_max(full, best);
        }
        if (!(best > 1e-11))
            return n == 3 ? mesh_say(problems, "all corners of a face are on a line") : 0;
        const uint32_t c[3] = {corner[(at + n - 1) % n], corner[at], corner[(at + 1) % n]};
        mesh_add_facet(soup, 3, c, 0);
        memmove(corner + at, corner + at + 1, (n - at - 1) * sizeof *corner);
        n--;
    }
    return 1;
}

int polyhedron_add_face(mesh_soup *soup, uint32_t n, const uint32_t *corner, const double normal[3],
                        mesh_lines *problems)
{
    int full = 1;
    if (!mesh_reserve(soup, 0, n, problems))
        return 0;
    for (uint32_t i = 1; i + 1 < n && full; i++) {
        const uint32_t c[3] = {corner[0], corner[i], corner[i + 1]};
        full = fullness(soup, c, normal) > 1e-9;
    }
    if (full) {
        for (uint32_t i = 1; i + 1 < n; i++) {
            const uint32_t c[3] = {corner[0], corner[i], corner[i + 1]};
            mesh_add_facet(soup, 3, c, 0);
        }
        return 1;
    }
    uint32_t *rest = malloc(n * sizeof *rest);
    if (!rest)
        return mesh_say(problems, "no memory for a face of %u corners", n);
    memcpy(rest, corner, n * sizeof *rest);
    const int good = cut_corners(soup, n, rest, normal, problems);
    free(rest);
    return good;
}

static double square_between(const mesh_soup *soup, uint32_t a, uint32_t b)
{
    double d[3];
    less(soup->xyz + 3 * (size_t)a, soup->xyz + 3 * (size_t)b, d);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

int polyhedron_cut_quads(mesh_soup *soup, mesh_lines *problems)
{
    const uint64_t n = soup->n_facets;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t f[4];
        memcpy(f, soup->corner + 4 * i, sizeof f);
        if (f[3] == SCREE_NONE)
            continue;
        if (!mesh_reserve(soup, 0, 1, problems))
            return 0;
        const int first = square_between(soup, f[0], f[2]) <= square_between(soup, f[1], f[3]);
        const uint32_t one[4] = {f[0], f[1], first ? f[2] : f[3], SCREE_NONE};
        const uint32_t other[3] = {f[2], f[3], first ? f[0] : f[1]};
        memcpy(soup->corner + 4 * i, one, sizeof one);
        mesh_add_facet(soup, 3, other, soup->line[i]);
        soup->number[soup->n_facets - 1] = soup->number[i];
    }
    return 1;
}
