/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates from the GCD, in a bucket per page of rows. */
#ifndef CORE_RAW_PAIRS_H
#define CORE_RAW_PAIRS_H

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "scree/scree.h"

/*
 * A page is 2^bits consecutive rows. Each lane has a bucket for each page: chunks of 512 bytes, of
 * which the first may have room. An entry is a word, row << 32 | column. Where slots are not bodies
 * three more follow: the shift from row to column, the parts of a << 32 | b, and the slots, lower
 * << 32 | higher; the host's own entries have NO_SLOT << 32. Entries are sorted by their words.
 */
enum { SCREE_CHUNK_WORDS = 63, SCREE_PAGE_BITS = 8, SCREE_ENTRY_WORDS = 4 };
#define SCREE_NO_SLOT UINT32_MAX

typedef struct scree_chunk {
    struct scree_chunk *next;
    uint64_t word[SCREE_CHUNK_WORDS];
} scree_chunk;

typedef struct scree_bucket {
    uint64_t *at, *end; /* room in the first chunk */
    scree_chunk *first; /* NULL: empty */
} scree_bucket;

/** Bodies [first, first + n). */
typedef struct scree_row_range {
    uint32_t first, n;
} scree_row_range;

typedef struct scree_raw {
    uint64_t n;                      /* number of entries from the last search */
    uint32_t bits, least, n_pages;   /* bits: of a row within its page, `least` or more */
    uint32_t width;                  /* words in an entry, 1 or SCREE_ENTRY_WORDS */
    scree_row_range own;             /* each pair has one of these free bodies */
    bool shared;                     /* other ranks have other rows */
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
    uint64_t foreign;               /* number of pairs that another rank counts */
    const char *fault;              /* of the pair `bad`; NULL: none was found */
    scree_pair bad;
    const void *owner; /* scree_guard_here() of its thread; NULL: no call */
} scree_lane_sink;

/** Returns whether entry a comes after entry b. */
static inline bool scree_entry_after(const uint64_t *a, const uint64_t *b, uint32_t width)
{
    uint32_t k = 0;
    while (k + 1 < width && a[k] == b[k])
        k++;
    return a[k] > b[k];
}

/** Sorts n entries, most of them by insertion; `width` is a constant. */
static inline void scree_entries_sort(uint64_t *v, uint64_t n, const uint32_t width)
{
    static const uint32_t gaps[] = {100003, 20011, 4001, 701, 132, 23, 4, 1};
    uint64_t one[SCREE_ENTRY_WORDS];
    for (uint32_t g = n > 16 ? 0 : 7; g < 8; g++)
        for (uint64_t i = gaps[g]; i < n; i++) {
            uint64_t j = i;
            memcpy(one, v + i * width, width * sizeof *one);
            for (; j >= gaps[g] && scree_entry_after(v + (j - gaps[g]) * width, one, width);
                 j -= gaps[g])
                memcpy(v + j * width, v + (j - gaps[g]) * width, width * sizeof *one);
            memcpy(v + j * width, one, width * sizeof *one);
        }
}

#endif
