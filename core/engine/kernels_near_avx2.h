/* SPDX-License-Identifier: Apache-2.0 */
/* Part of kernels.c where the compiler may use AVX2: the twin of gather_near. */
#ifndef CORE_KERNELS_NEAR_AVX2_H
#define CORE_KERNELS_NEAR_AVX2_H

#include "engine/kernels_avx2.h"

/** Prefetches twists and wrenches of the higher bodies of n contacts, and of up to three more, which
 * may be of any number. */
static inline __attribute__((always_inline)) void call_lines(uint32_t n, const uint32_t *a,
                                                             const uint32_t *b, const double *twist,
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

/** Stores the reals of v whose halves have the places `halves`. */
static inline void put_reals(double *to, __m256d v, __m256i halves)
{
    _mm256_storeu_pd(to, _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(v), halves)));
}

/** Stores the numbers of v that have these places. */
static inline void put_numbers(uint32_t *to, __m128i v, __m128i places)
{
    const __m128 packed = _mm_permutevar_ps(_mm_castsi128_ps(v), places);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_castps_si128(packed));
}

static inline __m128i four_numbers(const uint32_t n[4])
{
    return _mm_setr_epi32((int)n[0], (int)n[1], (int)n[2], (int)n[3]);
}

static uint32_t gather_near_avx2(uint32_t n, const uint16_t *list, const uint32_t *from_a,
                                 const uint32_t *from_b, const double *ball, const double *twist,
                                 const double *wrench, double range, uint32_t *near, uint32_t *a,
                                 uint32_t *b, double *const *d, double *const *radius)
{
    // places of near pairs among four, and of the halves of their reals
    static const _Alignas(16) uint32_t packed[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
        {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
        {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    static const _Alignas(32) uint32_t packed_halves[16][8] = {
        {0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 0, 1, 0, 1, 0, 1},
        {0, 1, 2, 3, 0, 1, 0, 1}, {4, 5, 0, 1, 0, 1, 0, 1}, {0, 1, 4, 5, 0, 1, 0, 1},
        {2, 3, 4, 5, 0, 1, 0, 1}, {0, 1, 2, 3, 4, 5, 0, 1}, {6, 7, 0, 1, 0, 1, 0, 1},
        {0, 1, 6, 7, 0, 1, 0, 1}, {2, 3, 6, 7, 0, 1, 0, 1}, {0, 1, 2, 3, 6, 7, 0, 1},
        {4, 5, 6, 7, 0, 1, 0, 1}, {0, 1, 4, 5, 6, 7, 0, 1}, {2, 3, 4, 5, 6, 7, 0, 1},
        {0, 1, 2, 3, 4, 5, 6, 7}};
    double *const dx = d[0], *const dy = d[1], *const dz = d[2];
    double *const ra = radius[0], *const rb = radius[1];
    const __m256d wide = _mm256_set1_pd(range), rounding = _mm256_set1_pd(ROUNDING);
    uint64_t at = 0;
    uint32_t k = 0;
    for (; k + 4 <= n; k += 4) {
        uint32_t i[4], j[4];
        __m256d v[4], to[4];
        for (uint32_t c = 0; c < 4; c++) {
            i[c] = from_a[list[k + c]];
            j[c] = from_b[list[k + c]];
            const __m256d from = _mm256_load_pd(ball + 4 * (uint64_t)i[c]);
            to[c] = _mm256_load_pd(ball + 4 * (uint64_t)j[c]);
            // place 3 has the radius of a
            v[c] = _mm256_blend_pd(_mm256_sub_pd(to[c], from), from, 8);
        }
        transpose(v);
        const __m256d r = _mm256_permute2f128_pd(_mm256_unpackhi_pd(to[0], to[1]),
                                                 _mm256_unpackhi_pd(to[2], to[3]), 0x31);
        const __m256d reach = _mm256_add_pd(_mm256_add_pd(r, v[3]), wide);
        const __m256d xy = _mm256_add_pd(_mm256_mul_pd(v[0], v[0]), _mm256_mul_pd(v[1], v[1]));
        const __m256d apart = _mm256_add_pd(xy, _mm256_mul_pd(v[2], v[2]));
        const __m256d most = _mm256_mul_pd(_mm256_mul_pd(reach, reach), rounding);
        const int is_near = _mm256_movemask_pd(_mm256_cmp_pd(apart, most, _CMP_NGT_UQ));
        const __m128i places = _mm_load_si128((const __m128i *)(const void *)packed[is_near]);
        const __m256i halves =
            _mm256_load_si256((const __m256i *)(const void *)packed_halves[is_near]);
        const __m128i four =
            _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(list + k)));
        put_numbers(near + at, four, places);
        put_numbers(a + at, four_numbers(i), places);
        put_numbers(b + at, four_numbers(j), places);
        put_reals(dx + at, v[0], halves);
        put_reals(dy + at, v[1], halves);
        put_reals(dz + at, v[2], halves);
        put_reals(ra + at, v[3], halves);
        put_reals(rb + at, r, halves);
        at += (uint64_t)__builtin_popcount((unsigned)is_near);
    }
    double *const rest_d[3] = {dx + at, dy + at, dz + at}, *const rest[2] = {ra + at, rb + at};
    at += gather_near(n - k, list + k, from_a, from_b, ball, NULL, NULL, range, near + at, a + at,
                      b + at, rest_d, rest);
    if (twist)
        call_lines((uint32_t)at, a, b, twist, wrench);
    return (uint32_t)at;
}

#endif
