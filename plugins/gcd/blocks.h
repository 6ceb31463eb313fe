/* SPDX-License-Identifier: Apache-2.0 */
/* Every two boxes, block by block: the search of gcd/pairing and gcd/bounding_volume. */
#ifndef SCREE_GCD_BLOCKS_H
#define SCREE_GCD_BLOCKS_H

#include <scree/gcd_sdk.h>

#define BLOCK 1024u /* pairs per reserve */

/* Writes the candidates among box i and each of [first, first + n), n <= BLOCK; returns how many.
 */
typedef uint64_t pair_block(const void *instance, uint32_t i, uint32_t first, uint32_t n,
                            scree_pair *out);

/* The pivots [first, last): each box i with all boxes of a higher number. */
static inline int32_t pair_blocks(const scree_boxes *b, uint64_t first, uint64_t last,
                                  pair_block *pair, const void *instance, scree_pair_sink *sink)
{
    for (uint64_t i = first; i < last; i++) {
        if (scree_box_empty(b, (uint32_t)i))
            continue;
        for (uint64_t j = i + 1; j < b->n; j += BLOCK) {
            const uint64_t n = b->n - j < BLOCK ? b->n - j : BLOCK;
            scree_pair *out;
            int32_t status = sink->reserve(sink, n, &out);
            if (status == SCREE_OK)
                status =
                    sink->commit(sink, pair(instance, (uint32_t)i, (uint32_t)j, (uint32_t)n, out));
            if (status != SCREE_OK)
                return status;
        }
    }
    return SCREE_OK;
}

#endif
