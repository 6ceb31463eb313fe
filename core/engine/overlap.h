/* SPDX-License-Identifier: Apache-2.0 */
/* An overlap of two bodies, and the order of overlaps. */
#ifndef CORE_OVERLAP_H
#define CORE_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/abi.h"

/** Number of overlaps that a lane found in the first evaluation, later only deep ones, and the
 * worst one. */
typedef struct scree_overlap {
    uint64_t n, id_a, id_b; /* id_a < id_b */
    double depth, share;    /* [m], [-] relative to the smaller size (scree_shape_size) */
    uint32_t flags;         /* of the smaller body's shape: SCREE_CAP_ROUND, BALLS, 0: a solid */
} scree_overlap;

/** Returns the size by `flags`: "the smaller radius". */
static inline const char *scree_overlap_of(uint32_t flags)
{
    return flags & SCREE_CAP_ROUND   ? "the smaller radius"
           : flags & SCREE_CAP_BALLS ? "the radius of the smaller ball"
                                     : "half the thickness of the thinner body";
}

/** Returns whether an overlap is worse; the order does not depend on the lane. */
static inline bool scree_overlap_beats(const scree_overlap *a, const scree_overlap *b)
{
    if (a->share > b->share || a->share < b->share)
        return a->share > b->share;
    return a->id_a != b->id_a ? a->id_a < b->id_a : a->id_b < b->id_b;
}

/** Returns the worst overlap of `n_lanes` lanes, and their number on all; NULL: none. */
static inline const scree_overlap *scree_overlap_worst(const scree_overlap *of_lane,
                                                       uint32_t n_lanes, uint64_t *n)
{
    const scree_overlap *worst = NULL;
    *n = 0;
    for (uint32_t k = 0; k < n_lanes; k++) {
        *n += of_lane[k].n;
        if (of_lane[k].n && (!worst || scree_overlap_beats(&of_lane[k], worst)))
            worst = &of_lane[k];
    }
    return worst;
}

#endif
