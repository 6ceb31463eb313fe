/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of consecutive rows, and the segments of the lists between them. */
#include "engine/blocks.h"

#include <string.h>

#include "base/aligned.h"

/** Returns the work before a page. */
static uint64_t work_before(const uint64_t *weight, uint32_t page)
{
    return weight ? weight[page] : page;
}

uint32_t scree_blocks_wanted(const scree_sim *sim)
{
    const uint32_t want = sim->contacts.want_blocks ? sim->contacts.want_blocks
                                                    : scree_lane_tuner_ahead(&sim->lane_tuner);
    return MAX(1, MIN(MIN(want, sim->world->n_free), SCREE_MAX_BLOCKS));
}

void scree_blocks_cut(scree_sim *sim, const uint64_t *weight, uint32_t bits)
{
    const uint32_t want = scree_blocks_wanted(sim), n = sim->world->n_free;
    const uint32_t n_pages = n ? ((n - 1) >> bits) + 1 : 0;
    scree_aligned_grow(&sim->contacts.block_first, &sim->contacts.block_capacity,
                       (uint64_t)want + 1, 0, sizeof(uint32_t));
    sim->contacts.n_blocks = want;
    uint32_t page = 0;
    for (uint32_t b = 0; b < want; b++) {
        const uint32_t last = n_pages - MIN(n_pages, want - 1 - b); // leaves the others a page each
        const uint64_t goal =
            weight ? weight[n_pages] / want * (b + 1) : (uint64_t)n_pages * (b + 1) / want;
        sim->contacts.block_first[b] = page << bits;
        page += page < last;
        while (page < last && work_before(weight, page) < goal)
            page++;
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

uint64_t scree_lists_candidates(const scree_sim *sim)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        n += scree_segment_at(sim, k)->n_pairs;
    return n;
}
