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
 * 0: a signal has asked for the end; NULL: none can. `failed`: this rank only joins the others to
 * say why it fails; NULL: it does not. NULL without an error: the run has one rank. With an error
 * the ranks may be there: they have agreed to end. */
scree_ranks *scree_ranks_begin(const scree_scene *scene, const volatile int *stop,
                               const GError *failed, GError **error);
/** After a scene could not be loaded: if a launcher has started several processes, joins them to
 * say so. `error` is why; then it is why the lowest of the ranks fails. A rank that cannot join
 * prints its own reason and ends. */
scree_ranks *scree_ranks_report(const char *scene, const char *const *overrides,
                                scree_registry *registry, GError **error);
/** Between steps: gives all ranks the text of rank 0, a new string, even on failure. */
bool scree_ranks_send_text(const scree_ranks *ranks, const char *text, char **first,
                           GError **error);
/** Between steps: waits without a limit for all ranks. `own`: why this rank fails; NULL: it does
 * not. False: some rank fails; all get its reason. */
bool scree_ranks_vote(scree_ranks *ranks, const GError *own, GError **error);
/** After the set-up: all ranks get the reason of the one that has `failed`. Refuses a rank that
 * does not begin as rank 0 does; `text` has a line for each thing that must be equal. */
bool scree_ranks_compare(scree_ranks *ranks, const char *text, const GError *failed,
                         GError **error);
/** After a failure of this rank: the others stop with its error. A rank above 0 ends here. */
void scree_ranks_fail(scree_ranks *ranks, const GError *error);
/** Returns the call of a plugin that an error blames, as --break takes it, a new string; NULL:
 * none. If another rank has blamed it, takes the call out of the message. */
char *scree_ranks_take_where(GError *error);
/** After the last step: ends a rank above 0. */
void scree_ranks_leave(scree_ranks *ranks);
/** Waits for the processes that were forked, or kills them after a failure; frees all. */
void scree_ranks_end(scree_ranks *ranks);

#endif
