/* SPDX-License-Identifier: MIT */
/* Inline helpers for sources and modifiers that make bodies: random numbers, sizes, zones. Only for
 * convenience, never part of the ABI. */
#ifndef SCREE_SOURCE_SDK_H
#define SCREE_SOURCE_SDK_H

#include <math.h>

#include "scree.h"

/** A double in [0, 1) from 64 random bits. */
static inline double scree_uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1.0p-53;
}

/** [m] The radius that a distribution of sizes by number gives for a random number u in [0, 1). */
static inline double scree_size_draw(const scree_size_table *s, double u)
{
    uint64_t lo = 0, hi = s->n - 1;
    double below, share, t, a, b, r;
    while (lo < hi) { /* the first class whose sum exceeds u */
        uint64_t mid = lo + (hi - lo) / 2;
        if (s->sum[mid] > u)
            hi = mid;
        else
            lo = mid + 1;
    }
    if (s->discrete)
        return s->radius[lo];
    below = lo ? s->sum[lo - 1] : 0.0;
    share = s->sum[lo] - below;
    t = share > 0.0 ? (u - below) / share : 0.0;
    a = s->radius[lo];
    b = s->radius[lo + 1];
    if (s->power == 3)
        r = 1.0 / sqrt(1.0 / (a * a) - t * (1.0 / (a * a) - 1.0 / (b * b)));
    else if (s->power == 2)
        r = 1.0 / (1.0 / a - t * (1.0 / a - 1.0 / b));
    else
        r = a + t * (b - a);
    return r < a ? a : r > b ? b : r;
}

/** [m] The largest radius that a draw can give. */
static inline double scree_size_max(const scree_size_table *s)
{
    return s->radius[s->discrete ? s->n - 1 : s->n];
}

/** [-] The random part of a velocity from two random numbers in [0, 1): uniform in [-1, 1), or
 * Gaussian with standard deviation 1 (Box and Muller 1958; 1 - u is in (0, 1]). Uses libm. */
static inline double scree_velocity_spread(int uniform, double u1, double u2)
{
    const double pi = 3.1415926535897932384626433832795;
    return uniform ? 2.0 * u1 - 1.0 : sqrt(-2.0 * log(1.0 - u1)) * cos(2.0 * pi * u2);
}

/** 1 when a ball of radius r [m] about x is inside the zone; r = 0 tests the point x. */
static inline int scree_zone_holds(const scree_zone *z, const double x[3], double r)
{
    double d2 = 0.0, along = 0.0, length2 = 0.0;
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        double axis = z->b[k] - z->a[k], d = x[k] - z->a[k];
        if (z->hi[k] > z->lo[k])
            inside &= (x[k] - r >= z->lo[k]) & (x[k] + r <= z->hi[k]);
        d2 += d * d;
        along += d * axis;
        length2 += axis * axis;
    }
    if (z->type == SCREE_ZONE_BALL)
        return r <= z->radius && d2 <= (z->radius - r) * (z->radius - r);
    if (z->type == SCREE_ZONE_CYLINDER) {
        double length = sqrt(length2), at = along / length, off2 = d2 - at * at;
        return r <= z->radius && at >= r && at <= length - r &&
               off2 <= (z->radius - r) * (z->radius - r) &&
               (z->inner == 0.0 || off2 >= (z->inner + r) * (z->inner + r));
    }
    return z->type == SCREE_ZONE_ALL || inside;
}

#endif
