/* SPDX-License-Identifier: Apache-2.0 */
/* A modifier's pass over the free bodies on all threads, with a sum that has the same bits for any
 * number of them: one per chunk of bodies, added in their order. */
#ifndef MODIFIER_CHUNKS_H
#define MODIFIER_CHUNKS_H

#include "scree/sdk.h"

enum { CHUNK = 4096, LINE = 8 }; // bodies of a chunk; doubles of a body's line

/** Arguments of a pass. */
typedef struct pass {
    const void *self;
    const scree_bodies *bodies;
    double time;    // [s]
    double *wrench; // [LINE n]
    /** Works on the bodies [begin, end); returns what is to be summed, [W]. */
    double (*work)(const struct pass *pass, uint64_t begin, uint64_t end);
    double *sum; // [chunks]
} pass;

/** The sums of the last pass. */
typedef struct chunk_sums {
    double *v;
    uint64_t capacity;
} chunk_sums;

static inline int32_t run_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const pass *p = (const pass *)user;
    (void)lane;
    for (uint64_t c = begin; c < end; c++) {
        uint64_t last = (c + 1) * CHUNK, n = p->bodies->n_free;
        p->sum[c] = p->work(p, c * CHUNK, last < n ? last : n);
    }
    return SCREE_OK;
}

/** Runs the pass; adds its sum to *power. */
static inline int32_t run_pass(const scree_host *host, pass *p, chunk_sums *sums, double *power)
{
    uint64_t n_chunks = ((uint64_t)p->bodies->n_free + CHUNK - 1) / CHUNK;
    if (!scree_grow(&sums->v, &sums->capacity, n_chunks, sizeof *sums->v))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for sums");
    p->sum = sums->v;
    int32_t code = host->parallel_for(host->ctx, 0, n_chunks, 1, run_chunk, p);
    if (code >= 0)
        for (uint64_t c = 0; c < n_chunks; c++)
            *power += sums->v[c];
    return code;
}

#endif
