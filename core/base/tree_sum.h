/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by a tree of fixed shape. */
#ifndef CORE_TREE_SUM_H
#define CORE_TREE_SUM_H

#include <stdint.h>

/** Sum of n numbers, each `stride` after the previous one, by a tree whose shape depends only on n:
 * leaves of 1024. */
double scree_tree_sum(const double *v, uint64_t n, uint64_t stride);

#endif
