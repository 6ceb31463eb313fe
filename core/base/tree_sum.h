/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by a tree of fixed shape. */
#ifndef CORE_TREE_SUM_H
#define CORE_TREE_SUM_H

#include <stdint.h>

/** Sum of n numbers, each `stride` after the previous one, by a tree whose shape depends only on n:
 * leaves of 1024. */
double scree_tree_sum(const double *v, uint64_t n, uint64_t stride);

/** Fills sum[width] with the sums over items [begin, end), at most one leaf. */
typedef void (*scree_leaf_fn)(const void *user, uint64_t begin, uint64_t end, double *sum);
/** The same of `width` (24 at most) functions of n items at once. */
void scree_tree_sums(uint64_t n, uint32_t width, scree_leaf_fn leaf, const void *user, double *sum);

#endif
