/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a tree of whole numbers: the source file is that of gcd/rtree. */
#define RTREE_RANKS
#include "../rtree/tree.c"
