/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that are rounded only when they are read: their bits do not depend on the order of the
 * terms. */
#ifndef CORE_EXACT_SUM_H
#define CORE_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* Number of digits: 32 bits each from 2^-1074, the smallest double, to 2^1024, and one for
 * carries. */
enum { SCREE_EXACT_DIGITS = 67 };

/** A sum of any number of terms. All members 0: no terms. */
typedef struct scree_exact_sum {
    int64_t digit[SCREE_EXACT_DIGITS]; /* digit k counts 2^(32 k - 1074), and holds carries */
    double odd;                        /* sum of infinite terms and NaN */
    uint32_t since;                    /* number of terms since the last carry */
} scree_exact_sum;

void scree_exact_sum_add(scree_exact_sum *sum, double term);
/** Adds the terms of another sum. */
void scree_exact_sum_merge(scree_exact_sum *sum, const scree_exact_sum *other);
/** Carries: equal sums then have equal digits. Digits are below 2^32, and only the last may be
 * negative. */
void scree_exact_sum_carry(scree_exact_sum *sum);
/** Returns whether a sum that was read has such digits. */
bool scree_exact_sum_sound(const scree_exact_sum *sum);
/** Returns the double next to the sum; of two, the even one. */
double scree_exact_sum_value(const scree_exact_sum *sum);

/** Returns the sum of n numbers, each `stride` after the previous one, in any order. */
double scree_exact_sum_of(const double *v, uint64_t n, uint64_t stride);

/* Sums over bodies: the bodies of a leaf are summed as doubles, and the leaves are summed exactly.
 * No thread and no order of the leaves changes a bit. A body's leaf is in the upper half of its
 * number, and numbers ascend. */
enum { SCREE_LEAF_BITS = 6, SCREE_SUM_LEAF = 1 << SCREE_LEAF_BITS, SCREE_SUM_WIDEST = 24 };

/** Returns the end of the leaf of body i < n. */
static inline uint64_t scree_leaf_end(const uint64_t *number, uint64_t n, uint64_t i)
{
    const uint64_t leaf = number[i] >> 32;
    uint64_t end = i + SCREE_SUM_LEAF < n ? i + SCREE_SUM_LEAF : n; // few leaves have another size
    while (end < n && number[end] >> 32 == leaf)
        end++;
    while (number[end - 1] >> 32 != leaf)
        end--;
    return end;
}

/** Adds the sums over bodies [begin, end), at most one leaf, to sum[width], which are 0. */
typedef void (*scree_leaf_fn)(const void *user, uint64_t begin, uint64_t end, double *sum);
/** Fills sum[width], SCREE_SUM_WIDEST at most, with the sums of `width` functions of n bodies. */
void scree_leaf_sums(const uint64_t *number, uint64_t n, uint32_t width, scree_leaf_fn leaf,
                     const void *user, double *sum);
/** Returns the sum of v[n], one value per body. */
double scree_leaf_sum(const uint64_t *number, const double *v, uint64_t n);

#endif
