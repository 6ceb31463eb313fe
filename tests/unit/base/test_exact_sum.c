/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that are exact until they are read. */
#include <float.h>
#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../../test.h"
#include "base/exact_sum.h"
#include "base/random.h"

enum { MOST = 4000 };

static double sum_of(const double *v, int n)
{
    scree_exact_sum sum = {.odd = 0.0};
    for (int i = 0; i < n; i++)
        scree_exact_sum_add(&sum, v[i]);
    return scree_exact_sum_value(&sum);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/** Terms of both signs, from 1e-150 to 1e150. */
static double some_term(int i)
{
    const double part = scree_random_unit(7, 0, (uint64_t)i, 0);
    const double power = 300.0 * scree_random_unit(7, 0, (uint64_t)i, 1) - 150.0;
    return (part - 0.5) * pow(10.0, power);
}

TEST("/exact-sum/no-order-changes-a-bit")
{
    static double v[MOST], turned[MOST];
    scree_exact_sum half[2] = {{.odd = 0.0}, {.odd = 0.0}};
    double plain = 0.0, back = 0.0;
    for (int i = 0; i < MOST; i++) {
        v[i] = some_term(i);
        turned[MOST - 1 - i] = v[i];
        scree_exact_sum_add(&half[i % 3 == 0], v[i]);
        plain += v[i];
    }
    for (int i = 0; i < MOST; i++)
        back += turned[i];
    g_assert_false(same_bits(plain, back)); // a loop depends on the order
    g_assert_true(same_bits(sum_of(v, MOST), sum_of(turned, MOST)));
    scree_exact_sum_merge(&half[0], &half[1]);
    g_assert_true(same_bits(sum_of(v, MOST), scree_exact_sum_value(&half[0])));
}

TEST("/exact-sum/nothing-is-lost")
{
    const double cancels[] = {1e300, 1.0, -1e300, 0x1p-60, -1.0};
    const double tiny[] = {DBL_TRUE_MIN, DBL_TRUE_MIN, -3.0 * DBL_TRUE_MIN};
    const double large[] = {DBL_MAX, DBL_MAX, -DBL_MAX};
    double many[1000];
    for (int i = 0; i < 1000; i++)
        many[i] = -0.1;
    g_assert_cmpfloat(sum_of(cancels, 5), ==, 0x1p-60);
    g_assert_cmpfloat(sum_of(tiny, 3), ==, -DBL_TRUE_MIN);
    g_assert_cmpfloat(sum_of(large, 3), ==, DBL_MAX); // although the sum of two is not finite
    g_assert_cmpfloat(sum_of(large, 2), ==, HUGE_VAL);
    g_assert_cmpfloat(sum_of(many, 1000), ==, -100.00000000000000555); // 0.1 is a little more
    g_assert_cmpfloat(sum_of(many, 0), ==, 0.0);
}

TEST("/exact-sum/what-is-not-finite-stays-so")
{
    const double infinite[] = {1.0, HUGE_VAL, -5.0}, none[] = {HUGE_VAL, -HUGE_VAL};
    g_assert_cmpfloat(sum_of(infinite, 3), ==, HUGE_VAL);
    g_assert_true(isnan(sum_of(none, 2)));
}
