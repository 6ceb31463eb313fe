/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 and CRC-32C by instructions of x86. Compiled for them: called where the CPU has them. */
#include "base/digests_x86.h"

#include <immintrin.h>
#include <string.h>

/*
 * Sources: FIPS 180-4, section 6.2; S. Gulley et al., "Intel SHA extensions" (2013).
 * Idea: the eight words are kept as (a, b, e, f) and (c, d, g, h); an instruction makes two rounds,
 * two others the next four words of the message.
 */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/** The next four words of the message in place of the oldest four. */
static __m128i next_words(__m128i oldest, __m128i second, __m128i third, __m128i newest)
{
    const __m128i seventh = _mm_alignr_epi8(newest, third, 4);
    const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(oldest, second), seventh);
    return _mm_sha256msg2_epu32(sum, newest);
}

void scree_sha256_x86(uint32_t state[8], const uint8_t *blocks, size_t n)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(void *)state), 0xb1);
    const __m128i hgfe =
        _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(void *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0), m[4];
    for (; n; n--, blocks += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        for (int k = 0; k < 4; k++)
            m[k] = _mm_shuffle_epi8(
                _mm_loadu_si128((const __m128i *)(const void *)(blocks + 16 * k)), big_endian);
        for (int r = 0; r < 16; r++) {
            if (r >= 4)
                m[r % 4] = next_words(m[r % 4], m[(r + 1) % 4], m[(r + 2) % 4], m[(r + 3) % 4]);
            const __m128i four = _mm_add_epi32(
                m[r % 4], _mm_loadu_si128((const __m128i *)(const void *)(constants + 4 * r)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, four);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(four, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

uint32_t scree_crc32c_x86(uint32_t state, const uint8_t *bytes, size_t n)
{
    uint64_t wide = state, word;
    for (; n >= sizeof word; n -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        wide = _mm_crc32_u64(wide, word);
    }
    state = (uint32_t)wide;
    for (; n; n--, bytes++)
        state = _mm_crc32_u8(state, *bytes);
    return state;
}
