/* SPDX-License-Identifier: Apache-2.0 */
/* Closed meshes for tests of resolvers of solids: boxes, hulls, spheres, a torus; and distances by brute force. */
#ifndef TEST_RESOLVER_MESHES_H
#define TEST_RESOLVER_MESHES_H

#include "scene.h"

#define MESH_VERTICES 4096u
#define MESH_FACETS 8192u

typedef struct test_solid {
    scree_shape shape;
    scree_mesh mesh;
    scree_implicit implicit; /* ctx NULL: none */
    double x[3][MESH_VERTICES];
    uint32_t facet[4 * MESH_FACETS], neighbour[4 * MESH_FACETS];
    uint8_t edge[4 * MESH_FACETS];
} test_solid;

static inline const void *view_solid(const scree_shape *shape, const char *name, double tolerance)
{
    const test_solid *s = shape->ctx;
    if (strcmp(name, SCREE_VIEW_MESH) == 0)
        return shape->mesh;
    return strcmp(name, SCREE_VIEW_IMPLICIT) == 0 && s->implicit.value ? &s->implicit : NULL;
}

static inline uint32_t solid_vertex(test_solid *s, double x, double y, double z)
{
    const uint32_t v = s->mesh.n_vertices++;
    s->x[0][v] = x;
    s->x[1][v] = y;
    s->x[2][v] = z;
    return v;
}

static inline void solid_facet(test_solid *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t *f = s->facet + 4 * s->mesh.n_facets++;
    f[0] = a;
    f[1] = b;
    f[2] = c;
    f[3] = d;
}

static inline void solid_start(test_solid *s)
{
    memset(s, 0, sizeof *s);
    memset(s->neighbour, 0xff, sizeof s->neighbour);
    s->mesh.size = sizeof s->mesh;
    s->mesh.closed = 1;
}

static inline void solid_finish(test_solid *s)
{
    double square = 0.0;
    for (uint32_t v = 0; v < s->mesh.n_vertices; v++)
        square = fmax(square,
                      s->x[0][v] * s->x[0][v] + s->x[1][v] * s->x[1][v] + s->x[2][v] * s->x[2][v]);
    for (int k = 0; k < 3; k++)
        s->mesh.vertex[k] = s->x[k];
    s->mesh.facet = s->facet;
    s->mesh.neighbour = s->neighbour;
    s->mesh.edge = s->edge;
    s->shape = (scree_shape){.size = sizeof s->shape,
                             .type = TYPE_SOLID,
                             .n_parts = 1,
                             .radius = sqrt(square),
                             .mesh = s->mesh.n_facets ? &s->mesh : NULL,
                             .view = view_solid,
                             .ctx = s};
}

static inline void make_box(test_solid *s, double a, double b, double c)
{
    static const uint32_t side[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    solid_start(s);
    for (uint32_t v = 0; v < 8; v++)
        solid_vertex(s, v & 1u ? a : -a, v & 2u ? b : -b, v & 4u ? c : -c);
    for (uint32_t f = 0; f < 6; f++)
        solid_facet(s, side[f][0], side[f][1], side[f][2], side[f][3]);
    solid_finish(s);
}

/* n random points of an ellipsoid of half axes 0.5 to 1 and their hull: all triples with all points behind. */
static inline void make_hull(test_solid *s, fake_host *fake, uint32_t n)
{
    double axis[3];
    solid_start(s);
    for (int k = 0; k < 3; k++)
        axis[k] = fake_uniform(fake, 0.5, 1.0);
    while (s->mesh.n_vertices < n) {
        double v[3], square = 0.0;
        for (int k = 0; k < 3; k++) {
            v[k] = fake_uniform(fake, -1.0, 1.0);
            square += v[k] * v[k];
        }
        if (square > 0.01 && square < 1.0)
            solid_vertex(s, axis[0] * v[0] / sqrt(square), axis[1] * v[1] / sqrt(square),
                         axis[2] * v[2] / sqrt(square));
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t k = 0; k < n; k++) {
                if (i >= j || i >= k || j == k)
                    continue;
                double u[3], w[3];
                for (int c = 0; c < 3; c++) {
                    u[c] = s->x[c][j] - s->x[c][i];
                    w[c] = s->x[c][k] - s->x[c][i];
                }
                const double across[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2],
                                          u[0] * w[1] - u[1] * w[0]};
                int behind = 1;
                for (uint32_t v = 0; v < n && behind; v++) {
                    double height = 0.0;
                    for (int c = 0; c < 3; c++)
                        height += across[c] * (s->x[c][v] - s->x[c][i]);
                    behind = v == i || v == j || v == k || height < 0.0;
                }
                if (behind)
                    solid_facet(s, i, j, k, SCREE_NONE);
            }
    solid_finish(s);
}

/* A torus around z, of n by m quads cut in two. */
static inline void make_torus(test_solid *s, double big, double small, uint32_t n, uint32_t m)
{
    solid_start(s);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            const double u = 2.0 * M_PI * i / n, v = 2.0 * M_PI * j / m;
            const double r = big + small * cos(v);
            solid_vertex(s, r * cos(u), r * sin(u), small * sin(v));
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            const uint32_t p = (i + 1) % n, q = (j + 1) % m;
            solid_facet(s, i * m + j, p * m + j, p * m + q, SCREE_NONE);
            solid_facet(s, i * m + j, p * m + q, i * m + q, SCREE_NONE);
        }
    solid_finish(s);
}

