/* SPDX-License-Identifier: Apache-2.0 */
/* The search of gcd/dess and gcd/dess_stripe, on boxes given by ranks (integers): compares
 * WIDE boxes with one box at a time. */
#ifndef SCREE_GCD_RANKS_H
#define SCREE_GCD_RANKS_H

#include "sorting.h"

/* Where a box begins and ends on an axis. */
typedef struct ranks {
    int32_t lo, hi;
} ranks;

/* Bit k: match k of WIDE overlaps the target (a, b) on both axes. */
static inline uint32_t compare_ranks(const int32_t *SCREE_RESTRICT alo,
                                     const int32_t *SCREE_RESTRICT ahi,
                                     const int32_t *SCREE_RESTRICT blo,
                                     const int32_t *SCREE_RESTRICT bhi, ranks a, ranks b)
{
    static const uint32_t bit[WIDE] = ONE_EACH;
    uint32_t mask = 0;
    for (uint32_t k = 0; k < WIDE; k++) {
        int32_t hit = (alo[k] <= a.hi) & (a.lo <= ahi[k]) & (blo[k] <= b.hi) & (b.lo <= bhi[k]);
        mask |= (uint32_t)-hit & bit[k];
    }
    return mask;
}

/* Pairs that are not yet given to the host, as indices into a list of box numbers. */
#define HITS 256u
typedef struct rank_hits {
    scree_pair_sink *sink;
    const uint32_t *ids;
    uint32_t n, unused;
    uint32_t target[HITS + WIDE], match[HITS + WIDE];
} rank_hits;

static inline int32_t flush_hits(rank_hits *o)
{
    scree_pair *out;
    int32_t status = o->n ? o->sink->reserve(o->sink, o->n, &out) : SCREE_OK;
    if (status != SCREE_OK || !o->n)
        return status;
    for (uint32_t h = 0; h < o->n; h++)
        out[h] = (scree_pair){o->ids[o->target[h]], o->ids[o->match[h]]};
    status = o->sink->commit(o->sink, o->n);
    o->n = 0;
    return status;
}

/* Finds the matches of target `at`, from..last-1, that overlap (a, b). */
static inline int32_t search_ranks(rank_hits *o, uint32_t at, uint32_t from, uint32_t last,
                                   const int32_t *alo, const int32_t *ahi, const int32_t *blo,
                                   const int32_t *bhi, ranks a, ranks b)
{
    for (; from < last; from += WIDE) {
        uint32_t mask = compare_ranks(alo + from, ahi + from, blo + from, bhi + from, a, b);
        for (mask &= first_bits(last - from); mask; mask &= mask - 1) {
            o->target[o->n] = at;
            o->match[o->n++] = from + lowest_bit(mask);
        }
        const int32_t status = o->n >= HITS ? flush_hits(o) : SCREE_OK;
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

#endif
