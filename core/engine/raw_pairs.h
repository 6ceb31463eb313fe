/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates from the GCD, in a bucket per page of rows. */
#ifndef CORE_RAW_PAIRS_H
#define CORE_RAW_PAIRS_H

#include <pthread.h>
#include <stdbool.h>

#include "scree/scree.h"

/*
 * A page is 2^bits consecutive rows. Each lane has a bucket for each page: chunks of 512 bytes, of
 * which the first may have room. An entry is a word, row << 32 | column. Where slots are not
 * bodies a second word follows: the slots, lower << 32 | higher; or NO_SLOT << 32 and the index of
 * an extra pair, which the host has added.
 */
enum { SCREE_CHUNK_WORDS = 63, SCREE_PAGE_BITS = 8 };
#define SCREE_NO_SLOT UINT32_MAX

typedef struct scree_chunk {
    struct scree_chunk *next;
    uint64_t word[SCREE_CHUNK_WORDS];
} scree_chunk;

typedef struct scree_bucket {
    uint64_t *at, *end; /* room in the first chunk */
    scree_chunk *first; /* NULL: empty */
} scree_bucket;

typedef struct scree_raw {
    uint64_t n;                      /* number of entries from the last search */
    uint32_t bits, n_pages, width;   /* width: words in an entry, 1 or 2 */
    scree_chunk *spare;              /* chunks that no lane has */
    uint64_t n_spare, n_taken;       /* numbers of these, and of those that lanes have */
    pthread_mutex_t mutex;           /* for lanes that need chunks */
    bool sampled, spheres, corners;  /* whether accuracy is counted; tests of spheres, of boxes */
    const uint8_t *types;            /* [bodies] index of the shape type; scratch memory */
    const struct scree_tight *tight; /* from find_tight */
} scree_raw;

/** Output of the GCD on one lane. */
typedef struct scree_lane_sink {
    scree_pair_sink head;
    struct scree_sim *sim;
    scree_pair *pairs; /* reserved */
    uint64_t capacity, reserved, committed, n;
    uint64_t most, refusals;        /* number of pairs that it takes, of refusals */
    scree_bucket *buckets;          /* [pages]; scratch memory */
    scree_chunk *chunk, *end_chunk; /* chunks of the lane, not used yet */
    uint64_t kept, overlapping;     /* numbers of entries, of overlapping tight boxes */
    const char *fault;              /* of the pair `bad`; NULL: none was found */
    scree_pair bad;
    const void *owner; /* scree_guard_here() of its thread; NULL: no call */
} scree_lane_sink;

/** Returns the number of words in a bucket's chunk. */
static inline uint32_t scree_chunk_filled(const scree_raw *raw, const scree_bucket *bucket,
                                          const scree_chunk *chunk)
{
    return chunk == bucket->first ? (uint32_t)(bucket->at - chunk->word)
                                  : SCREE_CHUNK_WORDS / raw->width * raw->width;
}

#endif
