/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts that have opened: what they lost by that. */
#ifndef CORE_PARTED_H
#define CORE_PARTED_H

#include "engine/lane.h"

/** After all batches of a segment, of an accepted evaluation: what its ended contacts lost. */
bool scree_parted_account(const scree_evaluation *e, scree_list *list, scree_segment *s,
                          scree_lane *lane);

#endif
