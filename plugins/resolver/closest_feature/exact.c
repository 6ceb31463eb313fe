// SPDX-License-Identifier: Apache-2.0
// The slow way of exact.h: sums of products as expansions, which hold every bit.
#include "exact.h"

/* a + b as a sum of two doubles that do not overlap; Knuth. */
static double two_sum(double a, double b, double *low)
{
    double sum = a + b, part = sum - a;
    *low = (a - (sum - part)) + (b - part);
    return sum;
}

static double split(double a, double *low)
{
    double c = 134217729.0 * a, high = c - (c - a); // 2^27 + 1
    *low = a - high;
    return high;
}

/* a b as a sum of two doubles; Dekker. */
static double two_product(double a, double b, double *low)
{
    double product = a * b, al, bl, ah = split(a, &al), bh = split(b, &bl);
    *low = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
    return product;
}

/* Adds one double to an expansion of n components, from the smallest up. */
static int grow(double *e, int n, double b)
{
    double carry = b;
    for (int k = 0; k < n; k++) {
        double low;
        carry = two_sum(carry, e[k], &low);
        e[k] = low;
    }
    e[n] = carry;
    return n + 1;
}

int exact_sign(const double d[8])
{
    double e[17];
    int n = 0;
    for (int term = 0; term < 2; term++) {
        double u[2], v[2], low;
        const double *at = d + 4 * term;
        u[0] = two_sum(at[0], -at[1], &u[1]);
        v[0] = two_sum(at[2], -at[3], &v[1]);
        for (int k = 0; k < 4; k++) {
            double high = two_product(u[k / 2], v[k % 2], &low);
            n = grow(e, n, low);
            n = grow(e, n, high);
        }
    }
    while (n > 0 && e[n - 1] == 0.0)
        n--;
    return n == 0 ? 0 : e[n - 1] > 0.0 ? 1 : -1;
}
