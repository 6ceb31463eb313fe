/* SPDX-License-Identifier: MIT */
/* Inline helpers for boxes: overlaps of two, and of one with a region (gcd_sdk.h has more). Only for
 * convenience, never part of the ABI. */
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

/** 1 when box i overlaps the region, both closed; an empty slot overlaps none. A ball is taken
 * larger by a few roundings, so that a box that touches it is never missed. */
static inline int scree_region_overlaps(const scree_region *r, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0, reach = r->radius * (1.0 + 1e-12);
    const int there = b->lo[0][i] <= b->hi[0][i];
    if (r->type != SCREE_REGION_BALL)
        return there & (b->lo[0][i] <= r->hi[0]) & (r->lo[0] <= b->hi[0][i]) &
               (b->lo[1][i] <= r->hi[1]) & (r->lo[1] <= b->hi[1][i]) & (b->lo[2][i] <= r->hi[2]) &
               (r->lo[2] <= b->hi[2][i]);
    for (int k = 0; k < 3; k++) {
        const double below = b->lo[k][i] - r->centre[k], above = r->centre[k] - b->hi[k][i];
        const double d = below > above ? below : above;
        d2 += d > 0.0 ? d * d : 0.0;
    }
    return there & (d2 <= reach * reach);
}

#endif
