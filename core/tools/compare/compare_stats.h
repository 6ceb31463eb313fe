/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of repeated timings: median and quartiles, and the growth of a time with a number. */
#ifndef CORE_COMPARE_STATS_H
#define CORE_COMPARE_STATS_H

#include <glib.h>

/** Half of the values are between q1 and q3, half are below the median. NaN: no values
 * were given. */
typedef struct scree_spread {
    double q1, median, q3;
} scree_spread;

/** Quartiles by linear interpolation in sorted values: the p-th quantile of n values is number 1 +
 * p (n - 1). */
scree_spread scree_spread_of(const double *values, guint n);
/** p of t ~ x^p: slope of the least-squares line of log t over log x. NaN: fewer than two
 * points are given, or one has no logarithm. */
double scree_growth(const double *x, const double *t, guint n);

#endif