/* 1: vertex d is above the facet a b c. */
static inline uint32_t is_above(const test_solid *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = s->x[k][b] - s->x[k][a];
        v[k] = s->x[k][c] - s->x[k][a];
        w[k] = s->x[k][d] - s->x[k][a];
    }
    return w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
               w[2] * (u[0] * v[1] - u[1] * v[0]) >
           1e-12;
}

/* A ball of radius 1 of n quads along each edge of a cube, blown up, each cut in two: 12 n^2 facets. */
static inline void make_ball(test_solid *s, uint32_t n)
{
    static uint32_t at[33][33][33];
    solid_start(s);
    memset(at, 0xff, sizeof at);
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t end = 0; end < 2; end++)
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t j = 0; j < n; j++) {
                    uint32_t q[4];
                    for (uint32_t c = 0; c < 4; c++) {
                        uint32_t g[3];
                        g[axis] = end * n;
                        g[(axis + 1) % 3] = i + (c == 1 || c == 2);
                        g[(axis + 2) % 3] = j + (c >= 2);
                        double x[3], square = 0.0;
                        for (int k = 0; k < 3; k++) {
                            x[k] = tan(M_PI / 4.0 * (2.0 * g[k] / n - 1.0));
                            square += x[k] * x[k];
                        }
                        uint32_t *v = &at[g[0]][g[1]][g[2]];
                        if (*v == SCREE_NONE)
                            *v = solid_vertex(s, x[0] / sqrt(square), x[1] / sqrt(square),
                                              x[2] / sqrt(square));
                        q[end ? c : 3 - c] = *v;
                    }
                    // The diagonal that is outside: the ball is convex.
                    const uint32_t turn = is_above(s, q[0], q[1], q[2], q[3]);
                    for (uint32_t c = 0; c < 2; c++)
                        solid_facet(s, q[turn], q[(turn + 1 + c) % 4], q[(turn + 2 + c) % 4],
                                    SCREE_NONE);
                }
    solid_finish(s);
}

/* ---- by brute force, in another way than the plugins ---- */

typedef struct point3 {
    double x[3];
} point3;

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline point3 vertex3(const test_solid *s, uint32_t v)
{
    return (point3){{s->x[0][v], s->x[1][v], s->x[2][v]}};
}

/* [m] From x to a triangle: the least of a quadratic form over barycentric coordinates, tried inside, then on
 * each side. */
static inline double triangle_distance(const point3 *a, const point3 *b, const point3 *c,
                                       const double *x)
{
    double u[3], v[3], w[3], best;
    for (int k = 0; k < 3; k++) {
        u[k] = b->x[k] - a->x[k];
        v[k] = c->x[k] - a->x[k];
        w[k] = x[k] - a->x[k];
    }
    const double uu = dot3(u, u), uv = dot3(u, v), vv = dot3(v, v), wu = dot3(w, u),
                 wv = dot3(w, v);
    const double det = uu * vv - uv * uv;
    const double s = (wu * vv - wv * uv) / det, t = (wv * uu - wu * uv) / det;
    if (det > 0.0 && s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
        best = 0.0;
        for (int k = 0; k < 3; k++) {
            const double off = w[k] - s * u[k] - t * v[k];
            best += off * off;
        }
        return sqrt(best);
    }
    const point3 *end[4] = {a, b, c, a};
    best = HUGE_VAL;
    for (int e = 0; e < 3; e++) {
        double along[3], off[3], square = 0.0;
        for (int k = 0; k < 3; k++) {
            along[k] = end[e + 1]->x[k] - end[e]->x[k];
            off[k] = x[k] - end[e]->x[k];
        }
        const double r = fmin(fmax(dot3(off, along) / dot3(along, along), 0.0), 1.0);
        for (int k = 0; k < 3; k++)
            square += (off[k] - r * along[k]) * (off[k] - r * along[k]);
        best = fmin(best, square);
    }
    return sqrt(best);
}

/* Winding number of the facets around x, and the distance of the closest; every facet. */
static inline double brute_distance(const test_solid *s, const double *x, double *winding)
{
    double best = HUGE_VAL, sum = 0.0;
    for (uint32_t f = 0; f < s->mesh.n_facets; f++)
        for (uint32_t k = 2; k < (s->facet[4 * f + 3] == SCREE_NONE ? 3u : 4u); k++) {
            const point3 c[3] = {vertex3(s, s->facet[4 * f]), vertex3(s, s->facet[4 * f + k - 1]),
                                 vertex3(s, s->facet[4 * f + k])};
            double r[3][3], length[3];
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++)
                    r[i][j] = c[i].x[j] - x[j];
                length[i] = sqrt(dot3(r[i], r[i]));
            }
            const double up = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                              r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                              r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
            const double down = length[0] * length[1] * length[2] + dot3(r[0], r[1]) * length[2] +
                                dot3(r[1], r[2]) * length[0] + dot3(r[2], r[0]) * length[1];
            sum += 2.0 * atan2(up, down);
            best = fmin(best, triangle_distance(&c[0], &c[1], &c[2], x));
        }
    *winding = sum / (4.0 * M_PI);
    return best;
}

#endif
