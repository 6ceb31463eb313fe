/* SPDX-License-Identifier: MIT */
/* A draft (README.md): the surfaces that boxes hold, for GCDs. */
#ifndef SCREE_DRAFT_CONFORMAL_H
#define SCREE_DRAFT_CONFORMAL_H

#include "../gcd.h"

/** Service "draft.conformal/1": where in its box a surface is (the conformal-surface check of PFC's
 * cell space, figure 3). For GCDs, after an init with SCREE_GCD_CONFORMAL, about the boxes of the
 * last step_init. A known box stays known, and the same, until it is in the list of moved boxes. */
#define SCREE_DRAFT_CONFORMAL "draft.conformal/1"
typedef struct scree_conformal {
    uint32_t size;
    uint32_t reserved;
    void *ctx;
    /** [any] Returns 1 when box `slot` is known: it holds a surface at rest. 0 otherwise, also for
     * an empty slot. */
    int32_t (*knows)(void *ctx, uint32_t slot);
    /** [any] For a known box: returns 0 when its surface, grown by the margin of the box around it,
     * does not come within d >= 0 [m] of the closed box lo..hi [m], which may be infinite; else 1.
     * Near the border, by rounding, and at corners it returns 1. */
    int32_t (*comes_within)(void *ctx, uint32_t slot, const double lo[3], const double hi[3],
                            double d);
} scree_conformal;

#endif
