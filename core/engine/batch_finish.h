/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts of a batch: checks, history, laws, tables, sums. */
#ifndef CORE_BATCH_FINISH_H
#define CORE_BATCH_FINISH_H

#include "engine/lane.h"

/** Checks the resolver's output for the candidates before `done`. False, with the error in the
 * lane: it is wrong. */
bool scree_batch_check(const scree_sim *sim, const scree_list *list, scree_segment *s,
                       const scree_candidates *in, const scree_contacts *contacts, uint32_t done,
                       scree_lane *lane);
/** Runs laws, tables and sums for the n contacts in the lane, of pairs [base, end). `local`: adds
 * to the bodies' wrenches at once. *cursor: the first committed contact of these pairs; afterwards,
 * of those from `end` on. */
bool scree_batch_finish(const scree_evaluation *e, scree_list *list, scree_segment *s,
                        uint32_t base, uint32_t end, uint32_t n, bool local, uint64_t *cursor,
                        scree_lane *lane);

#endif
