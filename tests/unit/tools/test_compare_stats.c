/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of medians, quartiles and exponents, against values worked out by hand. */
#include "../../test.h"
#include "tools/compare/compare_stats.h"

#include <math.h>
#include <stdbool.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void check_spread(const double *values, guint n, double q1, double median, double q3)
{
    scree_spread s = scree_spread_of(values, n);
    g_assert_true(is_near(s.q1, q1));
    g_assert_true(is_near(s.median, median));
    g_assert_true(is_near(s.q3, q3));
}

TEST("/compare-stats/quartiles-lie-between-the-values")
{
    const double one[] = {7.0}, two[] = {3.0, 1.0}, four[] = {4.0, 1.0, 3.0, 2.0};
    const double five[] = {50.0, 10.0, 30.0, 20.0, 40.0};
    check_spread(one, 1, 7.0, 7.0, 7.0);
    check_spread(two, 2, 1.5, 2.0, 2.5);
    check_spread(four, 4, 1.75, 2.5, 3.25);
    check_spread(five, 5, 20.0, 30.0, 40.0);
    g_assert_cmpfloat(five[0], ==, 50.0); // what is given stays in its order
    g_assert_true(isnan(scree_spread_of(NULL, 0).median));
}

TEST("/compare-stats/a-power-is-found-again")
{
    double x[] = {400.0, 1600.0, 6400.0, 25600.0}, t[4];
    for (int i = 0; i < 4; i++)
        t[i] = 3e-9 * pow(x[i], 1.25);
    g_assert_true(is_near(scree_growth(x, t, 4), 1.25));
    g_assert_true(is_near(scree_growth(x + 1, t + 1, 2), 1.25));
    // Logs 0, 1, 2 against 0, 1, 5: the slope is ((-1)(-2) + 1 * 3) / 2.
    const double steps[] = {1.0, 10.0, 100.0}, bent[] = {1.0, 10.0, 1e5};
    g_assert_true(is_near(scree_growth(steps, bent, 3), 2.5));
}

TEST("/compare-stats/no-exponent-without-two-points")
{
    const double x[] = {1.0, 2.0}, same[] = {2.0, 2.0}, t[] = {1.0, 2.0}, zero[] = {0.0, 2.0};
    g_assert_true(isnan(scree_growth(x, t, 0)));
    g_assert_true(isnan(scree_growth(x, t, 1)));
    g_assert_true(isnan(scree_growth(same, t, 2)));
    g_assert_true(isnan(scree_growth(zero, t, 2)));
    g_assert_true(isnan(scree_growth(x, zero, 2)));
    g_assert_cmpfloat(scree_growth(x, same, 2), ==, 0.0);
}
