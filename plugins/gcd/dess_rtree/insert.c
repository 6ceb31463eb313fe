/* SPDX-License-Identifier: Apache-2.0 */
/* Enters boxes of whole numbers: the same source as of gcd/rtree. */
#define RTREE_RANKS
#include "../rtree/insert.c"
