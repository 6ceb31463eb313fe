/* SPDX-License-Identifier: Apache-2.0 */
/* Selection by Hoare: what sorting would put at one place; for the trees of gcd/bvh and gcd/rtree.
 */
#ifndef SCREE_GCD_SELECT_H
#define SCREE_GCD_SELECT_H

#include <scree/sdk.h>

#define SELECT_SIZE 64u /* bytes of an item, at most */

/* What items are ordered by. */
typedef double select_key(const void *item, uint32_t axis);

/* Orders [first, last) of items of `size` bytes so that none before `mid` has a larger key than one
 * from `mid` on. Inlined, so that size and key are constants and their calls plain code. */
static inline void select_at(void *items, size_t size, uint32_t first, uint32_t last, uint32_t mid,
                             select_key *key, uint32_t axis)
{
    char *v = items, swap[SELECT_SIZE];
    int64_t l = first, r = (int64_t)last - 1;
    while (l < r) {
        const double pivot = key(v + size * (uint64_t)(l + (r - l) / 2), axis);
        int64_t i = l, j = r;
        while (i <= j) {
            while (key(v + size * (uint64_t)i, axis) < pivot)
                i++;
            while (key(v + size * (uint64_t)j, axis) > pivot)
                j--;
            if (i > j)
                break;
            memcpy(swap, v + size * (uint64_t)i, size);
            memcpy(v + size * (uint64_t)i++, v + size * (uint64_t)j, size);
            memcpy(v + size * (uint64_t)j--, swap, size);
        }
        if (mid <= j)
            r = j;
        else if (mid >= i)
            l = i;
        else
            return;
    }
}

#endif
