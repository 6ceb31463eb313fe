// SPDX-License-Identifier: Apache-2.0
// Faces with more than three corners as triangles.
#include "polyhedron.h"

static void less(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/** Twice the area of the triangle of a point and two vertices, about the normal. */
static double twice_area(const mesh_soup *soup, const double from[3], uint32_t a, uint32_t b,
                         const double normal[3])
{
    double u[3], v[3], twice = 0.0;
    less(soup->xyz + 3 * (size_t)a, from, u);
    less(soup->xyz + 3 * (size_t)b, from, v);
    for (int k = 0; k < 3; k++)
        twice += normal[k] * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    return twice;
}

/** Twice the area of a triangle about the normal, over the square of its longest side. */
static double fullness(const mesh_soup *soup, const uint32_t c[3], const double normal[3])
{
    const double *x = soup->xyz + 3 * (size_t)c[0], *y = soup->xyz + 3 * (size_t)c[1],
                 *z = soup->xyz + 3 * (size_t)c[2];
    double u[3], v[3], w[3], longest = 0.0;
    less(y, x, u);
    less(z, x, v);
    less(z, y, w);
    const double *const side[3] = {u, v, w};
    for (int i = 0; i < 3; i++)
        longest = scree_max(longest, side[i][0] * side[i][0] + side[i][1] * side[i][1] +
                                         side[i][2] * side[i][2]);
    return twice_area(soup, x, c[1], c[2], normal) / longest;
}

/** Twice the areas, about the normal, of the polygons of corners 0 to k, k < n. */
static void sum_areas(const mesh_soup *soup, uint32_t n, const uint32_t *corner,
                      const double normal[3], double *sum)
{
    const double *from = soup->xyz + 3 * (size_t)corner[0];
    sum[0] = sum[1] = 0.0;
    for (uint32_t i = 2; i < n; i++)
        sum[i] = sum[i - 1] + twice_area(soup, from, corner[i - 1], corner[i], normal);
}

/** Finds the diagonal that leaves most area on its smaller side. */
static void find_diagonal(const mesh_soup *soup, uint32_t n, const uint32_t *corner,
                          const double normal[3], const double *sum, uint32_t ends[2])
{
    const double *from = soup->xyz + 3 * (size_t)corner[0];
    double best = -HUGE_VAL;
    for (uint32_t i = 0; i + 2 < n; i++)
        for (uint32_t j = i + 2; j < n; j++) {
            const double between = i ? twice_area(soup, from, corner[i], corner[j], normal) : 0.0;
            const double area = sum[j] - sum[i] - between;
            const double less_of_both = scree_min(area, sum[n - 1] - area);
            if (less_of_both > best && (i || j + 1 < n)) {
                best = less_of_both;
                ends[0] = i;
                ends[1] = j;
            }
        }
}

/** Cuts a polygon along diagonals, so that corners on a line with their neighbours get triangles
 * with an area, too. `room`: [n]. */
static int cut_face(mesh_soup *soup, uint32_t n, uint32_t *corner, const double normal[3],
                    double *room)
{
    uint32_t ends[2] = {0, 0};
    if (n == 3) {
        mesh_add_facet(soup, 3, corner, 0);
        return 1;
    }
    sum_areas(soup, n, corner, normal, room);
    find_diagonal(soup, n, corner, normal, room, ends);
    const uint32_t inside = ends[1] - ends[0] + 1, outside = n - inside + 2;
    uint32_t *rest = malloc(outside * sizeof *rest);
    if (!rest)
        return 0;
    memcpy(rest, corner, (ends[0] + 1) * sizeof *rest);
    memcpy(rest + ends[0] + 1, corner + ends[1], (n - ends[1]) * sizeof *rest);
    const int good = cut_face(soup, inside, corner + ends[0], normal, room) &&
                     cut_face(soup, outside, rest, normal, room);
    free(rest);
    return good;
}

int polyhedron_add_face(mesh_soup *soup, uint32_t n, const uint32_t *corner, const double normal[3],
                        mesh_lines *problems)
{
    int full = 1;
    if (!mesh_reserve(soup, 0, n, problems))
        return 0;
    for (uint32_t i = 1; i + 1 < n; i++) {
        const uint32_t c[3] = {corner[0], corner[i], corner[i + 1]};
        full &= fullness(soup, c, normal) > 1e-9;
    }
    if (full) {
        for (uint32_t i = 1; i + 1 < n; i++) {
            const uint32_t c[3] = {corner[0], corner[i], corner[i + 1]};
            mesh_add_facet(soup, 3, c, 0);
        }
        return 1;
    }
    uint32_t *own = malloc(n * sizeof *own);
    double *room = malloc(n * sizeof *room);
    int good = own && room;
    if (good) {
        memcpy(own, corner, n * sizeof *own);
        good = cut_face(soup, n, own, normal, room);
    }
    free(own);
    free(room);
    return good || mesh_say(problems, "no memory for a face of %u corners", n);
}

uint32_t polyhedron_find_thin(const mesh_soup *soup, uint64_t facet, double least)
{
    const uint32_t *c = soup->corner + 4 * facet;
    double side[3][3], n[3], longest = 0.0, area = 0.0;
    uint32_t opposite = 0;
    for (uint32_t e = 0; e < 3; e++) {
        double square = 0.0;
        less(soup->xyz + 3 * (size_t)c[(e + 1) % 3], soup->xyz + 3 * (size_t)c[e], side[e]);
        for (int k = 0; k < 3; k++)
            square += side[e][k] * side[e][k];
        opposite = square > longest ? (e + 2) % 3 : opposite;
        longest = scree_max(square, longest);
    }
    for (int k = 0; k < 3; k++) {
        n[k] = side[0][(k + 1) % 3] * side[1][(k + 2) % 3] -
               side[0][(k + 2) % 3] * side[1][(k + 1) % 3];
        area += n[k] * n[k];
    }
    return sqrt(area) <= least * longest ? c[opposite] : SCREE_NONE;
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
