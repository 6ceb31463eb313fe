/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own threads: chunks of a range on all lanes, with edges that depend on the range
 * alone. */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include <stdint.h>

#include "scree/host.h"

typedef struct scree_pool scree_pool;

/** `lanes` threads, the caller's included; threads are made here, none later. */
scree_pool *scree_pool_new(uint32_t lanes);
void scree_pool_free(scree_pool *pool);
uint32_t scree_pool_lanes(const scree_pool *pool);

/** Calls fn for consecutive chunks of [begin, end) of `grain`; blocks. Called from inside a chunk,
 * or in a child after fork, it runs inline, on the caller's lane. Returns the code of the lowest
 * failing chunk. */
int32_t scree_pool_for(scree_pool *pool, uint64_t begin, uint64_t end, uint64_t grain,
                       scree_range_fn fn, void *user);
/** The lane of the calling thread, 0 outside a parallel_for. */
uint32_t scree_pool_lane(void);

#endif
