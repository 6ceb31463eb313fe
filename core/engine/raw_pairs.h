/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of slots from the GCD, in pages. */
#ifndef CORE_RAW_PAIRS_H
#define CORE_RAW_PAIRS_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>

#include "scree/scree.h"

/** Pairs of slots from the GCD, in pages; all pages but the last are full after the filter
 * (search.c). */
enum { SCREE_RAW_BITS = 14, SCREE_RAW_PAGE = 1 << SCREE_RAW_BITS };

typedef struct scree_raw_page {
    scree_pair pair[SCREE_RAW_PAGE];
    uint8_t list[SCREE_RAW_PAGE]; /* list of each pair */
} scree_raw_page;

typedef struct scree_raw {
    uint64_t n;            /* number of pairs in the last search */
    uint64_t last_found;   /* number of pairs from the GCD in it */
    GPtrArray *pages;      /* scree_raw_page; scratch memory, unless `renew` is moved */
    GArray *counts;        /* uint32_t: number of pairs in each */
    uint32_t n_pages;      /* number of pages in use */
    pthread_mutex_t mutex; /* for lanes that need a page */
} scree_raw;

static inline scree_pair *scree_raw_pair(const scree_raw *raw, uint64_t k)
{
    scree_raw_page *page = raw->pages->pdata[k >> SCREE_RAW_BITS];
    return &page->pair[k & (SCREE_RAW_PAGE - 1)];
}

/** Output of the GCD on one lane. */
typedef struct scree_lane_sink {
    scree_pair_sink head;
    struct scree_sim *sim;
    scree_pair *pairs; /* reserved */
    uint64_t capacity, reserved, committed, n;
    uint64_t most, refusals; /* number of pairs that it takes, of refusals */
    scree_raw_page *page;    /* page that takes them; NULL: none yet */
    uint32_t page_number, filled;
    const void *owner; /* scree_guard_here() of its thread; NULL: no call */
} scree_lane_sink;

#endif
