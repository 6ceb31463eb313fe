/* SPDX-License-Identifier: Apache-2.0 */
/* Part of kernels.c where the compiler may use AVX2: the twin of gather_near. */
#ifndef CORE_KERNELS_NEAR_AVX2_H
#define CORE_KERNELS_NEAR_AVX2_H

#include "engine/kernels_avx2.h"

/** Prefetches as call_lines, also for up to three contacts more, which may be of any bodies. */
static inline __attribute__((always_inline)) void call_by_four(uint32_t n, const uint32_t *a,
                                                               const uint32_t *b,
                                                               const double *twist,
                                                               const double *wrench)
{
    enum { WRITE = 1 };
    for (uint32_t c = 0; c < n; c += 4) {
        const __m128i body = _mm_max_epu32(_mm_loadu_si128((const __m128i *)(const void *)(a + c)),
                                           _mm_loadu_si128((const __m128i *)(const void *)(b + c)));
        const uint64_t two[2] = {(uint64_t)_mm_cvtsi128_si64(body),
                                 (uint64_t)_mm_extract_epi64(body, 1)};
        for (int k = 0; k < 2; k++) {
            const uint64_t low = 8 * (two[k] & UINT32_MAX), high = 8 * (two[k] >> 32);
            __builtin_prefetch(twist + low);
            __builtin_prefetch(twist + high);
            __builtin_prefetch(wrench + low, WRITE);
            __builtin_prefetch(wrench + high, WRITE);
        }
    }
}

static uint32_t near_listed_avx2(uint32_t n, const uint16_t *list, const uint32_t *a,
                                 const uint32_t *b, const double *ball, double range,
                                 uint32_t *near)
{
    uint64_t found;
    const uint32_t k = near_by_four(0, 1, list, n, 0, a, b, ball, range, near, &found);
    return (uint32_t)found + near_listed(n - k, list + k, a, b, ball, range, near + found);
}

static void gather_pairs_avx2(uint32_t n, const uint32_t *near, const uint32_t *from_a,
                              const uint32_t *from_b, const double *ball, uint32_t *a, uint32_t *b,
                              double *const *d, double *const *radius)
{
    double *const to[3] = {d[0], d[1], d[2]}, *const ra = radius[0], *const rb = radius[1];
    if (n < 4) {
        gather_pairs(n, near, from_a, from_b, ball, a, b, d, radius);
        return;
    }
    for (uint32_t c = 0; c < n; c = next_four(c, n)) {
        const uint64_t at = c, of[4] = {near[at], near[at + 1], near[at + 2], near[at + 3]};
        const uint32_t i[4] = {from_a[of[0]], from_a[of[1]], from_a[of[2]], from_a[of[3]]};
        const uint32_t j[4] = {from_b[of[0]], from_b[of[1]], from_b[of[2]], from_b[of[3]]};
        memcpy(a + at, i, sizeof i);
        memcpy(b + at, j, sizeof j);
        candidate_four(c, i, j, ball, to, ra, rb);
    }
}

static uint32_t gather_near_avx2(uint32_t n, const uint16_t *list, const uint32_t *from_a,
                                 const uint32_t *from_b, const double *ball, const double *twist,
                                 const double *wrench, double range, uint32_t *near, uint32_t *a,
                                 uint32_t *b, double *const *d, double *const *radius)
{
    const uint32_t found = near_listed_avx2(n, list, from_a, from_b, ball, range, near);
    gather_pairs_avx2(found, near, from_a, from_b, ball, a, b, d, radius);
    if (twist)
        call_by_four(found, a, b, twist, wrench);
    return found;
}

#endif
