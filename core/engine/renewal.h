/* SPDX-License-Identifier: Apache-2.0 */
/* extent.renew = "auto": all extents or only those that were left, whichever takes less time; no
 * result depends on it (determinism.md, S8). */
#ifndef CORE_RENEWAL_H
#define CORE_RENEWAL_H

#include "engine/box_set.h"
#include "engine/lane_tuner.h"
#include "engine/world.h"

typedef struct scree_renewal {
    bool on;
    bool few;                 /* few extents are used up when one has been left */
    scree_lane_tuner tuner;   /* one lane stands for all extents, two for those that were left */
    uint64_t ticks, steps;    /* of the current period */
    uint64_t since, interval; /* steps since all extents were renewed; usual number of them */
} scree_renewal;

void scree_renewal_init(scree_renewal *renewal);
/** Looks at the extents, before all of them are renewed. */
void scree_renewal_look(scree_renewal *renewal, const scree_world *world,
                        const scree_box_set *boxes);
/** Notes the time of a step. Returns whether only extents that were left are to be renewed. */
bool scree_renewal_note(scree_renewal *renewal, uint64_t ticks);

#endif
