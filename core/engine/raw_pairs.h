/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of slots as the GCD emits them, in pages. */
#ifndef CORE_RAW_PAIRS_H
#define CORE_RAW_PAIRS_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>

#include "scree/scree.h"

/** Pairs of slots that the GCD has found, in pages; all but the last are full once they are
 * filtered (search.c). */
enum { SCREE_RAW_BITS = 14, SCREE_RAW_PAGE = 1 << SCREE_RAW_BITS };

typedef struct scree_raw_page {
    scree_pair pair[SCREE_RAW_PAGE];
    uint8_t list[SCREE_RAW_PAGE]; /* the list that each belongs to */
} scree_raw_page;

typedef struct scree_raw {
    uint64_t n;          /* pairs of the last search */
    uint64_t last_found; /* how many the GCD emitted in it */
    GPtrArray
        *pages;     /* of scree_raw_page, scratch memory unless extents are renewed as they move */
    GArray *counts; /* of uint32_t: pairs in each */
    uint32_t n_pages;      /* in use */
    pthread_mutex_t mutex; /* of the lanes that ask for a page */
} scree_raw;

static inline scree_pair *scree_raw_pair(const scree_raw *raw, uint64_t k)
{
    scree_raw_page *page = raw->pages->pdata[k >> SCREE_RAW_BITS];
    return &page->pair[k & (SCREE_RAW_PAGE - 1)];
}

/** Where the GCD writes on one lane. */
typedef struct scree_lane_sink {
    scree_pair_sink head;
    struct scree_sim *sim;
    scree_pair *pairs; /* reserved */
    uint64_t capacity, reserved, committed, n;
    uint64_t most, refusals; /* pairs that it takes, how often it took none */
    scree_raw_page *page;    /* that takes them; NULL: none yet */
    uint32_t page_number, filled;
    const void *owner; /* scree_guard_here() of the thread that it was given to; NULL: of no call */
} scree_lane_sink;

#endif
