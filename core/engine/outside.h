/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies outside of a boundary that is neither open nor periodic. */
#ifndef CORE_OUTSIDE_H
#define CORE_OUTSIDE_H

#include "engine/state.h"

/** Returns whether all boundaries are open. */
bool scree_boundary_open(const scree_sim *sim);
/** Returns whether some boundary is neither open nor periodic. */
bool scree_boundary_closed(const scree_sim *sim);
/** Returns whether one of the free bodies [first, end) is outside of such a boundary. */
bool scree_boundary_met(const scree_sim *sim, uint32_t first, uint32_t end);

#endif
