/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs: boxes that a check may write, and the scenes that a broad phase gets
 * wrong. */
#ifndef CORE_CHECK_GCD_H
#define CORE_CHECK_GCD_H

#include "check.h"

/** Boxes in guarded arrays, and the view of them that a plugin gets. */
typedef struct scree_check_boxes {
    scree_boxes view;
    uint32_t n, dimension;
    bool allocated;
    double *lo[3], *hi[3], *centre[3], *radius;
    uint64_t random; /* state of the scene's random numbers */
} scree_check_boxes;

/** Room for n boxes; what was in it is lost when n changes. */
void scree_check_boxes_resize(scree_check_boxes *w, uint32_t n, uint32_t dimension);
void scree_check_boxes_clear(scree_check_boxes *w);
/** A box around x with half sides h; its sphere is that of a ball when all half sides are equal,
 * else around the corners. */
void scree_check_boxes_set(scree_check_boxes *w, uint32_t i, const double x[3], const double h[3]);
void scree_check_boxes_empty(scree_check_boxes *w, uint32_t i);
/** Inputs are to be left alone (true), or may be written again. */
void scree_check_boxes_protect(scree_check_boxes *w, bool read_only);
double scree_check_boxes_uniform(scree_check_boxes *w, double a, double b);
uint32_t scree_check_boxes_below(scree_check_boxes *w, uint32_t n);
/** n boxes anywhere in [0, 10]^3, half sides 0.3 to `ratio` times that. */
void scree_check_boxes_gas(scree_check_boxes *w, uint32_t n, uint32_t dimension, double ratio);

/** One hard case of boxes: `fill` sets those of step `step`, on top of those of the step before. */
typedef struct scree_check_scene {
    const char *name;
    void (*fill)(scree_check_boxes *w, uint32_t dimension, uint32_t step);
    uint32_t steps;
} scree_check_scene;
/** Ended by one without a name. */
extern const scree_check_scene scree_check_scenes[];

#endif
