/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a pair, which live while the tight boxes of the pair overlap. */
#ifndef CORE_PAIR_FIELDS_H
#define CORE_PAIR_FIELDS_H

#include "engine/lane.h"

void scree_pair_fields_keep(const scree_sim *sim, const scree_list *list, scree_segment *s,
                            uint32_t p0, uint32_t n);
/** Settles pair fields. False: a call failed, and the lane has the error. */
bool scree_pair_fields_settle(const scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t n,
                              scree_lane *lane);

#endif
