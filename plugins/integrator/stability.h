/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How large a step a scheme allows (scree.stability/1), from its own step on an oscillator.
 *
 * Steps    1. the scheme's step is linear in the n numbers that it keeps: its matrix, column by
 *             column, for x'' + 2 zeta x' + x = 0 and a step h = omega dt;
 *          2. its characteristic polynomial, by Faddeev and Le Verrier's recursion;
 *          3. Schur and Cohn's test: all roots within a circle, by lowering the degree one by one;
 *          4. h from 0 upwards until the test fails, then halving.
 * Limits   gaps between stable ranges that are narrower than h / 500 are not seen.
 */
#ifndef SCREE_INTEGRATOR_STABILITY_H
#define SCREE_INTEGRATOR_STABILITY_H

#include "scree/sdk.h"

#define STABILITY_MOST 8
/** One step of the scheme on y, the numbers that it keeps for the oscillator. */
typedef void (*stability_step)(const void *scheme, double h, double zeta, double *y);

/** Are all roots of c[0] z^n + c[1] z^(n-1) + .. within a circle of this radius? */
static inline int stability_within(uint32_t n, const double *c, double radius)
{
    double a[STABILITY_MOST + 1], b[STABILITY_MOST + 1], scale = 1.0;
    for (uint32_t k = 0; k <= n; k++, scale /= radius)
        a[k] = c[k] * scale;
    for (; n > 0; n--) {
        double k = a[n] / a[0];
        if (!(fabs(k) < 1.0))
            return 0;
        for (uint32_t i = 0; i < n; i++)
            b[i] = a[i] - k * a[n - i];
        memcpy(a, b, n * sizeof *a);
    }
    return 1;
}

static inline int stability_holds(uint32_t n, stability_step step, const void *scheme, double h,
                                  double zeta)
{
    double a[STABILITY_MOST][STABILITY_MOST], m[STABILITY_MOST][STABILITY_MOST] = {{0.0}};
    double product[STABILITY_MOST][STABILITY_MOST], c[STABILITY_MOST + 1] = {1.0};
    for (uint32_t j = 0; j < n; j++) {
        double y[STABILITY_MOST] = {0.0};
        y[j] = 1.0;
        step(scheme, h, zeta, y);
        for (uint32_t i = 0; i < n; i++)
            a[i][j] = y[i];
    }
    for (uint32_t k = 1; k <= n; k++) { // m: A m + c 1; c: -tr(A m) / k
        for (uint32_t i = 0; i < n; i++)
            m[i][i] += c[k - 1];
        double trace = 0.0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                product[i][j] = 0.0;
                for (uint32_t l = 0; l < n; l++)
                    product[i][j] += a[i][l] * m[l][j];
                trace += i == j ? product[i][j] : 0.0;
            }
        c[k] = -trace / k;
        memcpy(m, product, sizeof m);
    }
    return stability_within(n, c, 1.0 + SCREE_STABILITY_GROWTH);
}

/** Result of scree_stability.limit. */
static inline double stability_limit(uint32_t n, stability_step step, const void *scheme,
                                     double zeta)
{
    const double ahead = 1.0 / (512.0 * (1.0 + zeta));
    double low = 0.0, high = ahead;
    while (high < 16.0 && stability_holds(n, step, scheme, high, zeta)) {
        low = high;
        high += ahead;
    }
    for (int k = 0; k < 40; k++) {
        double middle = 0.5 * (low + high);
        if (stability_holds(n, step, scheme, middle, zeta))
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
