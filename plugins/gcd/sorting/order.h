/* SPDX-License-Identifier: Apache-2.0 */
/* Selection and heap sort of items of any kind. Functions are inlined: sizes become constants and
 * calls of the ordering function become plain code. */
#ifndef SCREE_GCD_ORDER_H
#define SCREE_GCD_ORDER_H

#include <scree/sdk.h>

#define ITEM_SIZE 64u /* bytes of an item, at most */

/* The key of an item, for selection. */
typedef double item_key(const void *item, uint32_t axis);

/* Orders [first, last) of items of `size` bytes so that none before `mid` has a larger key than one
 * from `mid` on (Hoare). */
static inline void select_at(void *items, size_t size, uint32_t first, uint32_t last, uint32_t mid,
                             item_key *key, uint32_t axis)
{
    char *v = items, swap[ITEM_SIZE];
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

/* Does item a come before b? Either may be an unaligned copy: read it by memcpy. */
typedef int item_before(const void *a, const void *b);

/* Puts `item` into the heap below `at`, whose place is free. */
static inline void sift(char *v, size_t size, uint64_t at, uint64_t n, const char *item,
                        item_before *before)
{
    for (uint64_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && before(v + size * child, v + size * (child + 1));
        if (!before(item, v + size * child))
            break;
        memcpy(v + size * at, v + size * child, size);
        at = child;
    }
    memcpy(v + size * at, item, size);
}

static inline void heap_sort(void *items, size_t size, uint32_t n, item_before *before)
{
    char *v = items, item[ITEM_SIZE];
    for (uint64_t at = n / 2; at-- > 0;) {
        memcpy(item, v + size * at, size);
        sift(v, size, at, n, item, before);
    }
    for (uint64_t last = n; last-- > 1;) {
        memcpy(item, v + size * last, size);
        memcpy(v + size * last, v, size);
        sift(v, size, 0, last, item, before);
    }
}

#endif
