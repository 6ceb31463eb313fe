/* SPDX-License-Identifier: Apache-2.0 */
/* Packs boxes of whole numbers: the same source as of gcd/rtree. */
#define RTREE_RANKS
#include "../rtree/pack.c"
