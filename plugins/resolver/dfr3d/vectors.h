/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of three, triangles and segments. */
#ifndef RESOLVER_DFR3D_VECTORS_H
#define RESOLVER_DFR3D_VECTORS_H

#include <math.h>

static inline double dot(const double *u, const double *v)
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static inline void sub(const double *u, const double *v, double *difference)
{
    for (int k = 0; k < 3; k++)
        difference[k] = u[k] - v[k];
}

static inline void cross(const double *u, const double *v, double *product)
{
    product[0] = u[1] * v[2] - u[2] * v[1];
    product[1] = u[2] * v[0] - u[0] * v[2];
    product[2] = u[0] * v[1] - u[1] * v[0];
}

static inline void copy(const double *from, double *to)
{
    for (int k = 0; k < 3; k++)
        to[k] = from[k];
}

/* Length; the vector becomes unit, or stays 0. */
static inline double normalize(double *v)
{
    const double length = sqrt(dot(v, v)), by = length > 0.0 ? 1.0 / length : 0.0;
    for (int k = 0; k < 3; k++)
        v[k] *= by;
    return length;
}

static inline double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static inline double distance2(const double *p, const double *q)
{
    double d[3];
    sub(p, q, d);
    return dot(d, d);
}

/* Six times the volume of a tetrahedron; exchanging a and b only changes its sign. */
static inline double turn(const double *p, const double *q, const double *a, const double *b)
{
    double u[3], v[3], w[3], n[3];
    sub(q, p, u);
    sub(a, p, v);
    sub(b, p, w);
    cross(v, w, n);
    return dot(u, n);
}

/** Closest point of a triangle to x; squared distance. */
double dfr_closest_of_triangle(const double *a, const double *b, const double *c, const double *x,
                               double point[3]);
/** Closest points of two segments; squared distance. s and t in 0 to 1 along them. */
double dfr_closest_of_segments(const double *p0, const double *p1, const double *q0,
                               const double *q1, double *s, double *t);
/** Closest points of two triangles; squared distance. They must not cross. */
double dfr_closest_of_triangles(double p[3][3], double q[3][3], double on_p[3], double on_q[3]);
/** Does a segment cross a triangle with edges turned by `order` (see turn())? Also the place, 0 to
 * 1. */
int dfr_crosses(const double *p, const double *q, const double *a, const double *b, const double *c,
                double *at);

#endif
