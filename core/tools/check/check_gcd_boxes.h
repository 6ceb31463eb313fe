/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`. */
#ifndef CORE_CHECK_GCD_BOXES_H
#define CORE_CHECK_GCD_BOXES_H

#include "tools/check/check_gcd.h"

/** Room for n boxes; what was in it is lost when n changes. */
void scree_check_boxes_resize(scree_check_boxes *w, uint32_t n, uint32_t dimension);
/** More slots, the new ones empty; the others keep their boxes. */
void scree_check_boxes_grow(scree_check_boxes *w, uint32_t n);
void scree_check_boxes_clear(scree_check_boxes *w);
/** A box around x with half sides h; its sphere is that of a ball when all half sides are equal,
 * else around the corners. */
void scree_check_boxes_set(scree_check_boxes *w, uint32_t i, const double x[3], const double h[3]);
/** A box whose corners are any finite numbers, denormal ones and the largest among them; `small`:
 * hardly larger than a point. */
void scree_check_boxes_wild(scree_check_boxes *w, uint32_t i, bool small);
void scree_check_boxes_empty(scree_check_boxes *w, uint32_t i);
/** Inputs are to be left alone (true), or may be written again. */
void scree_check_boxes_protect(scree_check_boxes *w, bool read_only);
double scree_check_boxes_uniform(scree_check_boxes *w, double a, double b);
uint32_t scree_check_boxes_below(scree_check_boxes *w, uint32_t n);
/** n boxes anywhere in [0, 10]^3, half sides 0.3 to `ratio` times that. */
void scree_check_boxes_gas(scree_check_boxes *w, uint32_t n, uint32_t dimension, double ratio);

#endif
