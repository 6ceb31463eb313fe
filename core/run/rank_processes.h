/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run on several ranks: rank 0 runs it, the others take the same steps. */
#ifndef CORE_RANK_PROCESSES_H
#define CORE_RANK_PROCESSES_H

#include "engine/ranks.h"

/** Before the first step: forks the ranks of the scene's domain, if it has one. Names what a run on
 * several ranks does not serve. */
bool scree_ranks_begin(scree_sim *sim, GError **error);
/** Takes a step, on all ranks. */
bool scree_ranks_step(scree_sim *sim, GError **error);
/** Ends the other ranks. */
void scree_ranks_end(scree_sim *sim);

#endif
