// SPDX-License-Identifier: Apache-2.0
// The surface of a convex shape that offers a support function and no mesh or outline.
/*
 * Idea     points of the shape that are farthest in evenly spread directions, joined as the
 *          directions are. In 3D these are (i, j, k) with |i| + |j| + |k| = n, whole numbers, on the
 *          faces of an octahedron: 4 n^2 + 2 directions, 8 n^2 triangles. In 2D 4 n angles.
 * Steps    n is doubled until no facet is farther than the tolerance from the plane that touches the
 *          shape in the direction of the facet's normal, or n = 64.
 * Cost     once per shape: the support function for each direction and each facet.
 * Limits   where many directions have one farthest point, facets without area are left out. At n =
 *          64 the hull of a needle may be farther from its surface than the tolerance.
 */
#include "hull.h"

#include <math.h>

enum { FEWEST = 4, MOST = 64 };
#define FLAT 1e-12 /* [-] of the squared radius: smaller facets count as without area */
#define PI 3.14159265358979323846

void hull_free(hull *h)
{
    if (!h)
        return;
    free(h->x[0]);
    free(h->facet);
    free(h);
}

static int is_large_enough(hull *h, uint64_t n, uint64_t n_facets)
{
    if (!scree_grow(&h->x[0], &h->room, 3 * n, sizeof(double)) ||
        !scree_grow(&h->facet, &h->facet_room, 4 * n_facets, sizeof *h->facet))
        return 0;
    h->x[1] = h->x[0] + n;
    h->x[2] = h->x[1] + n;
    return 1;
}

static void find_farthest(const scree_support *s, uint32_t n, double *const x[3])
{
    const double *const direction[3] = {x[0], x[1], x[2]};
    double point[3][64], *const to[3] = {point[0], point[1], point[2]};
    for (uint32_t first = 0; first < n; first += 64) {
        const uint32_t some = n - first < 64 ? n - first : 64;
        const double *const from[3] = {direction[0] + first, direction[1] + first,
                                       direction[2] + first};
        s->farthest(s->ctx, some, from, to);
        for (int k = 0; k < 3; k++)
            memcpy(x[k] + first, point[k], some * sizeof(double));
    }
}

/* Distance from a point to the plane across `normal` that touches the shape; `normal` may have any
 * length. */
static double gap_over(const scree_support *s, const double normal[3], const double at[3])
{
    const double *const from[3] = {&normal[0], &normal[1], &normal[2]};
    double point[3], *const to[3] = {&point[0], &point[1], &point[2]}, length = 0.0, gap = 0.0;
    s->farthest(s->ctx, 1, from, to);
    for (int k = 0; k < 3; k++) {
        length += normal[k] * normal[k];
        gap += normal[k] * (point[k] - at[k]);
    }
    return gap / sqrt(length);
}

/* ---- 3D ---- */

/* i|) of them, those of |i| = n one.|Number of the direction (i, j, k): row i has 4 (n - |i|)
 * directions, and one if |i| = n. |i|) of them, those of |i| = n one. */
static uint32_t number_of(int32_t n, int32_t i, int32_t j, int32_t k)
{
    const int32_t below = n + i, above = n - i, rest = n - abs(i);
    const int32_t first = i > 0    ? 4 * n * n + 1 - 2 * above * (above + 1)
                          : i > -n ? 1 + 2 * below * (below - 1)
                                   : 0;
    const int32_t round = j > 0 && k >= 0   ? k
                          : j <= 0 && k > 0 ? rest - j
                          : j < 0           ? 2 * rest - k
                                            : 3 * rest + j;
    return (uint32_t)(first + (rest > 0 ? round : 0));
}

static void put_direction(hull *h, int32_t n, int32_t i, int32_t j, int32_t k)
{
    const uint32_t at = number_of(n, i, j, k);
    h->x[0][at] = i;
    h->x[1][at] = j;
    h->x[2][at] = k;
}

static void put_directions(hull *h, int32_t n)
{
    for (int32_t i = -n; i <= n; i++)
        for (int32_t j = abs(i) - n; j <= n - abs(i); j++) {
            put_direction(h, n, i, j, n - abs(i) - abs(j));
            put_direction(h, n, i, j, abs(i) + abs(j) - n);
        }
}

