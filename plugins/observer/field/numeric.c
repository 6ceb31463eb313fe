// SPDX-License-Identifier: Apache-2.0
// Arc tangent, exponential and logarithm by the four operations and sqrt: the same bits on every machine.
/*
 * The C library's functions may differ in the last bit between machines, and the averages of a run
 * should not. Each function here reduces its argument, then sums a Taylor series of fixed length.
 */
#include "numeric.h"

#include <math.h>

double field_exp(double x)
{
    const double ln2_high = 0.693147180369123816490, ln2_low = 1.90821492927058770002e-10;
    double k, r, sum = 1.0;
    if (x < -700.0)
        return 0.0;
    k = floor(x * 1.44269504088896340736 + 0.5);
    r = (x - k * ln2_high) - k * ln2_low;
    for (int j = 16; j >= 1; j--)
        sum = 1.0 + r / j * sum; // |r| <= 0.35
    return ldexp(sum, (int)k);
}

/* Legendre's polynomial of degree n and its derivative at x. */
static double legendre(int n, double x, double *slope)
{
    double before = 1.0, p = x;
    for (int k = 2; k <= n; k++) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
    }
    *slope = n * (x * p - before) / (x * x - 1.0);
    return p;
}

/* sin(a) by its Taylor series, |a| <= pi / 2. */
static double sine(double a)
{
    double sum = 1.0;
    for (int j = 24; j >= 2; j -= 2)
        sum = 1.0 - a * a / (j * (j + 1.0)) * sum;
    return a * sum;
}

void field_turn(double angle, double *cosine, double *sine_out)
{
    const double quarter = 0.5 * FIELD_PI, turns = floor(angle / quarter + 0.5);
    const int k = (int)turns & 3;
    // pi / 2 in two parts
    const double a = (angle - turns * quarter) - turns * 6.123233995736766e-17;
    double c = 1.0, s = sine(a);
    for (int j = 24; j >= 2; j -= 2)
        c = 1.0 - a * a / (j * (j - 1.0)) * c;
    *cosine = k == 0 ? c : k == 1 ? -s : k == 2 ? -c : s;
    *sine_out = k == 0 ? s : k == 1 ? c : k == 2 ? -s : -c;
}

/* Newton's iteration from cos(pi (k + 3/4) / (n + 1/2)). */
void field_gauss(int n, double *node, double *weight)
{
    for (int k = 0; k < n; k++) {
        double x = sine(FIELD_PI * (0.5 - (k + 0.75) / (n + 0.5))), slope = 1.0;
        for (int turn = 0; turn < 20; turn++)
            x -= legendre(n, x, &slope) / slope;
        legendre(n, x, &slope);
        node[k] = x;
        weight[k] = 2.0 / ((1.0 - x * x) * slope * slope);
    }
}
