/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation on several ranks, each of which moves the bodies of its own blocks of rows and
 * computes their contacts. */
#ifndef CORE_RANKS_H
#define CORE_RANKS_H

#include "engine/rank_rows.h"

/** Before the first evaluation: each rank gets blocks, and does nothing that a clock decides. */
void scree_ranks_cut(scree_sim *sim, uint32_t threads);
/** Before an evaluation: decides whether this rank computes all contacts. */
void scree_ranks_prepare(const scree_evaluation *e);
/** After the contacts of its own blocks: takes wrenches, contacts and loads of walls of the other
 * blocks from their ranks. From then on all ranks have the same state. While ranks are apart, only
 * the deepest overlap is kept. */
bool scree_ranks_share(const scree_evaluation *e, GError **error);
/** Collective, when ranks that are apart meet: warns of the deepest overlap that one has kept. */
bool scree_ranks_report_deep(scree_sim *sim, GError **error);
/** Collective: takes bodies, contacts and sums of the other ranks, if they are apart. */
bool scree_ranks_whole(scree_sim *sim, GError **error);
/** Begins the sums of own rows: those of rank 0 go on, others begin with 0. */
void scree_ranks_begin_sums(const scree_ranks *r, scree_account *a, scree_counters *c);
/** Starts an exchange of messages and values, which stay until its end. */
bool scree_ranks_exchange_begin(const scree_ranks *ranks, const scree_exchange *all,
                                GError **error);
/** *done: its end would not wait. Only for a domain with test(). */
bool scree_ranks_exchange_test(const scree_ranks *ranks, bool *done, GError **error);
/** Waits for the end of the exchange that was started. */
bool scree_ranks_exchange_finish(const scree_ranks *ranks, GError **error);
/** Starts an exchange, and waits for its end. */
bool scree_ranks_reduce(const scree_ranks *ranks, const scree_exchange *all, GError **error);
/** Collective: gathers n[k] bytes of each rank k, in their order, on rank `root` or on all. */
bool scree_ranks_gather(const scree_ranks *ranks, uint32_t root, const void *own, const uint64_t *n,
                        void *all, GError **error);
/** Between steps: copies n bytes of rank 0 to all. */
bool scree_ranks_send(const scree_ranks *ranks, void *data, uint64_t n, GError **error);
/** Between steps: copies n bytes of a rank to all, and waits for it without a limit. */
bool scree_ranks_broadcast(const scree_ranks *ranks, uint32_t root, void *data, uint64_t n,
                           GError **error);
/** Between steps: gathers n bytes of each rank on rank 0, in their order. */
bool scree_ranks_collect(const scree_ranks *ranks, const void *own, uint64_t n, void *all,
                         GError **error);
/** Between steps: appends the rows of all other ranks to those of rank 0, in their order. */
bool scree_ranks_append(const scree_ranks *ranks, GArray *rows, GError **error);
/** Between steps: waits for all ranks. `why`: what this rank could not do; NULL: it could. False
 * with an error: only some ranks could; the error is the `why` of one that could not. */
bool scree_ranks_agree(const scree_ranks *ranks, const char *why, GError **error);
/** Names what several ranks do not serve. */
bool scree_ranks_check(const scree_sim *sim, GError **error);

#endif
