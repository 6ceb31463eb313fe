/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own threads: chunks of a range on all lanes, with edges that depend only on the
 * range. */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include <stdint.h>

#include "scree/host.h"

typedef struct scree_pool scree_pool;

/** Each thread of the pools that are made from now on calls `begin` first. NULL: nothing. */
void scree_pool_on_thread(void (*begin)(void));

/** `lanes` threads, the caller's included; threads are made here, none later. */
scree_pool *scree_pool_new(uint32_t lanes);
void scree_pool_free(scree_pool *pool);
uint32_t scree_pool_lanes(const scree_pool *pool);
/** Lanes that have a CPU of their own: not more than the CPUs that the process may use. */
uint32_t scree_pool_usable(const scree_pool *pool);
/** From now on loops ask so many lanes, the caller's included, 1 to all of them (at first: all).
 * Between loops only. */
void scree_pool_use(scree_pool *pool, uint32_t lanes);
uint32_t scree_pool_used(const scree_pool *pool);

/** Calls fn for consecutive chunks of [begin, end) of `grain`; blocks until all chunks are done,
 * whether all lanes have come or not. Called from inside a chunk, or in a child after fork, it runs
 * inline, on the caller's lane. Returns the code of the lowest failing chunk. */
int32_t scree_pool_for(scree_pool *pool, uint64_t begin, uint64_t end, uint64_t grain,
                       scree_range_fn fn, void *user);
/** The lane of the calling thread, 0 outside a parallel_for. */
uint32_t scree_pool_lane(void);

/** [ticks] How long the caller has waited at the ends of loops until the others were done. */
uint64_t scree_pool_waited(const scree_pool *pool);
/** [ticks] A clock of the caller that shows the time of all lanes: it stands still while the caller
 * waits for others or wakes them, and has gone on by what they worked when a loop is over. Between
 * loops only. */
uint64_t scree_pool_work(const scree_pool *pool);
/** The same, with `now` from scree_ticks. */
uint64_t scree_pool_work_at(const scree_pool *pool, uint64_t now);

#endif
