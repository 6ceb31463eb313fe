/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by a tree of fixed shape. */
#ifndef CORE_TREE_SUM_H
#define CORE_TREE_SUM_H

#include <stdint.h>

/** Sum of n numbers, each `stride` after the previous one, by a tree with leaves of 1024. Its shape
 * depends only on n. */
double scree_tree_sum(const double *v, uint64_t n, uint64_t stride);

/** Adds the sums over items [begin, end), at most one leaf, to sum[width], which are 0. */
typedef void (*scree_leaf_fn)(const void *user, uint64_t begin, uint64_t end, double *sum);
/** Fills sum[width] (24 at most) with the sums of `width` functions of n items. */
void scree_tree_sums(uint64_t n, uint32_t width, scree_leaf_fn leaf, const void *user, double *sum);

#endif
