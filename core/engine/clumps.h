/* SPDX-License-Identifier: Apache-2.0 */
/* The batches of a segment with clumps on one side or both. */
#ifndef CORE_CLUMPS_H
#define CORE_CLUMPS_H

#include "engine/lane.h"

/** Processes all pairs of a segment of a list with clumps; `local` as in scree_batch_finish. */
bool scree_clumps_process(const scree_evaluation *e, scree_list *list, scree_segment *s, bool local,
                          scree_lane *lane);

#endif
