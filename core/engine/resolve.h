/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a resolver, again with more room when a pair has more contacts than fit. */
#ifndef CORE_RESOLVE_H
#define CORE_RESOLVE_H

#include "engine/lane.h"
#include "engine/lists.h"

/** Makes room for n contacts in the lane; what it holds stays. */
void scree_resolve_grow(const scree_evaluation *e, uint32_t n, scree_lane *lane);
/** Calls the list's resolver, which writes from contact number `at` of the lane on; again with more
 * room when a pair has more contacts than fit: the arrays of the lane by contact are then others.
 * False, and the lane has the error, when the call fails. */
bool scree_resolve(const scree_evaluation *e, const scree_list *list, const scree_candidates *in,
                   uint32_t at, scree_contacts *out, uint32_t *done, scree_lane *lane);

#endif
