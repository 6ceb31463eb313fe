// SPDX-License-Identifier: Apache-2.0
/*
 * Closest points of triangles and segments.
 *
 * Sources  C. Ericson, Real-Time Collision Detection, 2005, 5.1.5, 5.1.9: by Voronoi regions.
 */
#include "vectors.h"

static double from_edge(const double *a, const double *b, const double *x, double point[3])
{
    double ab[3], ax[3];
    sub(b, a, ab);
    sub(x, a, ax);
    const double length2 = dot(ab, ab);
    const double t = length2 > 0.0 ? clamp(dot(ax, ab) / length2, 0.0, 1.0) : 0.0;
    for (int k = 0; k < 3; k++)
        point[k] = t < 1.0 ? a[k] + t * ab[k] : b[k];
    return distance2(x, point);
}

double dfr_closest_of_triangle(const double *a, const double *b, const double *c, const double *x,
                               double point[3])
{
    const double *corner[3] = {a, b, c};
    double ab[3], ac[3], n[3], ax[3];
    sub(b, a, ab);
    sub(c, a, ac);
    cross(ab, ac, n);
    const double n2 = dot(n, n);
    int outside = !(n2 > 0.0);
    for (int k = 0; k < 3 && !outside; k++) {
        double side[3], to[3], inward[3];
        sub(corner[(k + 1) % 3], corner[k], side);
        sub(x, corner[k], to);
        cross(n, side, inward);
        outside = dot(inward, to) < 0.0;
    }
    if (!outside) {
        sub(x, a, ax);
        const double height = dot(ax, n) / n2;
        for (int k = 0; k < 3; k++)
            point[k] = x[k] - height * n[k];
        return distance2(x, point);
    }
    double least = from_edge(a, b, x, point);
    for (int k = 1; k < 3; k++) {
        double other[3];
        const double d = from_edge(corner[k], corner[(k + 1) % 3], x, other);
        if (d < least) {
            least = d;
            copy(other, point);
        }
    }
    return least;
}

double dfr_closest_of_segments(const double *p0, const double *p1, const double *q0,
                               const double *q1, double *s, double *t)
{
    double u[3], v[3], w[3], gap = 0.0;
    sub(p1, p0, u);
    sub(q1, q0, v);
    sub(p0, q0, w);
    const double a = dot(u, u), b = dot(u, v), c = dot(v, v), d = dot(u, w), e = dot(v, w);
    const double free = a * c - b * b;
    *s = free > 1e-14 * a * c ? clamp((b * e - c * d) / free, 0.0, 1.0) : 0.0;
    *t = c > 0.0 ? (b * *s + e) / c : 0.0;
    if (*t < 0.0 || *t > 1.0) {
        *t = clamp(*t, 0.0, 1.0);
        *s = a > 0.0 ? clamp((b * *t - d) / a, 0.0, 1.0) : 0.0;
    }
    for (int k = 0; k < 3; k++) {
        const double by = w[k] + *s * u[k] - *t * v[k];
        gap += by * by;
    }
    return gap;
}

double dfr_closest_of_triangles(double p[3][3], double q[3][3], double on_p[3], double on_q[3])
{
    double least = HUGE_VAL;
    for (int i = 0; i < 6; i++) { // vertices and faces
        const double *x = i < 3 ? p[i] : q[i - 3];
        double(*of)[3] = i < 3 ? q : p;
        double point[3];
        const double d = dfr_closest_of_triangle(of[0], of[1], of[2], x, point);
        if (d < least) {
            least = d;
            copy(i < 3 ? x : point, on_p);
            copy(i < 3 ? point : x, on_q);
        }
    }
    for (int i = 0; i < 9; i++) {
        const double *p0 = p[i / 3], *p1 = p[(i / 3 + 1) % 3];
        const double *q0 = q[i % 3], *q1 = q[(i % 3 + 1) % 3];
        double s, t;
        const double d = dfr_closest_of_segments(p0, p1, q0, q1, &s, &t);
        if (d >= least)
            continue;
        least = d;
        for (int k = 0; k < 3; k++) {
            on_p[k] = p0[k] + s * (p1[k] - p0[k]);
            on_q[k] = q0[k] + t * (q1[k] - q0[k]);
        }
    }
    return least;
}

int dfr_crosses(const double *p, const double *q, const double *a, const double *b, const double *c,
                double *at)
{
    double ab[3], ac[3], n[3], ap[3], aq[3];
    sub(b, a, ab);
    sub(c, a, ac);
    cross(ab, ac, n);
    sub(p, a, ap);
    sub(q, a, aq);
    const double from = dot(ap, n), to = dot(aq, n);
    if ((from > 0.0) == (to > 0.0))
        return 0;
    const double x = turn(p, q, a, b), y = turn(p, q, b, c), z = turn(p, q, c, a);
    *at = from / (from - to);
    return (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0);
}
