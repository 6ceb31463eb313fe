/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by a tree of fixed shape. */
#include "base/tree_sum.h"

#include <string.h>

enum { LEAF = 1024, WIDEST = 24 };

/* The shape of the tree depends only on n: a parallel version would give the same bits. */
double scree_tree_sum(const double *v, uint64_t n, uint64_t stride)
{
    if (n <= LEAF) {
        double sum = 0.0;
        for (uint64_t i = 0; i < n; i++)
            sum += v[i * stride];
        return sum;
    }
    uint64_t leaves = (n + LEAF - 1) / LEAF, left = (leaves / 2) * LEAF;
    return scree_tree_sum(v, left, stride) + scree_tree_sum(v + left * stride, n - left, stride);
}

static void sum_range(uint64_t begin, uint64_t end, uint32_t width, scree_leaf_fn leaf,
                      const void *user, double *sum)
{
    const uint64_t n = end - begin;
    double right[WIDEST];
    if (n <= LEAF) {
        memset(sum, 0, width * sizeof *sum);
        leaf(user, begin, end, sum);
        return;
    }
    const uint64_t middle = begin + (n + LEAF - 1) / LEAF / 2 * LEAF;
    sum_range(begin, middle, width, leaf, user, sum);
    sum_range(middle, end, width, leaf, user, right);
    for (uint32_t k = 0; k < width; k++)
        sum[k] += right[k];
}

void scree_tree_sums(uint64_t n, uint32_t width, scree_leaf_fn leaf, const void *user, double *sum)
{
    sum_range(0, n, width, leaf, user, sum);
}
