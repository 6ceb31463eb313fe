/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of some bodies at each refresh, against the surface that their shape shows. */
#ifndef CORE_BOX_SAMPLE_H
#define CORE_BOX_SAMPLE_H

#include "engine/state.h"
#include "engine/tight_boxes.h"

enum { SCREE_BOX_POINTS = 6 };

/** Points of the surface of the body that is looked at, and what its boxes hold of them. */
typedef struct scree_box_sample {
    double point[SCREE_BOX_POINTS][3]; /* [m] in the world */
    uint32_t n;                        /* 0: nothing is looked at */
    uint32_t held;                     /* bit p: the box and the ball of some part hold point p */
    uint32_t facet;                    /* of a wall: the part whose corners they are */
    double lo[3], hi[3];               /* [m] around all boxes so far */
} scree_box_sample;

/** Takes the box of a part of a body, parts in their order. False, with blame of the shape, after the last part of
 * a body that is looked at, when its boxes and balls do not hold a point of its surface. */
bool scree_box_sample_take(scree_box_sample *sample, const scree_sim *sim, uint32_t body,
                           uint32_t part, const scree_tight *tight, GError **error);

#endif
