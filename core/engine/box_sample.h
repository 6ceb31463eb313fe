/* SPDX-License-Identifier: Apache-2.0 */
/* Compares boxes of some bodies at each refresh with the surface of their shape. */
#ifndef CORE_BOX_SAMPLE_H
#define CORE_BOX_SAMPLE_H

#include "engine/state.h"
#include "engine/tight_boxes.h"

enum { SCREE_BOX_POINTS = 6 };

/** Surface points of the sampled body, and the ones that its boxes hold. */
typedef struct scree_box_sample {
    double point[SCREE_BOX_POINTS][3]; /* [m] in the world */
    uint32_t n;                        /* 0: no body is sampled */
    uint32_t held;                     /* bit p: the box and the ball of a part hold point p */
    uint32_t facet;                    /* the part of a wall that has these corners */
    double lo[3], hi[3];               /* [m] box around all boxes so far */
} scree_box_sample;

/** Takes the box of a body's part; parts come in order. False, with blame of the shape, after the
 * last part of a sampled body: its boxes and balls do not hold a point of its surface. */
bool scree_box_sample_take(scree_box_sample *sample, const scree_sim *sim, uint32_t body,
                           uint32_t part, const scree_tight *tight, GError **error);

#endif
