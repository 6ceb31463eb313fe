/* SPDX-License-Identifier: Apache-2.0 */
/* Part of kernels.c: pairs that are listed because they may touch soon (near.c). */
#ifndef CORE_KERNELS_NEAR_H
#define CORE_KERNELS_NEAR_H

#include <stdint.h>

/** Keeps the numbers of those of n listed pairs whose balls are within `range`, or nearly. Returns
 * how many. */
static uint32_t near_listed(uint32_t n, const uint16_t *list, const uint32_t *a, const uint32_t *b,
                            const double *ball, double range, uint32_t *R near)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t p = list[k];
        const double *of_a = ball + 4 * (uint64_t)a[p], *of_b = ball + 4 * (uint64_t)b[p];
        const double x = of_b[0] - of_a[0], y = of_b[1] - of_a[1], z = of_b[2] - of_a[2];
        const double reach = of_b[3] + of_a[3] + range;
        near[found] = p;
        found += !(x * x + y * y + z * z > reach * reach * ROUNDING);
    }
    return found;
}

/** Gathers the bodies of n near pairs, d and radii. */
static void gather_pairs(uint32_t n, const uint32_t *near, const uint32_t *from_a,
                         const uint32_t *from_b, const double *ball, uint32_t *a, uint32_t *b,
                         double *const *d, double *const *radius)
{
    for (uint32_t c = 0; c < n; c++) {
        a[c] = from_a[near[c]];
        b[c] = from_b[near[c]];
        candidate(c, a, b, ball, d, radius[0], radius[1]);
    }
}

#ifndef __AVX2__
/** Prefetches twists and wrenches of the higher bodies of n contacts. */
static inline void call_lines(uint32_t n, const uint32_t *a, const uint32_t *b, const double *twist,
                              const double *wrench)
{
    enum { WRITE = 1 };
    for (uint32_t c = 0; c < n; c++) {
        const uint64_t partner = a[c] > b[c] ? a[c] : b[c];
        __builtin_prefetch(twist + 8 * partner);
        __builtin_prefetch(wrench + 8 * partner, WRITE);
    }
}

static uint32_t gather_near(uint32_t n, const uint16_t *list, const uint32_t *from_a,
                            const uint32_t *from_b, const double *ball, const double *twist,
                            const double *wrench, double range, uint32_t *near, uint32_t *a,
                            uint32_t *b, double *const *d, double *const *radius)
{
    const uint32_t found = near_listed(n, list, from_a, from_b, ball, range, near);
    gather_pairs(found, near, from_a, from_b, ball, a, b, d, radius);
    if (twist)
        call_lines(found, a, b, twist, wrench);
    return found;
}
#endif

static void call_near(uint32_t n, const uint16_t *list, const uint32_t *a, const uint32_t *b,
                      const double *ball)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t i = a[list[k]], j = b[list[k]];
        __builtin_prefetch(ball + 4 * (uint64_t)(i > j ? i : j));
    }
}

#endif
