/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of consecutive rows, and the segments of the lists between them. */
#include "engine/blocks.h"

#include <string.h>

#include "base/aligned.h"

/** Returns the work in the rows before `row`. */
static uint64_t work_before(const uint64_t *weight, uint32_t row)
{
    return weight ? weight[row] : row;
}

void scree_blocks_cut(scree_sim *sim, const uint64_t *weight)
{
    uint32_t n = sim->world->n_free;
    uint32_t want = sim->contacts.want_blocks ? sim->contacts.want_blocks
                                              : scree_lane_tuner_ahead(&sim->lane_tuner);
    want = MAX(1, MIN(MIN(want, n), SCREE_MAX_BLOCKS));
    scree_aligned_grow(&sim->contacts.block_first, &sim->contacts.block_capacity,
                       (uint64_t)want + 1, 0, sizeof(uint32_t));
    sim->contacts.n_blocks = want;
    uint32_t row = 0;
    for (uint32_t b = 0; b < want; b++) {
        sim->contacts.block_first[b] = row;
        uint64_t goal = weight ? weight[n] / want * (b + 1) : (uint64_t)n * (b + 1) / want;
        while (row < n - (want - 1 - b) &&
               (row == sim->contacts.block_first[b] || work_before(weight, row) < goal))
            row++;
    }
    sim->contacts.block_first[want] = n;
}

void scree_list_resize(scree_list *list, uint32_t n_blocks)
{
    uint32_t n = n_blocks * (n_blocks + 1);
    if (n > list->n_segments) {
        list->segments = g_renew(scree_segment, list->segments, n);
        memset(list->segments + list->n_segments, 0,
               (n - list->n_segments) * sizeof *list->segments);
        list->n_segments = n;
    }
    for (uint32_t k = 0; k < list->n_segments; k++) {
        scree_segment *s = &list->segments[k];
        s->n_pairs = 0;
        s->n_loads = s->n_ended = s->n_heats = s->n_touching = 0;
    }
}
