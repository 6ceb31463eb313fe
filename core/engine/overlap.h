/* SPDX-License-Identifier: Apache-2.0 */
/* An overlap of two bodies, and which of two is worse. */
#ifndef CORE_OVERLAP_H
#define CORE_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

/** Overlaps that a lane has seen in the first evaluation, later deep ones, and the worst of them.
 */
typedef struct scree_overlap {
    uint64_t n, id_a, id_b; /* id_a < id_b */
    double depth, share;    /* [m], [-] of the smaller radius */
} scree_overlap;

/** The order of overlaps does not depend on who finds them. */
static inline bool scree_overlap_beats(const scree_overlap *a, const scree_overlap *b)
{
    if (a->share > b->share || a->share < b->share)
        return a->share > b->share;
    return a->id_a != b->id_a ? a->id_a < b->id_a : a->id_b < b->id_b;
}

#endif
