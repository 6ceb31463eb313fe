// SPDX-License-Identifier: Apache-2.0
// Distance of two convex bodies, and their closest points.
/*
 * Sources  [1] E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the
 *              distance between complex objects in three-dimensional space, IEEE J. Robot. Autom. 4
 *              (1988) 193: points of the set of differences a - b, the one of a simplex of them that
 *              is closest to the origin, a support point along it, and so on.
 * Steps    [1] eq. 20 to 24, with the smallest face of the simplex found by trying all of them, 15
 *          of a tetrahedron, each by its normal equations; no face is preferred because of the
 *          search's path.
 * End      after 8 rounds where a coarse answer will do, or when the support point is not closer by
 *          more than `part`, is known already, or the simplex comes no closer: then only rounding
 *          is left.
 */
#include "distance.h"

enum { MOST_ROUNDS = 64, FEW_ROUNDS = 8 };

typedef struct simplex {
    uint32_t n;
    uint32_t vertex[4][2];
    scree_vec a[4], b[4], d[4]; /* points of a, points of b, and a - b */
    double weight[4];
} simplex;

/* Weights of the point of the affine hull of `n` points that is closest to the origin; 0: that
 * point is not inside of them. */
static int weigh(const scree_vec *p, uint32_t n, double *weight)
{
    scree_vec u[3];
    double g[3][3], h[3], det;
    for (uint32_t i = 1; i < n; i++)
        u[i - 1] = scree_less(p[i], 1.0, p[0]);
    for (uint32_t i = 0; i + 1 < n; i++) {
        h[i] = -scree_dot(u[i], p[0]);
        for (uint32_t j = 0; j + 1 < n; j++)
            g[i][j] = scree_dot(u[i], u[j]);
    }
    if (n == 2) {
        weight[1] = h[0] / g[0][0];
    } else if (n == 3) {
        det = g[0][0] * g[1][1] - g[0][1] * g[0][1];
        weight[1] = (h[0] * g[1][1] - h[1] * g[0][1]) / det;
        weight[2] = (h[1] * g[0][0] - h[0] * g[0][1]) / det;
    } else if (n == 4) { // Cramer's rule on u itself: the origin is p0 + sum of weights u
        const scree_vec c = scree_cross(u[1], u[2]);
        const scree_vec o = scree_scaled(-1.0, p[0]);
        det = scree_dot(u[0], c);
        weight[1] = scree_dot(o, c) / det;
        weight[2] = scree_dot(u[0], scree_cross(o, u[2])) / det;
        weight[3] = scree_dot(u[0], scree_cross(u[1], o)) / det;
    }
    weight[0] = 1.0;
    for (uint32_t i = 1; i < n; i++)
        weight[0] -= weight[i];
    for (uint32_t i = 0; i < n; i++)
        if (!(weight[i] >= 0.0))
            return 0;
    return 1;
}

static scree_vec blend(const scree_vec *p, const double *weight, uint32_t n)
{
    scree_vec sum = {0, 0, 0};
    for (uint32_t i = 0; i < n; i++)
        sum = scree_less(sum, -weight[i], p[i]);
    return sum;
}

/* Keeps the face of the simplex whose point is closest to the origin; returns that point. */
static scree_vec reduce(simplex *s)
{
    simplex best = {0};
    scree_vec closest = {0, 0, 0};
    double least = (double)INFINITY;
    for (uint32_t mask = 1; mask < 1u << s->n; mask++) {
        simplex part = {0};
        for (uint32_t i = 0; i < s->n; i++)
            if (mask >> i & 1) {
                part.a[part.n] = s->a[i];
                part.b[part.n] = s->b[i];
                part.d[part.n] = s->d[i];
                memcpy(part.vertex[part.n++], s->vertex[i], sizeof *s->vertex);
            }
        if (!weigh(part.d, part.n, part.weight))
            continue;
        const scree_vec v = blend(part.d, part.weight, part.n);
        const double square = part.n == 4 ? 0.0 : scree_dot(v, v);
        if (square < least) {
            least = square;
            best = part;
            closest = part.n == 4 ? scree_vec_of(0.0, 0.0, 0.0) : v;
        }
    }
    *s = best;
    return closest;
}

static void add_point(simplex *s, const convex *a, const convex *b, scree_vec n)
{
    const uint32_t i = s->n++;
    s->a[i] = convex_farthest(a, n, &s->vertex[i][0]);
    s->b[i] = convex_farthest(b, scree_scaled(-1.0, n), &s->vertex[i][1]);
    s->d[i] = scree_less(s->a[i], 1.0, s->b[i]);
}

static int is_known(const simplex *s)
{
    const scree_vec p = s->d[s->n - 1];
    for (uint32_t i = 0; i + 1 < s->n; i++)
        if (p.x == s->d[i].x && p.y == s->d[i].y && p.z == s->d[i].z)
            return 1;
    return 0;
}

static distance result_of(const simplex *s, scree_vec v)
{
    distance r = {.state = DISTANCE_GAP, .gap = length_of(v)};
    r.normal = scree_scaled(-1.0 / r.gap, v);
    r.on_a = blend(s->a, s->weight, s->n);
    r.on_b = blend(s->b, s->weight, s->n);
    r.vertex[0] = r.vertex[1] = SCREE_NONE;
    for (uint32_t i = 0; i < s->n; i++)
        for (int k = 0; k < 2; k++)
            r.vertex[k] = s->vertex[i][k] < r.vertex[k] ? s->vertex[i][k] : r.vertex[k];
    return r;
}

distance distance_of(const convex *a, const convex *b, double range, double part)
{
    simplex s = {0};
    const double nothing = 1e-9 * size_of(a, b);
    scree_vec start = scree_less(b->centre, 1.0, a->centre);
    if (!(scree_dot(start, start) > 0.0))
        start = scree_vec_of(1.0, 0.0, 0.0);
    add_point(&s, a, b, unit_of(start));
    s.weight[0] = 1.0;
    scree_vec v = s.d[0];
    const int most = part > 1e-8 ? FEW_ROUNDS : MOST_ROUNDS;
    for (int round = 0; round < most; round++) {
        const double square = scree_dot(v, v), length = sqrt(square);
        simplex keep = s;
        if (!(length > nothing))
            return (distance){.state = DISTANCE_NONE};
        add_point(&s, a, b, scree_scaled(-1.0 / length, v));
        const double along = scree_dot(v, s.d[s.n - 1]);
        if (along > range * length)
            return (distance){.state = DISTANCE_FAR, .normal = scree_scaled(-1.0 / length, v)};
        if (square - along <= part * square || is_known(&s))
            return result_of(&keep, v);
        const scree_vec next = reduce(&s);
        if (s.n == 4 || scree_dot(next, next) == 0.0)
            return (distance){.state = DISTANCE_NONE};
        if (scree_dot(next, next) >= square)
            return result_of(&keep, v);
        v = next;
    }
    return result_of(&s, v);
}
