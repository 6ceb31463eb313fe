/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based random numbers: pure functions of their arguments, so that no order of calls
 * matters. */
#ifndef CORE_RANDOM_H
#define CORE_RANDOM_H

#include <stdint.h>

/** Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * SC11): ten rounds of two 32 x 32 -> 64 bit products over a counter, keyed. */
static inline void scree_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u; // golden ratio
        k1 += 0xBB67AE85u; // sqrt(3) - 1
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/** Spreads a 64-bit number over all its bits (finaliser of SplitMix64, Steele et al. 2014). */
static inline uint64_t scree_mix64(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/** 64 random bits. `scene`: the scene's seed; `stream`: a number of the user; `id` and `step`:
 * numbers of the draw. */
static inline uint64_t scree_random_bits(uint64_t scene, uint64_t stream, uint64_t id,
                                         uint64_t step)
{
    uint64_t k = scree_mix64(scree_mix64(scene) ^ stream);
    uint32_t key[2] = {(uint32_t)k, (uint32_t)(k >> 32)};
    uint32_t counter[4] = {(uint32_t)id, (uint32_t)(id >> 32), (uint32_t)step,
                           (uint32_t)(step >> 32)};
    uint32_t out[4];
    scree_philox(counter, key, out);
    return out[0] | (uint64_t)out[1] << 32;
}

/** A double in [0, 1) from the same numbers. */
static inline double scree_random_unit(uint64_t scene, uint64_t stream, uint64_t id, uint64_t step)
{
    return (double)(scree_random_bits(scene, stream, id, step) >> 11) * 0x1.0p-53;
}

#endif
