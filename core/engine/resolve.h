/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a resolver, again with more room when a pair has more contacts than fit. */
#ifndef CORE_RESOLVE_H
#define CORE_RESOLVE_H

#include "engine/lane.h"
#include "engine/lists.h"

/** Calls the list's resolver, again with more room when a pair has more contacts than fit: the
 * arrays of the lane by contact are then others. False, and the lane has the error, when the call
 * fails. */
bool scree_resolve(const scree_evaluation *e, const scree_list *list, const scree_candidates *in,
                   scree_contacts *out, uint32_t *done, scree_lane *lane);

#endif
