/* SPDX-License-Identifier: Apache-2.0 */
/* Radix sort of items that begin with a whole number, 11 bits a pass: used by gcd/lbvh and
 * gcd/sap_simd.
 */
#ifndef SCREE_GCD_RADIX_H
#define SCREE_GCD_RADIX_H

#include <scree/sdk.h>

#define DIGIT_BITS 11u
#define DIGIT_VALUES 2048u
#define MOST_DIGITS 6u

static inline uint32_t digit_of(const char *item, size_t key_size, uint32_t digit)
{
    uint64_t key = 0; // little-endian
    memcpy(&key, item, key_size);
    return (uint32_t)(key >> (DIGIT_BITS * digit)) & (DIGIT_VALUES - 1);
}

/* Turns counts into the first place of each value of a digit. */
static inline void sum_counts(uint32_t count[DIGIT_VALUES])
{
    uint32_t sum = 0;
    for (uint32_t v = 0; v < DIGIT_VALUES; v++) {
        const uint32_t here = count[v];
        count[v] = sum;
        sum += here;
    }
}

/* Sorts `n` items of `size` bytes by the lowest `digits` digits of their keys. 1: the result is in
 * `spare`, 0: in `items`. It is inlined, so that sizes are constants and moves are plain code. A
 * pass that would change nothing is left out. */
static inline int radix_sort(void *items, void *spare, uint32_t n, size_t size, size_t key_size,
                             uint32_t digits)
{
    uint32_t count[MOST_DIGITS][DIGIT_VALUES];
    char *from = items, *to = spare;
    memset(count, 0, digits * sizeof count[0]);
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t d = 0; d < digits; d++)
            count[d][digit_of(from + i * size, key_size, d)]++;
    if (n)
        for (uint32_t d = 0; d < digits; d++) {
            if (count[d][digit_of(from, key_size, d)] == n)
                continue;
            sum_counts(count[d]);
            for (uint64_t i = 0; i < n; i++) {
                const char *item = from + i * size;
                memcpy(to + size * count[d][digit_of(item, key_size, d)]++, item, size);
            }
            char *swap = from;
            from = to;
            to = swap;
        }
    return from != (char *)items;
}

#endif
