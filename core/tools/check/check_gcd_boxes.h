/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`. */
#ifndef CORE_CHECK_GCD_BOXES_H
#define CORE_CHECK_GCD_BOXES_H

#include "tools/check/check_gcd.h"

/** Makes room for n boxes; another n drops the contents. */
void scree_check_boxes_resize(scree_check_boxes *w, uint32_t n, uint32_t dimension);
/** Adds slots, which are empty; other boxes stay. */
void scree_check_boxes_grow(scree_check_boxes *w, uint32_t n);
void scree_check_boxes_clear(scree_check_boxes *w);
/** Sets a box around x with half sides h; equal half sides give the sphere of a ball, others that
 * of the corners. */
void scree_check_boxes_set(scree_check_boxes *w, uint32_t i, const double x[3], const double h[3]);
/** Sets a box with any finite corners, from denormal to the largest; `small`: hardly larger than a
 * point. */
void scree_check_boxes_wild(scree_check_boxes *w, uint32_t i, bool small);
void scree_check_boxes_empty(scree_check_boxes *w, uint32_t i);
/** Protects the inputs (true), or makes them writable again. */
void scree_check_boxes_protect(scree_check_boxes *w, bool read_only);
/** Sets n boxes in [0, 10]^3 with half sides from 0.3 to `ratio` times that. */
void scree_check_boxes_gas(scree_check_boxes *w, uint32_t n, uint32_t dimension, double ratio);

#endif
