/* SPDX-License-Identifier: Apache-2.0 */
/* A power function for kernels: plain arithmetic, the same bits on every machine, and loops with it
 * vectorise. */
#ifndef PLUGINS_SHAPE_SOLID_POWER_H
#define PLUGINS_SHAPE_SOLID_POWER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/**
 * x^y, x >= 0 and any finite y; 0 for a subnormal x and for results below 2^-1021; 2^1023 for
 * results above it.
 *
 * 2^(y log2 x): with x = 2^e m, sqrt(1/2) < m <= sqrt(2), log2 m is the series of 2 atanh(s),
 * s = (m - 1) / (m + 1), to s^21, and 2^f, |f| <= 1/2, that of the exponential function to the 13th
 * power. Relative error: 4e-16 of 1 + |y log2 x|; bases in [0, 1] with y > 0 give an absolute
 * error of 2e-16.
 */
static inline double solid_power(double x, double y)
{
    const double shifter = 6755399441055744.0; /* 1.5 * 2^52: rounds to a whole number */
    uint64_t bits, whole;
    double e, m, number, scale;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t exponent = bits >> 52 | 0x4330000000000000u; /* 2^52 + exponent */
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&e, &exponent, sizeof e);
    memcpy(&m, &bits, sizeof m);
    e -= 4503599627370496.0 + 1023.0;
    e = m > 1.4142135623730951 ? e + 1.0 : e;
    m = m > 1.4142135623730951 ? 0.5 * m : m;
    const double s = (m - 1.0) / (m + 1.0), w = s * s;
    double p = 1.0 / 21.0;
    p = p * w + 1.0 / 19.0;
    p = p * w + 1.0 / 17.0;
    p = p * w + 1.0 / 15.0;
    p = p * w + 1.0 / 13.0;
    p = p * w + 1.0 / 11.0;
    p = p * w + 1.0 / 9.0;
    p = p * w + 1.0 / 7.0;
    p = p * w + 1.0 / 5.0;
    p = p * w + 1.0 / 3.0;
    p = p * w * s + s;
    double l = y * (e + 2.885390081777927 * p); /* 2 / ln 2 */
    const double least = x >= 2.2250738585072014e-308 ? -1021.0 : HUGE_VAL;
    const double kept = l >= least ? 1.0 : 0.0;
    l = l > -1021.0 ? l : -1021.0;
    l = l < 1023.0 ? l : 1023.0;
    number = l + shifter;
    memcpy(&whole, &number, sizeof whole);
    const double f = (l - (number - shifter)) * 0.6931471805599453;
    whole = (whole << 52) + 0x3ff0000000000000u;
    memcpy(&scale, &whole, sizeof scale);
    double r = 1.0 / 6227020800.0;
    r = r * f + 1.0 / 479001600.0;
    r = r * f + 1.0 / 39916800.0;
    r = r * f + 1.0 / 3628800.0;
    r = r * f + 1.0 / 362880.0;
    r = r * f + 1.0 / 40320.0;
    r = r * f + 1.0 / 5040.0;
    r = r * f + 1.0 / 720.0;
    r = r * f + 1.0 / 120.0;
    r = r * f + 1.0 / 24.0;
    r = r * f + 1.0 / 6.0;
    r = r * f + 0.5;
    r = r * f + 1.0;
    r = r * f + 1.0;
    return kept * (r * scale);
}

#endif
