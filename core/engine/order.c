/* SPDX-License-Identifier: Apache-2.0 */
/* Turns pairs of boxes into candidate lists in canonical order. */
#include "engine/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "engine/blocks.h"
#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/list_edit.h"
#include "engine/pair_history.h"
#include "engine/row_writer.h"
#include "engine/search.h"
#include "engine/tight_boxes.h"

/*
 * Steps of a refresh
 *   1. Extents are renewed, and the GCD runs. As it commits pairs, those that are candidates go to
 *      the bucket of their page of rows (search.c). If only boxes that moved were sought, the pairs
 *      of other bodies come from the lists. For pairs with kept contacts all parts are candidates.
 *   2. Rows are cut into blocks, if the present blocks do not serve any more; then the history of
 *      pairs moves to its segments (pair_history.c).
 *   3. Blocks are written, each on one lane, page by page (row_writer.c): candidates with planes are added, the
 *      page is sorted by row, column, shift and parts, and its pairs are appended to the segments.
 *      A pair that is found twice across a boundary is one. History in a segment has the same
 *      order, so it meets its pair as that is written.
 *   4. Rarely, a pair with history is outside of the extents. It stays a candidate until an
 *      accepted evaluation ends it: it is added to its page, which is written again.
 * Arrays for one refresh are in scratch memory: the mirrors and wrenches of the bodies, which the
 * evaluation writes again. If few bodies have moved, the lists are edited instead of 2 to 4, and
 * mirrors and wrenches stay (list_edit.c).
 */

/** Finds the work before each page, in scratch memory. */
static uint64_t *find_work(const scree_sim *sim)
{
    const scree_raw *raw = &sim->search.raw;
    uint64_t *work = scree_scratch_take(sim->scratch, (raw->n_pages + 1) * sizeof *work), sum = 0;
    for (uint32_t page = 0; page < raw->n_pages; page++) {
        work[page] = sum;
        sum +=
            ((uint64_t)2 << raw->bits) + scree_search_count(sim, page); // 2: to sum and integrate
    }
    work[raw->n_pages] = sum;
    return work;
}

/** Returns the work of the largest block over the mean; infinite: blocks cannot stay, because rows
 * or lists have changed. */
static double find_unevenness(const scree_sim *sim, const uint64_t *work)
{
    const scree_contacts_state *contacts = &sim->contacts;
    const uint32_t n = contacts->n_blocks, bits = sim->search.raw.bits;
    uint64_t most = 0;
    bool serve = contacts->ordered && n == scree_blocks_wanted(sim) &&
                 contacts->block_first[n] == sim->world->n_free;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        serve = serve && sim->plugins.contact.lists[l].n_segments >= n * (n + 1);
    for (uint32_t b = 0; b < n && serve; b++) {
        const uint32_t first = contacts->block_first[b], end = contacts->block_first[b + 1];
        serve = !(first & ((1u << bits) - 1));
        if (serve && end > first)
            most = MAX(most, work[((end - 1) >> bits) + 1] - work[first >> bits]);
    }
    return serve ? (double)most * n / (double)MAX(work[sim->search.raw.n_pages], 1) : HUGE_VAL;
}

/** Cuts the rows into blocks again, unless the present blocks serve and are hardly less even than
 * they were at first. */
static void cut_rows(scree_sim *sim)
{
    uint64_t *work = find_work(sim);
    if (find_unevenness(sim, work) > 1.1 * sim->contacts.uneven) {
        scree_history_move(sim, work, sim->search.raw.bits);
        sim->contacts.uneven = find_unevenness(sim, work);
    }
    scree_scratch_give(sim->scratch, work);
}

/* ---- a refresh ---- */

/** Adds a candidate, unless its row is not free. */
static void put(scree_sim *sim, const scree_found *found)
{
    if (found->row < sim->world->n_free)
        scree_search_put(sim, found);
}

/** Returns whether boxes of a body were renewed. */
static bool has_moved(const scree_box_set *set, uint32_t body)
{
    return set->mark[scree_body_slot(set, body)];
}

/** Adds the candidates before the refresh whose bodies have not moved. */
static void put_unmoved(scree_sim *sim, const scree_segment *s)
{
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        if (s->a[p] == SCREE_NONE || has_moved(&sim->boxes, s->a[p]) ||
            has_moved(&sim->boxes, s->b[p]))
            continue;
        const uint32_t first = s->first ? s->first[p] : 0, end = s->first ? s->first[p + 1] : 1;
        for (uint32_t j = first; j < end; j++) {
            const scree_found found = scree_pair_found(s, p, j);
            put(sim, &found);
        }
    }
}

