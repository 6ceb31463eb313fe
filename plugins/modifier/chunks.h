/* SPDX-License-Identifier: Apache-2.0 */
/* A modifier's pass over the free bodies on all threads. */
#ifndef MODIFIER_CHUNKS_H
#define MODIFIER_CHUNKS_H

#include "scree/sdk.h"

enum { CHUNK = 4096, LINE = 8 }; // bodies of a chunk; doubles of a body's line

/** Arguments of a pass. */
typedef struct pass {
    const void *self;
    const scree_forces *args;
    /** Works on the bodies [begin, end); it writes only their lines and powers. */
    int32_t (*work)(const struct pass *pass, uint64_t begin, uint64_t end);
} pass;

static inline int32_t run_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const pass *p = (const pass *)user;
    (void)lane;
    return p->work(p, begin, end);
}

static inline int32_t run_pass(const scree_host *host, pass *p)
{
    return host->parallel_for(host->ctx, 0, p->args->bodies->n_free, CHUNK, run_chunk, p);
}

#endif
