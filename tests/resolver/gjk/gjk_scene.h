/* SPDX-License-Identifier: Apache-2.0 */
/* Convex solids made by hand, pairs of them, and their least translation by other ways than that of the
 * plugin: all axes and all pairs of features of polytopes, dense directions and a search for the rest,
 * in long double. */
#ifndef TEST_GJK_SCENE_H
#define TEST_GJK_SCENE_H

#include "../scene.h"

enum { MOST_POINTS = 20, MOST_FACETS = 40, DIRECTIONS = 1200 };
enum { TYPE_BALL, TYPE_CAPSULE, TYPE_HULL, TYPE_SUPER };

typedef long double real;
typedef struct spot {
    real x, y, z;
} spot;

static inline spot spot_of(real x, real y, real z)
{
    return (spot){x, y, z};
}

/* A spot at three doubles. */
static inline spot spot_at(double x, double y, double z)
{
    return spot_of((real)x, (real)y, (real)z);
}

static inline real dot(spot a, spot b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline spot minus(spot a, spot b)
{
    return spot_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

/* a + k b */
static inline spot plus(spot a, real k, spot b)
{
    return spot_of(a.x + k * b.x, a.y + k * b.y, a.z + k * b.z);
}

static inline spot cross(spot a, spot b)
{
    return spot_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline spot unit(spot a)
{
    return plus(spot_of(0, 0, 0), 1 / sqrtl(dot(a, a)), a);
}

/* A solid at scale 1: the hull of points, rounded by a radius (a ball, a capsule), or a superquadric. */
typedef struct solid {
    int type;
    uint32_t n, n_facets, n_edges;
    double x[3][MOST_POINTS];
    uint32_t facet[4 * MOST_FACETS], neighbour[4 * MOST_FACETS], edge[2 * MOST_FACETS][2];
    uint8_t sharp[4 * MOST_FACETS];
    double round;           /* [m] */
    double axes[3], n1, n2; /* half axes [m], exponents along z and across it */
    double radius;          /* [m] of a ball that holds it */
    scree_mesh mesh;
    scree_support support;
    scree_shape shape;
} solid;

/* ---- supports ---- */

static inline spot farthest_point(const solid *s, spot u)
{
    uint32_t best = 0;
    real most = -HUGE_VALL;
    for (uint32_t k = 0; k < s->n; k++) {
        const real at = dot(u, spot_at(s->x[0][k], s->x[1][k], s->x[2][k]));
        best = at > most ? k : best;
        most = fmaxl(at, most);
    }
    const spot p = spot_at(s->x[0][best], s->x[1][best], s->x[2][best]);
    return s->round > 0.0 ? plus(p, (real)s->round, unit(u)) : p;
}

/* The dual norm of the superquadric and its gradient. */
static inline void farthest_super(const solid *s, double u[3], double out[3])
{
    const double m1 = s->n1 / (s->n1 - 1.0), m2 = s->n2 / (s->n2 - 1.0);
    double w[3], across, all;
    for (int k = 0; k < 3; k++)
        w[k] = s->axes[k] * fabs(u[k]);
    const double big = fmax(w[0], w[1]), top = fmax(big, w[2]);
    across = big > 0.0 ? big * pow(pow(w[0] / big, m2) + pow(w[1] / big, m2), 1.0 / m2) : 0.0;
    all = top * pow(pow(across / top, m1) + pow(w[2] / top, m1), 1.0 / m1);
    for (int k = 0; k < 2; k++)
        out[k] =
            across > 0.0
                ? copysign(s->axes[k] * pow(w[k] / across, m2 - 1.0) * pow(across / all, m1 - 1.0),
                           u[k])
                : 0.0;
    out[2] = copysign(s->axes[2] * pow(w[2] / all, m1 - 1.0), u[2]);
}

static inline spot solid_farthest(const solid *s, spot u)
{
    double d[3] = {(double)u.x, (double)u.y, (double)u.z}, p[3];
    if (s->type != TYPE_SUPER)
        return farthest_point(s, u);
    farthest_super(s, d, p);
    return spot_at(p[0], p[1], p[2]);
}

static void view_farthest(const void *ctx, uint32_t n, const double *const direction[3],
                          double *const point[3])
{
    const solid *s = ctx;
    for (uint32_t i = 0; i < n; i++) {
        const spot p =
            solid_farthest(s, spot_at(direction[0][i], direction[1][i], direction[2][i]));
        point[0][i] = (double)p.x;
        point[1][i] = (double)p.y;
        point[2][i] = (double)p.z;
    }
}

static const void *view_of(const scree_shape *shape, const char *name, double tolerance)
{
    const solid *s = shape->ctx;
    if (strcmp(name, SCREE_VIEW_SUPPORT) == 0)
        return &s->support;
    return tolerance == 0.0 && s->type == TYPE_HULL && strcmp(name, SCREE_VIEW_MESH) == 0 ? &s->mesh
                                                                                          : NULL;
}

/* ---- making solids ---- */

static inline spot point_of(const solid *s, uint32_t k)
{
    return spot_at(s->x[0][k], s->x[1][k], s->x[2][k]);
}

/* Neighbours and edges of facets that are there. */
static inline void link_facets(solid *s)
{
    s->n_edges = 0;
    for (uint32_t at = 0; at < 4 * s->n_facets; at++) {
        const uint32_t f = at / 4, n = s->facet[4 * f + 3] == SCREE_NONE ? 3 : 4, k = at % 4;
        s->neighbour[at] = SCREE_NONE;
        s->sharp[at] = SCREE_EDGE_CONVEX;
        if (k >= n)
            continue;
        const uint32_t from = s->facet[at], to = s->facet[4 * f + (k + 1) % n];
        for (uint32_t g = 0; g < s->n_facets; g++) {
            const uint32_t m = s->facet[4 * g + 3] == SCREE_NONE ? 3 : 4;
            for (uint32_t l = 0; l < m; l++)
                if (s->facet[4 * g + l] == to && s->facet[4 * g + (l + 1) % m] == from)
                    s->neighbour[at] = g;
        }
        if (from < to) {
            s->edge[s->n_edges][0] = from;
            s->edge[s->n_edges++][1] = to;
        }
    }
}

static inline void finish_solid(solid *s)
{
    s->radius = 0.0;
    for (uint32_t k = 0; k < s->n; k++)
        s->radius = fmax(s->radius, (double)sqrtl(dot(point_of(s, k), point_of(s, k))));
    s->radius += s->round;
    if (s->type == TYPE_SUPER)
        s->radius =
            sqrt(s->axes[0] * s->axes[0] + s->axes[1] * s->axes[1] + s->axes[2] * s->axes[2]);
    s->mesh = (scree_mesh){.size = sizeof s->mesh,
                           .closed = 1,
                           .n_vertices = s->n,
                           .n_facets = s->n_facets,
                           .vertex = {s->x[0], s->x[1], s->x[2]},
                           .facet = s->facet,
                           .neighbour = s->neighbour,
                           .edge = s->sharp};
    s->support = (scree_support){.size = sizeof s->support, .ctx = s, .farthest = view_farthest};
    s->shape = (scree_shape){.size = sizeof s->shape,
                             .type = (uint32_t)s->type,
                             .flags = s->type == TYPE_BALL ? SCREE_CAP_ROUND : 0,
                             .n_parts = 1,
                             .radius = s->radius,
                             .mesh = s->type == TYPE_HULL ? &s->mesh : NULL,
                             .view = view_of,
                             .ctx = s};
}

/* The hull of points on a sphere: triangles with all others on one side. */
static inline void make_hull(fake_host *f, solid *s, uint32_t n)
{
    *s = (solid){.type = TYPE_HULL, .n = n};
    double stretch[3];
    for (int k = 0; k < 3; k++)
        stretch[k] = fake_uniform(f, 0.4, 1.0);
    for (uint32_t i = 0; i < n; i++) {
        double p[3], r2;
        do {
            for (int k = 0; k < 3; k++)
                p[k] = fake_uniform(f, -1.0, 1.0);
            r2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        } while (r2 > 1.0 || r2 < 0.01);
        for (int k = 0; k < 3; k++)
            s->x[k][i] = stretch[k] * p[k] / sqrt(r2);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t k = 0; k < n; k++) {
                if (!(i < j && i < k && j != k))
                    continue;
                const spot p = point_of(s, i);
                const spot c = cross(minus(point_of(s, j), p), minus(point_of(s, k), p));
                int out = 1;
                for (uint32_t l = 0; l < n && out; l++)
                    out = l == i || l == j || l == k || dot(c, minus(point_of(s, l), p)) < 0;
                if (!out)
                    continue;
                const uint32_t facet[4] = {i, j, k, SCREE_NONE};
                memcpy(s->facet + 4 * s->n_facets++, facet, sizeof facet);
            }
    link_facets(s);
    finish_solid(s);
}

static inline void make_box(solid *s, double a, double b, double c)
{
    static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    *s = (solid){.type = TYPE_HULL, .n = 8, .n_facets = 6};
    for (uint32_t k = 0; k < 8; k++) {
        s->x[0][k] = k & 1 ? a : -a;
        s->x[1][k] = k & 2 ? b : -b;
        s->x[2][k] = k & 4 ? c : -c;
    }
    memcpy(s->facet, quads, sizeof quads);
    link_facets(s);
    finish_solid(s);
}

static inline void make_super(solid *s, double a, double b, double c, double n1, double n2)
{
    *s = (solid){.type = TYPE_SUPER, .axes = {a, b, c}, .n1 = n1, .n2 = n2};
    finish_solid(s);
}

/* Half the length between the centres of its caps. */
static inline void make_capsule(solid *s, double half, double radius)
{
    *s = (solid){.type = TYPE_CAPSULE, .n = 2, .n_edges = 1, .round = radius};
    s->x[0][0] = -half;
    s->x[0][1] = half;
    s->edge[0][1] = 1;
    finish_solid(s);
}

static inline void make_ball(solid *s)
{
    *s = (solid){.type = TYPE_BALL, .n = 1, .round = 1.0};
    finish_solid(s);
}

/* ---- a pair ---- */

typedef struct placed {
    const solid *of;
    real m[3][3]; /* to world */
    real scale;
    spot at;
    spot core[MOST_POINTS]; /* points in the world */
    real round;
} placed;

static inline void place_solid(placed *p, const solid *s, const double q[4], double scale, spot at)
{
    const real w = (real)q[0], x = (real)q[1], y = (real)q[2], z = (real)q[3];
    const real m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(p->m, m, sizeof m);
    p->of = s;
    p->scale = (real)scale;
    p->at = at;
    p->round = (real)(scale * s->round);
    for (uint32_t k = 0; k < s->n; k++) {
        const real v[3] = {(real)s->x[0][k], (real)s->x[1][k], (real)s->x[2][k]};
        real o[3];
        for (int i = 0; i < 3; i++)
            o[i] = p->scale * (m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2]);
        p->core[k] = plus(at, 1, spot_of(o[0], o[1], o[2]));
    }
}

/* max n·x over the body, n a unit vector. */
static inline real reach_along(const placed *p, spot n)
{
    if (p->of->type != TYPE_SUPER) {
        real most = -HUGE_VALL;
        for (uint32_t k = 0; k < p->of->n; k++)
            most = fmaxl(most, dot(n, p->core[k]));
        return most + p->round;
    }
    spot u = spot_of(p->m[0][0] * n.x + p->m[1][0] * n.y + p->m[2][0] * n.z,
                     p->m[0][1] * n.x + p->m[1][1] * n.y + p->m[2][1] * n.z,
                     p->m[0][2] * n.x + p->m[1][2] * n.y + p->m[2][2] * n.z);
    const spot v = solid_farthest(p->of, u);
    return dot(n, p->at) + p->scale * dot(u, v);
}

/* How far b moves along n to touch a. */
static inline real depth_along(const placed *a, const placed *b, spot n)
{
    return reach_along(a, n) + reach_along(b, plus(spot_of(0, 0, 0), -1, n));
}

/* ---- polytopes: all axes, all features ---- */

static inline void try_axis(const placed *a, const placed *b, spot n, real *least)
{
    if (!(dot(n, n) > 1e-24L))
        return;
    n = unit(n);
    *least = fminl(*least, depth_along(a, b, n));
    *least = fminl(*least, depth_along(a, b, plus(spot_of(0, 0, 0), -1, n)));
}

static inline spot facet_normal(const placed *p, uint32_t f)
{
    const uint32_t *v = p->of->facet + 4 * f;
    return cross(minus(p->core[v[1]], p->core[v[0]]), minus(p->core[v[2]], p->core[v[0]]));
}

static inline real all_axes(const placed *a, const placed *b)
{
    real least = HUGE_VALL;
    for (uint32_t f = 0; f < a->of->n_facets; f++)
        try_axis(a, b, facet_normal(a, f), &least);
    for (uint32_t f = 0; f < b->of->n_facets; f++)
        try_axis(a, b, facet_normal(b, f), &least);
    for (uint32_t e = 0; e < a->of->n_edges; e++)
        for (uint32_t f = 0; f < b->of->n_edges; f++) {
            const uint32_t *i = a->of->edge[e], *j = b->of->edge[f];
            try_axis(
                a, b,
                cross(minus(a->core[i[1]], a->core[i[0]]), minus(b->core[j[1]], b->core[j[0]])),
                &least);
        }
    return least;
}

static inline real clamped(real t)
{
    return fminl(fmaxl(t, 0), 1);
}

static inline real segments_apart(spot p, spot q, spot r, spot s)
{
    const spot u = minus(q, p), v = minus(s, r), w = minus(p, r);
    const real uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), det = uu * vv - uv * uv;
    real best = HUGE_VALL;
    const real pairs[5][2] = {{det > 0 ? clamped((uv * dot(v, w) - vv * dot(u, w)) / det) : 0, -1},
                              {0, -1},
                              {1, -1},
                              {-1, 0},
                              {-1, 1}};
    for (int k = 0; k < 5; k++) {
        real x = pairs[k][0], y = pairs[k][1];
        if (y < 0)
            y = vv > 0 ? clamped((uv * x + dot(v, w)) / vv) : 0;
        x = uu > 0 ? clamped((uv * y - dot(u, w)) / uu) : 0;
        const spot d = plus(plus(w, x, u), -y, v);
        best = fminl(best, sqrtl(dot(d, d)));
    }
    return best;
}

/* Distance of a point from a triangle's inside; infinite where it is not above it. */
static inline real above(spot p, spot a, spot b, spot c)
{
    const spot n = unit(cross(minus(b, a), minus(c, a)));
    const spot q[3] = {a, b, c};
    for (int k = 0; k < 3; k++)
        if (dot(cross(n, minus(q[(k + 1) % 3], q[k])), minus(p, q[k])) < 0)
            return HUGE_VALL;
    return fabsl(dot(n, minus(p, a)));
}

static inline real corners_above(const placed *a, const placed *b)
{
    real best = HUGE_VALL;
    for (uint32_t v = 0; v < a->of->n; v++)
        for (uint32_t f = 0; f < b->of->n_facets; f++) {
            const uint32_t *i = b->of->facet + 4 * f;
            best = fminl(best, above(a->core[v], b->core[i[0]], b->core[i[1]], b->core[i[2]]));
            if (i[3] != SCREE_NONE)
                best = fminl(best, above(a->core[v], b->core[i[0]], b->core[i[2]], b->core[i[3]]));
        }
    return best;
}

/* Distance of the cores of two bodies that are apart: a point is an edge of no length. */
static inline real cores_apart(const placed *a, const placed *b)
{
    const uint32_t point[2] = {0, 0};
    real best = fminl(corners_above(a, b), corners_above(b, a));
    for (uint32_t e = 0; e < (a->of->n_edges ? a->of->n_edges : 1); e++)
        for (uint32_t f = 0; f < (b->of->n_edges ? b->of->n_edges : 1); f++) {
            const uint32_t *i = a->of->n_edges ? a->of->edge[e] : point;
            const uint32_t *j = b->of->n_edges ? b->of->edge[f] : point;
            best = fminl(
                best, segments_apart(a->core[i[0]], a->core[i[1]], b->core[j[0]], b->core[j[1]]));
        }
    return best;
}

/* The depth of two rounded polytopes, exact: by the axes where the cores overlap, else by their distance. */
static inline real exact_depth(const placed *a, const placed *b)
{
    const real axes = all_axes(a, b) - a->round - b->round;
    const int solid_core = a->of->n_facets > 0 || b->of->n_facets > 0;
    if (solid_core && axes > 0 && isfinite((double)axes))
        return axes + a->round + b->round;
    return a->round + b->round - cores_apart(a, b);
}

/* ---- others: dense directions ---- */

/* Goes down from n by steps in a ring of directions, halved when none is lower. */
static inline real descend(const placed *a, const placed *b, spot n, real best)
{
    real step = 0.05L;
    for (int round = 0; round < 400 && step > 1e-10L; round++) {
        const spot t =
            unit(fabsl(n.x) < 0.6L ? cross(n, spot_of(1, 0, 0)) : cross(n, spot_of(0, 1, 0)));
        const spot u = cross(n, t);
        int moved = 0;
        for (int k = 0; k < 16; k++) {
            const real angle = k * 0.39269908169872415L + 1000 * step;
            const spot m = unit(plus(plus(n, step * cosl(angle), t), step * sinl(angle), u));
            const real f = depth_along(a, b, m);
            if (f < best) {
                best = f;
                n = m;
                moved = 1;
                break;
            }
        }
        step *= moved ? 1.2L : 0.5L;
    }
    return best;
}

/* The lowest of what is found from 1200 directions, spread evenly, and from the lowest 6 of them on. */
static inline real dense_depth(const placed *a, const placed *b)
{
    static real f[DIRECTIONS];
    static spot n[DIRECTIONS];
    real best = HUGE_VALL;
    for (int k = 0; k < DIRECTIONS; k++) {
        const real z = 1 - (2 * k + 1.0L) / DIRECTIONS, r = sqrtl(1 - z * z),
                   angle = 2.399963229728653L * k;
        n[k] = spot_of(r * cosl(angle), r * sinl(angle), z);
        f[k] = depth_along(a, b, n[k]);
    }
    for (int round = 0; round < 6; round++) {
        int low = -1;
        for (int k = 0; k < DIRECTIONS; k++)
            if (low < 0 || f[k] < f[low])
                low = k;
        if (!(f[low] < HUGE_VALL))
            break;
        best = fminl(best, descend(a, b, n[low], f[low]));
        const spot at = n[low];
        for (int k = 0; k < DIRECTIONS; k++)
            if (dot(n[k], at) > 0.97L)
                f[k] = HUGE_VALL;
    }
    return best;
}

static inline real oracle_depth(const placed *a, const placed *b)
{
    if (a->of->type != TYPE_SUPER && b->of->type != TYPE_SUPER)
        return exact_depth(a, b);
    return dense_depth(a, b);
}

#endif
