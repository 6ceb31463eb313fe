/* SPDX-License-Identifier: Apache-2.0 */
/* Signs of products of differences of coordinates, exact for any doubles. */
/*
 * Sources: J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
 * Predicates, Discrete Comput. Geom. 18 (1997) 305: the bound of the filter, sums of expansions.
 */
#ifndef CLOSEST_FEATURE_EXACT_H
#define CLOSEST_FEATURE_EXACT_H

#include <math.h>
#include <stdint.h>

typedef struct point {
    double x, y;
} point;

static inline point point_of(double x, double y)
{
    return (point){x, y};
}

/** p - q */
static inline point from_to(point q, point p)
{
    return (point){p.x - q.x, p.y - q.y};
}

/** p + k u */
static inline point moved(point p, double k, point u)
{
    return (point){p.x + k * u.x, p.y + k * u.y};
}

static inline double dot2(point u, point v)
{
    return u.x * v.x + u.y * v.y;
}

static inline double cross2(point u, point v)
{
    return u.x * v.y - u.y * v.x;
}

/** Sign of (d0 - d1)(d2 - d3) + (d4 - d5)(d6 - d7) without rounding. */
int exact_sign(const double d[8]);

/** Sign -1, 0 or 1 of the same sum, with doubles where their error cannot change it. */
static inline int sign_of(double a, double b, double c, double d, double e, double f, double g,
                          double h)
{
    double p = (a - b) * (c - d), q = (e - f) * (g - h), sum = p + q;
    double bound = 4e-16 * (fabs(p) + fabs(q)); // [Shewchuk] (3 + 16 eps) eps = 3.4e-16
    if (fabs(sum) > bound)
        return sum > 0.0 ? 1 : -1;
    return exact_sign((const double[8]){a, b, c, d, e, f, g, h});
}

/** 1: r is to the left of the line from p to q, -1: to the right, 0: on it. */
static inline int orient(point p, point q, point r)
{
    return sign_of(q.x, p.x, r.y, p.y, p.y, q.y, r.x, p.x);
}

/** Sign of (q - p)·(s - r). */
static inline int along(point p, point q, point r, point s)
{
    return sign_of(q.x, p.x, s.x, r.x, q.y, p.y, s.y, r.y);
}

/** Sign of (q - p) × (s - r): 1: the second turns left. */
static inline int turns(point p, point q, point r, point s)
{
    return sign_of(q.x, p.x, s.y, r.y, p.y, q.y, s.x, r.x);
}

#endif
