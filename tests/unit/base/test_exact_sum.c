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

/** Rounding to the nearest double, of two to the even one, by terms that are below its last bit. */
TEST("/exact-sum/the-value-is-the-nearest-double")
{
    const double half = 0x1p-53, less = 0x1p-110;
    const double ties[][4] = {{1.0, half, 0.0, 1.0},
                              {1.0, half, less, 1.0 + 0x1p-52},
                              {1.0 + 0x1p-52, half, 0.0, 1.0 + 0x1p-51},
                              {1.0 + 0x1p-52, half, -less, 1.0 + 0x1p-52},
                              {-1.0, -half, -less, -1.0 - 0x1p-52}};
    const int powers[] = {0, 1, 11, 31, 32, 33, 500, -500, -900};
    for (size_t k = 0; k < G_N_ELEMENTS(ties); k++)
        for (size_t p = 0; p < G_N_ELEMENTS(powers); p++) {
            double v[4];
            for (int i = 0; i < 4; i++)
                v[i] = ldexp(ties[k][i], powers[p]);
            g_assert_cmpfloat(sum_of(v, 3), ==, v[3]);
        }
}

/** 2^31 additions of one number, by a sum that has had nearly all of them between two carries. */
TEST("/exact-sum/digits-carry-before-they-overflow")
{
    const double term = -(0x1.fffffffffffffp30);
    scree_exact_sum once = {.odd = 0.0}, twice, many = {.odd = 0.0};
    scree_exact_sum_add(&once, term);
    for (int k = 0; k < SCREE_EXACT_DIGITS; k++)
        many.digit[k] = once.digit[k] * ((1 << 30) - 1);
    many.since = (1 << 30) - 1;
    twice = many;
    scree_exact_sum_add(&many, term);
    g_assert_cmpuint(many.since, ==, 0);
    g_assert_cmpfloat(scree_exact_sum_value(&many), ==, 0x1p30 * term);
    scree_exact_sum_add(&many, term);
    scree_exact_sum_merge(&many, &twice);
    g_assert_cmpfloat(scree_exact_sum_value(&many), ==, 0x1p31 * term);
}

/** Sums of the same terms in three parts, whatever the order, have the same digits. */
TEST("/exact-sum/equal-sums-have-equal-digits")
{
    scree_exact_sum part[3] = {{.odd = 0.0}, {.odd = 0.0}, {.odd = 0.0}}, all = {.odd = 0.0};
    for (int i = 0; i < MOST; i++)
        scree_exact_sum_add(&all, some_term(i));
    for (int i = MOST; i-- > 0;)
        scree_exact_sum_add(&part[i % 7 % 3], some_term(i));
    scree_exact_sum_merge(&part[2], &part[0]);
    scree_exact_sum_merge(&part[2], &part[1]);
    scree_exact_sum_carry(&all);
    scree_exact_sum_carry(&part[2]);
    g_assert_true(scree_exact_sum_sound(&all));
    g_assert_cmpmem(all.digit, sizeof all.digit, part[2].digit, sizeof part[2].digit);
    all.digit[3] -= INT64_C(1) << 32;
    g_assert_false(scree_exact_sum_sound(&all));
}
