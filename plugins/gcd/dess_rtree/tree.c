/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a tree of whole numbers: the same source as of gcd/rtree. */
#define RTREE_RANKS
#include "../rtree/tree.c"
