/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by a tree of fixed shape. */
#include "base/tree_sum.h"

enum { LEAF = 1024 };

/* The shape of the tree depends only on n, so that a parallel version would give the same bits. */
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
