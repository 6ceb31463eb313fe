// SPDX-License-Identifier: Apache-2.0
// Arc tangent, exponential and logarithm by the four operations and sqrt: the same bits on every machine.
#ifndef OBSERVER_FIELD_NUMERIC_H
#define OBSERVER_FIELD_NUMERIC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define FIELD_PI 3.14159265358979323846

/* atan(t) for 0 <= t <= 1: atan(t) = atan(c) + atan((t - c) / (1 + t c)) with c = k/8. */
static inline double field_atan_small(double t)
{
    static const double table[9] = {0.0,
                                    0.12435499454676144,
                                    0.24497866312686414,
                                    0.35877067027057225,
                                    0.46364760900080612,
                                    0.55859931534356244,
                                    0.64350110879328439,
                                    0.71882999962162453,
                                    0.78539816339744831};
    // 1, 1/3 .. 1/13: |u| <= 1/16, the next term is below 1e-18
    const int k = (int)(8.0 * t + 0.5);
    const double c = 0.125 * k, u = (t - c) / (1.0 + t * c), x = u * u;
    const double far = 1.0 / 7 - x * (1.0 / 9 - x * (1.0 / 11 - x * (1.0 / 13)));
    return table[k] + u * (1.0 - x * (1.0 / 3 - x * (1.0 / 5 - x * far)));
}

/** Angle of (x, y) in [-pi, pi], to 4e-16; 0 for (0, 0). */
static inline double field_atan2(double y, double x)
{
    const double ax = fabs(x), ay = fabs(y);
    double angle;
    if (ax == 0.0 && ay == 0.0)
        return 0.0;
    angle = ay <= ax ? field_atan_small(ay / ax) : 0.5 * FIELD_PI - field_atan_small(ax / ay);
    angle = x < 0.0 ? FIELD_PI - angle : angle;
    return y < 0.0 ? -angle : angle;
}
/** exp(x) for x <= 0, to some roundings; 0 below -700. */
double field_exp(double x);
/** log(x) for a normal x > 0, to 1e-15: without branches and calls, for loops over rows. */
static inline double field_log(double x)
{
    static const double odd[11] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                                   1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const uint64_t root = 0x3fe6a09e667f3bcdull; // the bits of sqrt(1/2)
    uint64_t bits;
    double m, sum = 0.0;
    memcpy(&bits, &x, sizeof bits);
    // x = m 2^e, sqrt(1/2) <= m < sqrt(2)
    const int32_t e = (int32_t)((bits - root + (1024ull << 52)) >> 52) - 1024;
    bits -= (uint64_t)(int64_t)e << 52;
    memcpy(&m, &bits, sizeof m);
    const double u = (m - 1.0) / (m + 1.0), u2 = u * u; // |u| <= 0.172
    for (int j = 10; j >= 0; j--)
        sum = odd[j] + u2 * sum;
    return e * 0.69314718055994530942 + 2.0 * u * sum;
}
/** Cosine and sine of |angle| <= 10, to 1e-15. */
void field_turn(double angle, double *cosine, double *sine);
/** Nodes in (-1, 1) and weights of the rule of Gauss and Legendre of `n` <= 16 points. */
void field_gauss(int n, double *node, double *weight);

#endif
