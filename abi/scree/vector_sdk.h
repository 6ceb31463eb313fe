/* SPDX-License-Identifier: MIT */
/* Vectors of three doubles by value, for kernels. Inline helpers, never part of the ABI. */
#ifndef SCREE_VECTOR_SDK_H
#define SCREE_VECTOR_SDK_H

#include <stdint.h>

/** The compiler keeps the components of such a vector in registers. */
typedef struct scree_vec {
    double x, y, z;
} scree_vec;

static inline scree_vec scree_vec_of(double x, double y, double z)
{
    scree_vec v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/** Vector number c of three arrays, one per component. */
static inline scree_vec scree_vec_at(const double *const v[3], uint64_t c)
{
    return scree_vec_of(v[0][c], v[1][c], v[2][c]);
}

/** Writes vector number c of three arrays. */
static inline void scree_vec_put(double *const v[3], uint64_t c, scree_vec value)
{
    v[0][c] = value.x;
    v[1][c] = value.y;
    v[2][c] = value.z;
}

/** SCREE_AT reads vector number c from kernel parameters that SCREE_IN3(v) declares; SCREE_PUT
 * writes it to parameters of SCREE_OUT3(v). */
#define SCREE_AT(v, c) scree_vec_of(v##x[c], v##y[c], v##z[c])
#define SCREE_PUT(v, c, value) (v##x[c] = (value).x, v##y[c] = (value).y, v##z[c] = (value).z)

static inline double scree_dot(scree_vec a, scree_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline scree_vec scree_cross(scree_vec a, scree_vec b)
{
    return scree_vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/** k a */
static inline scree_vec scree_scaled(double k, scree_vec a)
{
    return scree_vec_of(k * a.x, k * a.y, k * a.z);
}

/** a + b */
static inline scree_vec scree_sum(scree_vec a, scree_vec b)
{
    return scree_vec_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

/** a - k b */
static inline scree_vec scree_less(scree_vec a, double k, scree_vec b)
{
    return scree_vec_of(a.x - k * b.x, a.y - k * b.y, a.z - k * b.z);
}

/** a where `first` is not 0, else b. */
static inline scree_vec scree_pick(int first, scree_vec a, scree_vec b)
{
    return scree_vec_of(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z);
}

#endif
