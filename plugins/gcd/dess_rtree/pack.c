/* SPDX-License-Identifier: Apache-2.0 */
/* Packs boxes of whole numbers: the source file is that of gcd/rtree. */
#define RTREE_RANKS
#include "../rtree/pack.c"
