/* SPDX-License-Identifier: Apache-2.0 */
/* A call of a resolver, with more room if a pair has too many contacts. */
#ifndef CORE_RESOLVE_H
#define CORE_RESOLVE_H

#include "engine/lane.h"
#include "engine/lists.h"

/** Makes room for n contacts in the lane, whose values stay. */
void scree_resolve_grow(const scree_evaluation *e, uint32_t n, scree_lane *lane);
/** Calls the list's resolver, which writes contacts of the lane from `at` on. If a pair has more
 * contacts than fit, the call is repeated, and the lane's arrays by contact have moved. False, with
 * the error in the lane: the call failed. */
bool scree_resolve(const scree_evaluation *e, const scree_list *list, const scree_candidates *in,
                   uint32_t at, scree_contacts *out, uint32_t *done, scree_lane *lane);

#endif
