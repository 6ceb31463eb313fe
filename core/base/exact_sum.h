/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that are rounded only when they are read: their bits do not depend on the order of the
 * terms. */
#ifndef CORE_EXACT_SUM_H
#define CORE_EXACT_SUM_H

#include <stdint.h>

/* Number of digits: 32 bits each from 2^-1074, the smallest double, to 2^1024, and one for
 * carries. */
enum { SCREE_EXACT_DIGITS = 67 };

/** A sum of fewer than 2^30 terms. All members 0: no terms. */
typedef struct scree_exact_sum {
    int64_t digit[SCREE_EXACT_DIGITS]; /* digit k counts 2^(32 k - 1074), and holds carries */
    double odd;                        /* sum of infinite terms and NaN */
} scree_exact_sum;

void scree_exact_sum_add(scree_exact_sum *sum, double term);
/** Adds the terms of another sum. */
void scree_exact_sum_merge(scree_exact_sum *sum, const scree_exact_sum *other);
/** The sum, rounded within one unit of the last place. */
double scree_exact_sum_value(const scree_exact_sum *sum);

#endif
