/* SPDX-License-Identifier: Apache-2.0 */
/* Energy that contacts lose as they open. */
#ifndef CORE_CONTACT_ENDS_H
#define CORE_CONTACT_ENDS_H

#include "engine/lane.h"

/** Books the losses of ended contacts after all batches of a segment, in an accepted evaluation. */
bool scree_parted_account(const scree_evaluation *e, scree_list *list, scree_segment *s,
                          scree_lane *lane);

#endif
