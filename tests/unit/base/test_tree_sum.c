/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by the fixed tree: one shape for one number and for several at once. */
#include <glib.h>
#include <math.h>

#include "../../test.h"
#include "base/tree_sum.h"

enum { MOST = 5000, WIDTH = 3 };

static void sum_columns(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const double *v = user;
    g_assert_cmpuint(end - begin, <=, 1024);
    for (int k = 0; k < WIDTH; k++) {
        for (uint64_t i = begin; i < end; i++)
            sum[k] += v[i * WIDTH + (uint64_t)k];
    }
}

/** Bits, not nearly: 1/(i + 1) and others that do not add exactly. */
TEST("/tree-sum/several-sums-have-the-bits-of-one")
{
    static double v[MOST][WIDTH];
    const uint64_t lengths[] = {0, 1, 1023, 1024, 1025, 2048, 3000, MOST};
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < WIDTH; k++)
            v[i][k] = 1.0 / (i + 1.0) + (i % 7) * 1e8 * k;
    for (size_t n = 0; n < G_N_ELEMENTS(lengths); n++) {
        double sum[WIDTH] = {(double)NAN, (double)NAN,
                             (double)NAN}; // leaves start from 0, whatever was here
        scree_tree_sums(lengths[n], WIDTH, sum_columns, v, sum);
        for (int k = 0; k < WIDTH; k++)
            g_assert_true(sum[k] == scree_tree_sum(&v[0][k], lengths[n], WIDTH));
    }
}

/** A leaf of 1024 and the rest are added once: not what a loop gives. */
TEST("/tree-sum/leaves-have-1024")
{
    static double v[MOST];
    double left = 0.0, right = 0.0;
    for (int i = 0; i < 2048; i++)
        v[i] = 1.0 / (i + 1.0);
    for (int i = 0; i < 1024; i++) {
        left += v[i];
        right += v[1024 + i];
    }
    g_assert_true(scree_tree_sum(v, 2048, 1) == left + right);
}
