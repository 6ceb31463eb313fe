/* SPDX-License-Identifier: Apache-2.0 */
/* guard.sample: searches for the pairs of some boxes, each against all others. */
#include "engine/search_sample.h"

#include <inttypes.h>

#include "base/random.h"
#include "engine/conformal.h"
#include "engine/search.h"
#include "scree/sdk.h"

/** Returns whether this pair of slots is a candidate. */
static bool is_wanted_pair(const scree_sim *sim, uint32_t i, uint32_t j)
{
    const scree_raw *raw = &sim->search.raw;
    const scree_box_set *set = &sim->boxes;
    if (i == j || scree_box_empty(&set->view, i) || scree_box_empty(&set->view, j) ||
        !scree_search_overlap(&set->view, i, j, raw->spheres, raw->corners))
        return false;
    uint32_t a = scree_box_body(set, i), b = scree_box_body(set, j);
    return scree_search_has_row(raw->own, a, b) && scree_list_of(sim, a, b) != UINT8_MAX &&
           !(scree_conformal_offered(sim) && scree_conformal_apart(sim, i, j)) &&
           (a != b || scree_box_image(set, i) != scree_box_image(set, j));
}

/** Adds 1 to the counts of the slots of each entry; if `with` is a slot, only for entries with it.
 */
static void count_entries(const scree_sim *sim, uint32_t with, uint32_t *count)
{
    const scree_raw *raw = &sim->search.raw;
    for (uint32_t page = 0; page < raw->n_pages; page++) {
        scree_chunks walk = scree_search_chunks(sim, page);
        const uint64_t *word;
        for (uint32_t n; (word = scree_chunks_next(&walk, &n));)
            for (uint32_t k = raw->width - 1; k < n; k += raw->width) { // the slots
                const uint32_t i = (uint32_t)(word[k] >> 32), j = (uint32_t)word[k];
                if (with != SCREE_NO_SLOT && i != with && j != with)
                    continue;
                count[i]++;
                count[j]++;
            }
    }
}

/** Blames the GCD for a missing pair of box i. */
static bool blame_missed(const scree_sim *sim, uint32_t i, GError **error)
{
    const scree_box_set *set = &sim->boxes;
    g_autofree uint32_t *found = g_new0(uint32_t, set->view.n);
    count_entries(sim, i, found);
    for (uint32_t j = 0; j < set->view.n; j++) {
        if (found[j] || !is_wanted_pair(sim, i, j))
            continue;
        const uint64_t *id = sim->world->id;
        g_autofree char *what =
            g_strdup_printf("not emitted, though the boxes of bodies %" PRIu64 " and %" PRIu64
                            " overlap (guard.sample)",
                            id[scree_box_body(set, i)], id[scree_box_body(set, j)]);
        scree_search_blame(sim, (scree_pair){MIN(i, j), MAX(i, j)}, what, error);
        return false;
    }
    return true; // one more than needed: order.c finds the second of two equal ones
}

bool scree_search_check_sample(const scree_sim *sim, uint32_t n, GError **error)
{
    enum { STREAM = 0x67756172 }; // "guar"
    uint32_t n_boxes = sim->boxes.view.n;
    g_autofree uint32_t *found = g_new0(uint32_t, (size_t)n_boxes + 1);
    count_entries(sim, SCREE_NO_SLOT, found);
    for (uint32_t k = 0; k < MIN(n, n_boxes); k++) {
        uint64_t draw = scree_random_bits(sim->runtime.seed, STREAM, k, sim->step);
        uint32_t i = n >= n_boxes ? k : (uint32_t)(draw % n_boxes), wanted = 0;
        if (sim->search.listed && !sim->boxes.mark[i])
            continue;
        for (uint32_t j = 0; j < n_boxes; j++)
            wanted += is_wanted_pair(sim, i, j);
        if (wanted != found[i] && !blame_missed(sim, i, error))
            return false;
    }
    return true;
}
