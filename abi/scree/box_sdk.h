/* SPDX-License-Identifier: MIT */
/* Inline helpers for boxes: overlap of two boxes, and of a box with a zone (gcd_sdk.h has more).
 * Only for convenience, never part of the ABI. */
#ifndef SCREE_BOX_SDK_H
#define SCREE_BOX_SDK_H

#include "scree.h"

/** Closed overlap of two boxes: touching counts. Empty slots overlap nothing. */
static inline int scree_boxes_overlap(const scree_boxes *b, uint32_t i, uint32_t j)
{
    return (b->lo[0][i] <= b->hi[0][j]) & (b->lo[0][j] <= b->hi[0][i]) &
           (b->lo[1][i] <= b->hi[1][j]) & (b->lo[1][j] <= b->hi[1][i]) &
           (b->lo[2][i] <= b->hi[2][j]) & (b->lo[2][j] <= b->hi[2][i]);
}

/** 1 when slot i is empty. */
static inline int scree_box_empty(const scree_boxes *b, uint32_t i)
{
    return b->lo[0][i] > b->hi[0][i];
}

/** 1 when box i overlaps or touches the zone; an empty slot overlaps no zone. A cylinder is tested
 * as the box around it. The radius of a ball is enlarged by 1e-12 of itself, so that rounding never
 * misses a box that touches the ball. */
static inline int scree_zone_meets_box(const scree_zone *z, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0, reach = z->radius * (1.0 + 1e-12);
    const int near = (b->lo[0][i] <= b->hi[0][i]) & (b->lo[0][i] <= z->hi[0]) &
                     (z->lo[0] <= b->hi[0][i]) & (b->lo[1][i] <= z->hi[1]) &
                     (z->lo[1] <= b->hi[1][i]) & (b->lo[2][i] <= z->hi[2]) &
                     (z->lo[2] <= b->hi[2][i]);
    if (z->type != SCREE_ZONE_BALL)
        return near;
    for (int k = 0; k < 3; k++) {
        const double below = b->lo[k][i] - z->a[k], above = z->a[k] - b->hi[k][i];
        const double d = below > above ? below : above;
        d2 += d > 0.0 ? d * d : 0.0;
    }
    return near & (d2 <= reach * reach);
}

#endif
