/* SPDX-License-Identifier: Apache-2.0 */
/* Part of kernels.c: pairs that are listed because they may touch soon (near.c). */
#ifndef CORE_KERNELS_NEAR_H
#define CORE_KERNELS_NEAR_H

#include <stdint.h>

static uint32_t gather_near(uint32_t n, const uint16_t *list, const uint32_t *from_a,
                            const uint32_t *from_b, const double *ball, const double *twist,
                            const double *wrench, double range, uint32_t *near, uint32_t *a,
                            uint32_t *b, double *const *d, double *const *radius)
{
    enum { WRITE = 1 };
    uint32_t found = 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t p = list[k], i = from_a[p], j = from_b[p], partner = i > j ? i : j;
        const double *of_i = ball + 4 * (uint64_t)i, *of_j = ball + 4 * (uint64_t)j;
        const double x = of_j[0] - of_i[0], y = of_j[1] - of_i[1], z = of_j[2] - of_i[2];
        const double reach = of_j[3] + of_i[3] + range;
        if (twist) {
            __builtin_prefetch(twist + 8 * (uint64_t)partner);
            __builtin_prefetch(wrench + 8 * (uint64_t)partner, WRITE);
        }
        near[found] = p;
        a[found] = i;
        b[found] = j;
        d[0][found] = x;
        d[1][found] = y;
        d[2][found] = z;
        radius[0][found] = of_i[3];
        radius[1][found] = of_j[3];
        found += !(x * x + y * y + z * z > reach * reach * ROUNDING);
    }
    return found;
}

static void call_near(uint32_t n, const uint16_t *list, const uint32_t *a, const uint32_t *b,
                      const double *ball)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t i = a[list[k]], j = b[list[k]];
        __builtin_prefetch(ball + 4 * (uint64_t)(i > j ? i : j));
    }
}

#endif
