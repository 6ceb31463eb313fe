/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own threads: all lanes run chunks of a range, whose bounds depend only on the
 * range. */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include <stdint.h>

#include "scree/host.h"

typedef struct scree_pool scree_pool;

/** Sets a function that each thread of later pools calls first; NULL: none. */
void scree_pool_on_thread(void (*begin)(void));

/** Makes a pool of `lanes` threads, with the caller; no thread is made later. */
scree_pool *scree_pool_new(uint32_t lanes);
void scree_pool_free(scree_pool *pool);
uint32_t scree_pool_lanes(const scree_pool *pool);
/** Sets how many lanes loops use, with the caller; at first all. Called between loops only. */
void scree_pool_use(scree_pool *pool, uint32_t lanes);
uint32_t scree_pool_used(const scree_pool *pool);

/** Calls fn for consecutive chunks of [begin, end), each of `grain` items, and returns when all are
 * done, even if some lanes have not come. Inside a chunk, or in a child after fork, it runs on the
 * caller's lane. Returns the code of the lowest failing chunk. */
int32_t scree_pool_for(scree_pool *pool, uint64_t begin, uint64_t end, uint64_t grain,
                       scree_range_fn fn, void *user);
/** The lane of the calling thread; 0 outside of loops. */
uint32_t scree_pool_lane(void);

/** [ticks] that the caller has waited for workers at the ends of loops. */
uint64_t scree_pool_waited(const scree_pool *pool);
/** [ticks] of a clock, at `now` from scree_ticks, that shows the work of all lanes: it stops while
 * the caller waits for workers or wakes them, and gains what they worked at the end of a loop. Read
 * between loops only. */
uint64_t scree_pool_work(const scree_pool *pool, uint64_t now);

#endif
