/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that are rounded only when they are read: their bits do not depend on the order of the
 * terms. */
#include "base/exact_sum.h"

#include <math.h>
#include <string.h>

/*
 * Sources: U. Kulisch, W. Miranker, "The arithmetic of the digital computer: a new approach", SIAM
 * Review 28 (1986) 1-40: an accumulator as wide as the range of the numbers.
 * Idea: digits of the accumulator have weights that differ by 2^32. A double has 53 bits, so it adds
 * to at most three digits. Each digit is stored in 64 bits: 2^31 terms can be added before a carry.
 */
enum { EXACT_BITS = 32, EXACT_MANTISSA = 52, EXACT_LOWEST = -1074 };
#define EXACT_DIGIT (INT64_C(1) << EXACT_BITS)

void scree_exact_sum_add(scree_exact_sum *sum, double term)
{
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    uint32_t exponent = bits >> EXACT_MANTISSA & 0x7ff;
    uint64_t whole = bits & ((UINT64_C(1) << EXACT_MANTISSA) - 1);
    if (exponent == 0x7ff) {
        sum->odd += term;
        return;
    }
    if (exponent) { // otherwise it is subnormal, or 0
        whole |= UINT64_C(1) << EXACT_MANTISSA;
        exponent--;
    }
    const uint32_t shift = exponent % EXACT_BITS;
    const uint64_t low = whole << shift, high = shift ? whole >> (64 - shift) : 0;
    const int64_t sign = bits >> 63 ? -1 : 1;
    int64_t *digit = sum->digit + exponent / EXACT_BITS;
    digit[0] += sign * (int64_t)(low & (EXACT_DIGIT - 1));
    digit[1] += sign * (int64_t)(low >> EXACT_BITS);
    digit[2] += sign * (int64_t)high;
}

/** Carries until all digits but the last are from 0 to EXACT_DIGIT - 1; the last has the sign. */
static void carry_digits(int64_t digit[SCREE_EXACT_DIGITS])
{
    for (int k = 0; k + 1 < SCREE_EXACT_DIGITS; k++) {
        const int64_t rest = digit[k] & (EXACT_DIGIT - 1);
        digit[k + 1] += (digit[k] - rest) / EXACT_DIGIT;
        digit[k] = rest;
    }
}

void scree_exact_sum_merge(scree_exact_sum *sum, const scree_exact_sum *other)
{
    for (int k = 0; k < SCREE_EXACT_DIGITS; k++)
        sum->digit[k] += other->digit[k];
    sum->odd += other->odd;
    carry_digits(sum->digit);
}

double scree_exact_sum_value(const scree_exact_sum *sum)
{
    scree_exact_sum s = *sum;
    double value = 0.0;
    carry_digits(s.digit);
    const int64_t sign = s.digit[SCREE_EXACT_DIGITS - 1] < 0 ? -1 : 1;
    for (int k = 0; k < SCREE_EXACT_DIGITS; k++)
        s.digit[k] *= sign;
    carry_digits(s.digit);
    for (int k = 0; k < SCREE_EXACT_DIGITS; k++)
        value += ldexp((double)s.digit[k], EXACT_BITS * k + EXACT_LOWEST);
    return s.odd + (sign < 0 ? -value : value);
}