/* Adds a triangle unless it has no area; returns its gap. */
static double put_triangle(hull *h, const scree_support *s, const uint32_t corner[3], double radius)
{
    double x[3][3], u[3], v[3], normal[3];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            x[c][k] = h->x[k][corner[c]];
    for (int k = 0; k < 3; k++) {
        u[k] = x[1][k] - x[0][k];
        v[k] = x[2][k] - x[0][k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    const double square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    if (!(sqrt(square) > FLAT * radius * radius))
        return 0.0;
    uint32_t *to = &h->facet[4 * (uint64_t)h->mesh.n_facets++];
    memcpy(to, corner, 3 * sizeof *to);
    to[3] = SCREE_NONE;
    return gap_over(s, normal, x[0]);
}

/* Adds the triangle of three directions of an octant, (a, b, c) >= 0; sign: signs of its axes. */
static double join(hull *h, const scree_support *s, int32_t n, const int32_t sign[3],
                   const int32_t abc[3][3], double radius)
{
    const int turned = sign[0] * sign[1] * sign[2] < 0;
    uint32_t corner[3];
    for (int c = 0; c < 3; c++) {
        const int32_t *at = abc[turned ? 2 - c : c];
        corner[c] = number_of(n, sign[0] * at[0], sign[1] * at[1], sign[2] * at[2]);
    }
    return put_triangle(h, s, corner, radius);
}

/* Adds the triangles of an octant; returns the largest gap. */
static double join_octant(hull *h, const scree_support *s, int32_t n, const int32_t sign[3],
                          double radius)
{
    double most = 0.0;
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; a + b < n; b++) {
            const int32_t c = n - 1 - a - b;
            const int32_t up[3][3] = {{a + 1, b, c}, {a, b + 1, c}, {a, b, c + 1}};
            const int32_t down[3][3] = {{a, b + 1, c}, {a + 1, b, c}, {a + 1, b + 1, c - 1}};
            most = scree_max(most, join(h, s, n, sign, up, radius));
            if (c > 0)
                most = scree_max(most, join(h, s, n, sign, down, radius));
        }
    return most;
}

/* Makes the mesh; *gap is the largest distance. 0: out of memory. */
static int make_mesh(hull *h, const scree_support *s, int32_t n, double radius, double *gap)
{
    const uint32_t n_vertices = (uint32_t)(4 * n * n + 2), most = (uint32_t)(8 * n * n);
    if (!is_large_enough(h, n_vertices, most))
        return 0;
    h->mesh = (scree_mesh){.size = sizeof h->mesh,
                           .closed = 1,
                           .n_vertices = n_vertices,
                           .vertex = {h->x[0], h->x[1], h->x[2]},
                           .facet = h->facet};
    put_directions(h, n);
    find_farthest(s, n_vertices, h->x);
    *gap = 0.0;
    for (int octant = 0; octant < 8; octant++) {
        const int32_t sign[3] = {octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1};
        *gap = scree_max(*gap, join_octant(h, s, n, sign, radius));
    }
    return 1;
}

/* ---- 2D ---- */

static int make_outline(hull *h, const scree_support *s, int32_t n, double radius, double *gap)
{
    const uint32_t n_points = (uint32_t)(4 * n);
    uint32_t kept = 0;
    if (!is_large_enough(h, n_points, 0))
        return 0;
    for (uint32_t i = 0; i < n_points; i++) {
        h->x[0][i] = cos(2.0 * PI * i / n_points);
        h->x[1][i] = sin(2.0 * PI * i / n_points);
        h->x[2][i] = 0.0;
    }
    find_farthest(s, n_points, h->x);
    *gap = 0.0;
    for (uint32_t i = 0; i < n_points; i++) {
        const uint32_t j = (i + 1) % n_points;
        const double at[3] = {h->x[0][i], h->x[1][i], 0.0};
        const double normal[3] = {h->x[1][j] - at[1], at[0] - h->x[0][j], 0.0};
        if (!(fabs(normal[0]) + fabs(normal[1]) > FLAT * radius))
            continue;
        *gap = scree_max(*gap, gap_over(s, normal, at));
        h->x[0][kept] = at[0];
        h->x[1][kept++] = at[1];
    }
    h->outline =
        (scree_outline){.size = sizeof h->outline, .n = kept, .vertex = {h->x[0], h->x[1]}};
    return 1;
}

int hull_make(const scree_shape *shape, uint32_t dimension, double tolerance, hull **out)
{
    const scree_support *s = shape->view(shape, SCREE_VIEW_SUPPORT, 0.0);
    double gap = HUGE_VAL;
    *out = NULL;
    if (!s)
        return 1;
    hull *h = calloc(1, sizeof *h);
    if (!h)
        return 0;
    for (int32_t n = FEWEST; n <= MOST && gap > tolerance; n *= 2) {
        int ok = dimension == 2 ? make_outline(h, s, n, shape->radius, &gap)
                                : make_mesh(h, s, n, shape->radius, &gap);
        if (!ok) {
            hull_free(h);
            return 0;
        }
    }
    if (dimension == 2 ? h->outline.n < 3 : h->mesh.n_facets == 0) {
        hull_free(h); // the shape has no extent
        return 1;
    }
    *out = h;
    return 1;
}
