/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that are rounded only when they are read: their bits do not depend on the order of the
 * terms. */
#include "base/exact_sum.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/*
 * Sources: U. Kulisch, W. Miranker, "The arithmetic of the digital computer: a new approach", SIAM
 * Review 28 (1986) 1-40: an accumulator as wide as the range of the numbers.
 * Idea: digits of the accumulator have weights that differ by 2^32. A double has 53 bits, so it adds
 * to at most three digits. Each digit is stored in 64 bits: 2^31 terms can be added before a carry.
 */
enum { EXACT_BITS = 32, EXACT_MANTISSA = 52, EXACT_LOWEST = -1074, EXACT_MOST = 1 << 30 };
#define EXACT_DIGIT (INT64_C(1) << EXACT_BITS)

/** Carries until all of n digits but the last are from 0 to EXACT_DIGIT - 1; the last has the sign. */
static void carry_digits(int64_t *digit, int n)
{
    for (int k = 0; k + 1 < n; k++) {
        const int64_t rest = digit[k] & (EXACT_DIGIT - 1);
        digit[k + 1] += (digit[k] - rest) / EXACT_DIGIT;
        digit[k] = rest;
    }
}

void scree_exact_sum_carry(scree_exact_sum *sum)
{
    carry_digits(sum->digit, SCREE_EXACT_DIGITS);
    sum->since = 0;
}

bool scree_exact_sum_sound(const scree_exact_sum *sum)
{
    const int64_t last = sum->digit[SCREE_EXACT_DIGITS - 1];
    bool sound = last > -EXACT_DIGIT && last < EXACT_DIGIT;
    for (int k = 0; k + 1 < SCREE_EXACT_DIGITS; k++)
        sound = sound && sum->digit[k] >= 0 && sum->digit[k] < EXACT_DIGIT;
    return sound;
}

void scree_exact_sum_add(scree_exact_sum *sum, double term)
{
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    const uint32_t exponent = bits >> EXACT_MANTISSA & 0x7ff;
    const uint32_t normal = exponent > 0; // 0: it is subnormal, or 0
    if (exponent == 0x7ff) {
        sum->odd += term;
        return;
    }
    const uint64_t whole = (bits & ((UINT64_C(1) << EXACT_MANTISSA) - 1)) | (uint64_t)normal
                                                                                << EXACT_MANTISSA;
    const uint32_t place = exponent - normal, shift = place % EXACT_BITS;
    const uint64_t low = whole << shift, high = whole >> 1 >> (63 - shift);
    const int64_t minus = -(int64_t)(bits >> 63); // (v ^ minus) - minus is v or -v
    int64_t *digit = sum->digit + place / EXACT_BITS;
    digit[0] += ((int64_t)(low & (EXACT_DIGIT - 1)) ^ minus) - minus;
    digit[1] += ((int64_t)(low >> EXACT_BITS) ^ minus) - minus;
    digit[2] += ((int64_t)high ^ minus) - minus;
    if (++sum->since == EXACT_MOST)
        scree_exact_sum_carry(sum);
}

void scree_exact_sum_merge(scree_exact_sum *sum, const scree_exact_sum *other)
{
    scree_exact_sum from = *other;
    scree_exact_sum_carry(&from);
    scree_exact_sum_carry(sum);
    for (int k = 0; k < SCREE_EXACT_DIGITS; k++)
        sum->digit[k] += from.digit[k];
    sum->odd += from.odd;
    sum->since = 1;
}

/** Returns the value of n carried digits, n > 2, none negative, the lowest of 2^power. The two highest
 * ones and a part of the third give 64 bits; a last bit of 1 stands for all bits below. */
static double round_digits(const int64_t *digit, int n, int power)
{
    int top = n - 1;
    while (top > 1 && !digit[top])
        top--;
    if (digit[top] >= EXACT_DIGIT)
        return HUGE_VAL;
    uint64_t bits = (uint64_t)digit[top] << EXACT_BITS | (uint64_t)digit[top - 1];
    int shift = 0;
    uint64_t below = 0;
    if (top > 1) {
        shift = EXACT_BITS - 1 - g_bit_nth_msf((gulong)digit[top], -1);
        bits = bits << shift | (uint64_t)digit[top - 2] >> (EXACT_BITS - shift);
        below = (uint64_t)digit[top - 2] << (EXACT_BITS + shift);
    }
    for (int k = top - 3; k >= 0; k--)
        below |= (uint64_t)digit[k];
    return ldexp((double)(bits | (below != 0)), EXACT_BITS * (top - 1) + power - shift);
}

double scree_exact_sum_value(const scree_exact_sum *sum)
{
    int low = 0, high = SCREE_EXACT_DIGITS - 1;
    while (low < high && !sum->digit[low])
        low++;
    while (high > low && !sum->digit[high])
        high--;
    int64_t digit[SCREE_EXACT_DIGITS + 2] = {0}; // two more for carries
    const int n = high - low + 3;
    memcpy(digit, sum->digit + low, (size_t)(high - low + 1) * sizeof *digit);
    carry_digits(digit, n);
    const int64_t sign = digit[n - 1] < 0 ? -1 : 1;
    for (int k = 0; k < n; k++)
        digit[k] *= sign;
    carry_digits(digit, n);
    return sum->odd + (double)sign * round_digits(digit, n, EXACT_BITS * low + EXACT_LOWEST);
}

double scree_exact_sum_of(const double *v, uint64_t n, uint64_t stride)
{
    scree_exact_sum sum = {.odd = 0.0};
    for (uint64_t i = 0; i < n; i++)
        scree_exact_sum_add(&sum, v[i * stride]);
    return scree_exact_sum_value(&sum);
}

void scree_leaf_sums(const uint64_t *number, uint64_t n, uint32_t width, scree_leaf_fn leaf,
                     const void *user, double *sum)
{
    scree_exact_sum total[SCREE_SUM_WIDEST];
    memset(total, 0, width * sizeof *total);
    for (uint64_t begin = 0, end; begin < n; begin = end) {
        end = scree_leaf_end(number, n, begin);
        memset(sum, 0, width * sizeof *sum);
        leaf(user, begin, end, sum);
        for (uint32_t k = 0; k < width; k++)
            scree_exact_sum_add(&total[k], sum[k]);
    }
    for (uint32_t k = 0; k < width; k++)
        sum[k] = scree_exact_sum_value(&total[k]);
}

static void add_numbers(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const double *v = user;
    for (uint64_t i = begin; i < end; i++)
        *sum += v[i];
}

double scree_leaf_sum(const uint64_t *number, const double *v, uint64_t n)
{
    double sum;
    scree_leaf_sums(number, n, 1, add_numbers, v, &sum);
    return sum;
}
