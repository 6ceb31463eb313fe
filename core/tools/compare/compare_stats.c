/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of repeated timings: median and quartiles, and the growth of a time with a number. */
#include "tools/compare/compare_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, guint n, double p)
{
    double at = p * (n - 1.0);
    guint below = (guint)at, above = MIN(below + 1, n - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

scree_spread scree_spread_of(const double *values, guint n)
{
    if (!n)
        return (scree_spread){(double)NAN, (double)NAN, (double)NAN};
    g_autofree double *sorted = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return (scree_spread){quantile(sorted, n, 0.25), quantile(sorted, n, 0.5),
                          quantile(sorted, n, 0.75)};
}

double scree_growth(const double *x, const double *t, guint n)
{
    double mean_x = 0.0, mean_t = 0.0, xx = 0.0, xt = 0.0;
    for (guint i = 0; i < n; i++) {
        if (!(x[i] > 0.0) || !(t[i] > 0.0))
            return (double)NAN;
        mean_x += log(x[i]) / n;
        mean_t += log(t[i]) / n;
    }
    for (guint i = 0; i < n; i++) { // centred, against cancellation
        double dx = log(x[i]) - mean_x;
        xx += dx * dx;
        xt += dx * (log(t[i]) - mean_t);
    }
    return n > 1 && xx > 0.0 ? xt / xx : (double)NAN;
}
