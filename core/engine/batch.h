/* SPDX-License-Identifier: Apache-2.0 */
/* The batches of a segment. */
#ifndef CORE_BATCH_H
#define CORE_BATCH_H

#include "engine/lane.h"

/** Begins a segment: processes batches and stores a load per contact, until enough(user), which is
 * asked before each batch. */
bool scree_segment_begin(const scree_evaluation *e, scree_list *list, scree_segment *s,
                         bool (*enough)(void *user), void *user, scree_lane *lane);
/** Processes all batches of a segment, or the others if it was begun. `local`: forces are added to
 * the bodies' wrenches at once; otherwise a load per contact is stored. */
bool scree_segment_process(const scree_evaluation *e, scree_list *list, scree_segment *s,
                           bool local, scree_lane *lane);

#endif
