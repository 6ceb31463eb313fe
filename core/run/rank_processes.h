/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run on several ranks: each of them is the run, and rank 0 writes. */
#ifndef CORE_RANK_PROCESSES_H
#define CORE_RANK_PROCESSES_H

#include "engine/ranks.h"
#include "scene/scene.h"

/** A setting that takes one rank, whatever domain the scene has. */
#define SCREE_ONE_RANK "'domain={plugin=\"processes\"; ranks=1;}'"

/** Before the set-up: makes the domain of a scene, and makes this process one of its ranks. Forks
 * the others, unless a launcher has started them. From then on ranks above 0 are silent. `stop` not
 * 0: a signal has asked for the end; NULL: none can. NULL without an error: the run has one rank. */
scree_ranks *scree_ranks_begin(const scree_scene *scene, const volatile int *stop, GError **error);
/** After the set-up: refuses a rank that does not begin as rank 0 does. `text` has a line for each
 * thing that must be equal. */
bool scree_ranks_compare(scree_ranks *ranks, const char *text, GError **error);
/** After a failure of this rank: the others stop with its error. A rank above 0 ends here. */
void scree_ranks_fail(scree_ranks *ranks, const GError *error);
/** After the last step: ends a rank above 0. */
void scree_ranks_leave(scree_ranks *ranks);
/** Waits for the processes that were forked, or kills them after a failure; frees all. */
void scree_ranks_end(scree_ranks *ranks);

#endif
