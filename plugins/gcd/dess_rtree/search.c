/* SPDX-License-Identifier: Apache-2.0 */
/* Searches a tree of whole numbers: the source file is that of gcd/rtree. */
#define RTREE_RANKS
#include "../rtree/search.c"
