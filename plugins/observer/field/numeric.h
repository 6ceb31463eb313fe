// SPDX-License-Identifier: Apache-2.0
// Arc tangent, exponential and logarithm by the four operations and sqrt: the same bits on every machine.
#ifndef OBSERVER_FIELD_NUMERIC_H
#define OBSERVER_FIELD_NUMERIC_H

#include <stdint.h>
#include <string.h>

#define FIELD_PI 3.14159265358979323846

/** Angle of (x, y) in [-pi, pi], to 4e-16; 0 for (0, 0). */
double field_atan2(double y, double x);
/** exp(x) of x <= 0, to some roundings; 0 below -700. */
double field_exp(double x);
/** log(x) of a normal x > 0, to 1e-15: without branches and calls, for loops over rows. */
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