/** Adds all parts of pairs with kept contacts: results may not depend on extents. */
static void put_kept(scree_sim *sim, const scree_segment *s)
{
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        if (!s->keep[p])
            continue;
        scree_found found = scree_pair_found(s, p, 0);
        const uint32_t n_row = scree_parts_of(sim->world, found.row);
        const uint32_t n_col = MAX(scree_parts_of(sim->world, found.col), 1);
        for (found.part_row = 0; found.part_row < n_row; found.part_row++)
            for (found.part_col = 0; found.part_col < n_col; found.part_col++)
                put(sim, &found);
    }
}

/** Adds candidates that the GCD was not asked for, or may not find. */
static void put_others(scree_sim *sim)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const uint32_t n = sim->contacts.n_blocks * (sim->contacts.n_blocks + 1);
    for (uint32_t l = 0; l < contact->n_lists; l++)
        for (uint32_t k = 0; k < MIN(n, contact->lists[l].n_segments); k++) {
            const scree_segment *s = &contact->lists[l].segments[k];
            if (sim->search.listed && !contact->lists[l].has_planes)
                put_unmoved(sim, s);
            if (contact->any_keep && contact->lists[l].has_parts)
                put_kept(sim, s);
        }
}

void scree_order_prepare(scree_sim *sim)
{
    scree_search_prepare(sim);
    sim->scratch = scree_scratch_new();
    scree_list_edit_prepare(&sim->contacts);
}

void scree_order_clear(scree_sim *sim)
{
    scree_search_clear(sim);
    if (sim->contacts.edits)
        g_array_unref(sim->contacts.edits);
    scree_scratch_free(sim->scratch);
    free(sim->contacts.block_first);
}

/** Lends the memory of mirrors and wrenches, which the evaluation then writes again. */
static void lend_memory(const scree_sim *sim)
{
    scree_world *w = sim->world;
    scree_scratch_lend(sim->scratch, w->wrench, w->capacity * SCREE_WRENCH * sizeof(double));
    scree_world_lend(w, sim->scratch);
}

/** *edited: lists were edited, and no memory was lent. */
static bool refresh(scree_sim *sim, bool *edited, GError **error)
{
    const bool partial = scree_extent_is_partial(sim);
    bool all, renumbered;
    if (!partial)
        lend_memory(sim);
    scree_working_on("the extents of the bodies");
    if (!scree_extent_renew(sim, &all, &renumbered, error))
        return false;
    *edited = partial && scree_list_edit_serves(sim);
    if (partial && !*edited)
        lend_memory(sim);
    scree_working_on("the pairs of boxes that contact detection finds");
    if (!scree_search_run(sim, all, renumbered, error))
        return false;
    scree_working_on("the candidates");
    scree_extent_drop(&sim->boxes, sim->scratch, false);
    if (*edited) {
        scree_list_edit(sim);
    } else {
        put_others(sim);
        cut_rows(sim);
        scree_search_type(sim);
        scree_pool_for(sim->runtime.pool, 0, sim->contacts.n_blocks, 1, scree_write_blocks, sim);
    }
    scree_history_end(sim);
    return scree_search_check(sim, error);
}

bool scree_order_refresh(scree_sim *sim, bool *edited, GError **error)
{
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_ORDER);
    const scree_world *w = sim->world;
    *edited = false;
    bool made = refresh(sim, edited, error);
    scree_extent_drop(&sim->boxes, sim->scratch, true);
    scree_scratch_end(sim->scratch);
    // Wrenches of bodies that are not free are not written: they stay 0.
    if (w->n > w->n_free && !*edited)
        memset(w->wrench + (size_t)w->n_free * SCREE_WRENCH, 0,
               (size_t)(w->n - w->n_free) * SCREE_WRENCH * sizeof(double));
    if (made && sim->boxes.view.n && !sim->boxes.bare)
        memset(sim->boxes.mark, 0, sim->boxes.view.n);
    sim->contacts.n_candidates = made ? 0 : sim->contacts.n_candidates;
    const uint32_t n_segments = made ? scree_segment_count(sim) : 0;
    for (uint32_t k = 0; k < n_segments; k++)
        sim->contacts.n_candidates += scree_segment_at(sim, k)->n_pairs;
    scree_sim_enter(sim, former);
    return made;
}
