/* SPDX-License-Identifier: Apache-2.0 */
/* Turns pairs of boxes into candidate lists in canonical order. */
#include "engine/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "engine/blocks.h"
#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/near.h"
#include "engine/pair_history.h"
#include "engine/rank_rows.h"
#include "engine/row_writer.h"
#include "engine/search.h"
#include "engine/search_sample.h"
#include "engine/tight_boxes.h"
#include "engine/vicinity.h"

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
 * mirrors and wrenches stay.
 */

/* [-] Work of a row, of a candidate, and of a contact for each of its bodies, in an evaluation.
 * Measured on a bed of 50 000: 23 ns, 5 ns, 65 ns for both. A rank moves its rows; lanes share all
 * rows otherwise. */
enum { ROW_WORK = 2, RANK_ROW_WORK = 10, CANDIDATE_WORK = 2, CONTACT_WORK = 13 };

/** Adds the work of committed contacts to the pages of both bodies: blocks of two ranks both
 * compute a contact between them. */
static void add_contacts(const scree_sim *sim, uint64_t *work)
{
    const uint32_t n_free = sim->world->n_free, bits = sim->search.raw.bits;
    const uint32_t n = sim->contacts.n_blocks * (sim->contacts.n_blocks + 1);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        const scree_list *list = &sim->plugins.contact.lists[l];
        for (uint32_t k = 0; k < MIN(n, list->n_segments); k++) {
            const scree_segment *s = &list->segments[k];
            const scree_table *t = &s->table[sim->contacts.committed];
            for (uint64_t c = 0; c < t->n; c++) {
                const uint32_t row = scree_pair_row(s, t->pair[c]);
                const uint32_t column = scree_pair_column(s, t->pair[c]);
                if (row >= n_free) // SCREE_NONE: its bodies have left
                    continue;
                work[row >> bits] += CONTACT_WORK;
                work[(column < n_free ? column : row) >> bits] += CONTACT_WORK;
            }
        }
    }
}

/** Finds the work before each page, in scratch memory. */
static uint64_t *find_work(const scree_sim *sim)
{
    const scree_raw *raw = &sim->search.raw;
    uint64_t *work = scree_scratch_take(sim->scratch, (raw->n_pages + 1) * sizeof *work), sum = 0;
    const uint64_t of_row = sim->ranks ? RANK_ROW_WORK : ROW_WORK;
    for (uint32_t page = 0; page < raw->n_pages; page++)
        work[page] = (of_row << raw->bits) + CANDIDATE_WORK * scree_search_count(sim, page);
    if (scree_blocks_wanted(sim) > 1)
        add_contacts(sim, work);
    for (uint32_t page = 0; page <= raw->n_pages; page++) {
        const uint64_t here = page < raw->n_pages ? work[page] : 0;
        work[page] = sum;
        sum += here;
    }
    return work;
}

/** Returns the work of some rows. */
static uint64_t work_of(const scree_sim *sim, const uint64_t *work, scree_rows rows)
{
    const uint32_t bits = sim->search.raw.bits;
    return rows.end > rows.first ? work[((rows.end - 1) >> bits) + 1] - work[rows.first >> bits]
                                 : 0;
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
        const scree_rows rows = {contacts->block_first[b], contacts->block_first[b + 1]};
        serve = !(rows.first & ((1u << bits) - 1));
        most = serve ? MAX(most, work_of(sim, work, rows)) : most;
    }
    return serve ? (double)most * n / (double)MAX(work[sim->search.raw.n_pages], 1) : HUGE_VAL;
}

/** Notes how even the work of ranks is, once their rows were cut. */
static void note_cut(const scree_sim *sim, const uint64_t *work)
{
    scree_ranks *r = sim->ranks;
    uint64_t most = 0;
    for (uint32_t k = 0; k < r->n; k++)
        most = MAX(most, work_of(sim, work, scree_ranks_rows_of(sim, k)));
    r->cut = (double)most * r->n / (double)MAX(work[sim->search.raw.n_pages], 1);
    r->n_cuts += r->uneven;
}

/** Cuts the rows into blocks again, unless the present blocks serve and are hardly less even than
 * they were at first, and so are ranks. */
static void cut_rows(scree_sim *sim)
{
    uint64_t *work = find_work(sim);
    if ((sim->ranks && sim->ranks->uneven) ||
        find_unevenness(sim, work) > 1.1 * sim->contacts.uneven) {
        scree_history_move(sim, work, sim->search.raw.bits);
        sim->contacts.uneven = find_unevenness(sim, work);
        if (sim->ranks)
            note_cut(sim, work);
    }
    scree_scratch_give(sim->scratch, work);
    if (sim->ranks) {
        sim->ranks->uneven = false;
        sim->ranks->n_kept = 0;
    }
}

/** While ranks are apart: notes the work of own rows. */
static void note_work(const scree_sim *sim)
{
    uint64_t *work = find_work(sim);
    sim->ranks->work_of_rows = work_of(sim, work, scree_ranks_rows(sim));
    scree_scratch_give(sim->scratch, work);
}

/* ---- editing the lists in place, to what a full refresh would write ---- */

/*
 * The GCD gives the pairs of boxes that moved. In a segment the pairs with such a body are found by
 * a pass over all pairs. Those that were not found again leave, unless they have contacts; those
 * that the segment lacks enter. The pairs between keep their order, and contacts get the new
 * numbers of their pairs. It serves only lists whose pairs carry nothing but a contact.
 */

enum { MOVED_SHARE = 8, FEW_MOVED = 4, LOOK_PAIRS = 64 };

/** A pair that enters before pair `at` of a segment, or (row SCREE_NONE) leaves from there. */
typedef struct edit {
    uint32_t at, row, col;
} edit;

/** After a partial renewal of extents: returns whether the lists can be edited in place. */
static bool can_edit_lists(const scree_sim *sim)
{
    const scree_box_set *set = &sim->boxes;
    const scree_contacts_state *contacts = &sim->contacts;
    const scree_contact_plugins *plugins = &sim->plugins.contact;
    bool serves = contacts->ordered && contacts->n_blocks == scree_blocks_wanted(sim) &&
                  set->simple && !set->planes_moved && set->n_moved * MOVED_SHARE <= set->view.n &&
                  sim->plugins.gcd->plugin->flags & SCREE_CAP_INCREMENTAL && !plugins->any_keep &&
                  !plugins->n_pair_fields;
    for (uint32_t l = 0; l < plugins->n_lists; l++)
        serves = serves && plugins->lists[l].single && !plugins->lists[l].has_parts &&
                 !plugins->lists[l].hint_bytes;
    return serves;
}

/** Lists the pairs from the GCD, and those of moved bodies with planes, as row << 32 | column,
 * ascending, in scratch memory. Returns their number. */
static uint64_t list_found(const scree_sim *sim, uint64_t **keys)
{
    const scree_world *w = sim->world;
    const scree_raw *raw = &sim->search.raw;
    const uint64_t most = raw->n + sim->boxes.n_moved * w->n_planes;
    uint64_t n = 0, kept = 0, *all = scree_scratch_take(sim->scratch, (most + 1) * sizeof *all);
    for (uint32_t page = 0; page < raw->n_pages; page++) {
        scree_chunks walk = scree_search_chunks(sim, page);
        const uint64_t *word;
        for (uint32_t filled; (word = scree_chunks_next(&walk, &filled)); n += filled)
            memcpy(all + n, word, filled * sizeof *all);
    }
    for (uint64_t k = 0; k < sim->boxes.n_moved; k++)
        for (uint32_t p = scree_world_first_plane(w); p < w->n; p++)
            if (sim->boxes.moved[k] < w->n_free && scree_reaches_plane(sim, sim->boxes.moved[k], p))
                all[n++] = (uint64_t)sim->boxes.moved[k] << 32 | p;
    scree_entries_sort(all, n, 1);
    for (uint64_t k = 0; k < n; k++) {
        if (kept && all[kept - 1] == all[k])
            scree_search_fault(sim, 0, (scree_pair){(uint32_t)(all[k] >> 32), (uint32_t)all[k]},
                               "emitted twice");
        else
            all[kept++] = all[k];
    }
    *keys = all;
    return kept;
}

/** Returns whether one of the moved bodies is in pairs [p, p + LOOK_PAIRS). */
static bool some_moved(const scree_box_set *set, const scree_segment *s, uint32_t p)
{
    uint32_t any = 0;
    for (uint64_t m = 0; m < set->n_moved; m++) {
        const uint32_t body = set->moved[m], *a = s->a + p, *b = s->b + p;
        for (uint32_t k = 0; k < LOOK_PAIRS; k++)
            any |= (a[k] == body) | (b[k] == body);
    }
    return any;
}

/** Returns the first pair from p on with a moved body, or n_pairs. */
static uint32_t next_moved(const scree_sim *sim, const scree_segment *s, uint32_t p)
{
    const uint8_t *mark = sim->boxes.mark;
    const uint32_t n = s->n_pairs, end = scree_world_first_plane(sim->world);
    while (sim->boxes.n_moved <= FEW_MOVED && p + LOOK_PAIRS <= n && !some_moved(&sim->boxes, s, p))
        p += LOOK_PAIRS;
    while (p < n && !(s->a[p] < end && mark[s->a[p]]) && !(s->b[p] < end && mark[s->b[p]]))
        p++;
    return p;
}

/** Returns the first pair whose key is above `key`. */
static uint32_t find_place(const scree_segment *s, uint64_t key)
{
    uint32_t low = 0, high = s->n_pairs;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (scree_pair_key(s, middle) > key)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/** Lists the edits of segment (b, B) of list l, in order. */
static void find_edits(const scree_sim *sim, uint32_t l, uint32_t b, uint32_t B,
                       const uint64_t *keys, uint64_t n, GArray *edits)
{
    const scree_contacts_state *in = &sim->contacts;
    const scree_list *list = &sim->plugins.contact.lists[l];
    const scree_segment *s = scree_list_segment(list, in->n_blocks, b, B);
    const scree_table *t = &s->table[in->committed];
    const uint32_t first = in->block_first[B],
                   end = B < in->n_blocks ? in->block_first[B + 1] : SCREE_NONE;
    uint32_t p = next_moved(sim, s, 0);
    for (uint64_t k = 0; k <= n; k++) {
        const uint64_t key = k < n ? keys[k] : UINT64_MAX;
        const uint32_t row = (uint32_t)(key >> 32), col = (uint32_t)key;
        if (k < n && (row < in->block_first[b] || row >= in->block_first[b + 1] || col < first ||
                      col >= end || scree_list_of(sim, row, col) != l))
            continue;
        for (; p < s->n_pairs && scree_pair_key(s, p) < key; p = next_moved(sim, s, p + 1)) {
            const uint64_t c = scree_table_find(t, 0, p);
            const edit leaves = {p, SCREE_NONE, 0};
            if (c == t->n || t->pair[c] != p)
                g_array_append_val(edits, leaves);
        }
        const edit enters = {find_place(s, key), row, col};
        if (p < s->n_pairs && scree_pair_key(s, p) == key)
            p = next_moved(sim, s, p + 1);
        else if (k < n)
            g_array_append_val(edits, enters);
    }
}

static void move_pairs(scree_segment *s, uint32_t to, uint32_t from, uint32_t n)
{
    if (!n)
        return;
    memmove(s->a + to, s->a + from, n * sizeof *s->a);
    memmove(s->b + to, s->b + from, n * sizeof *s->b);
}

/** Gives the contacts the numbers that their pairs get. */
static void renumber_contacts(scree_table *t, const edit *e, uint32_t n)
{
    uint32_t shift = 0; // modulo 2^32
    uint64_t c = scree_table_find(t, 0, e[0].at);
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t end = k + 1 < n ? scree_table_find(t, c, e[k + 1].at) : t->n;
        shift += e[k].row == SCREE_NONE ? UINT32_MAX : 1;
        for (; c < end; c++)
            t->pair[c] += shift;
    }
}

/** Makes the edits: pairs leave from the first to the last, then others enter in the reverse. */
static void edit_segment(const scree_sim *sim, scree_list *list, scree_segment *s, const edit *e,
                         uint32_t n)
{
    uint32_t n_left = 0, n_entered = 0, end = s->n_pairs;
    renumber_contacts(&s->table[sim->contacts.committed], e, n);
    for (uint32_t k = 0; k < n; k++) {
        if (e[k].row != SCREE_NONE) {
            n_entered++;
            continue;
        }
        uint32_t next = k + 1;
        while (next < n && e[next].row != SCREE_NONE)
            next++;
        const uint32_t last = next < n ? e[next].at : end;
        move_pairs(s, e[k].at - n_left, e[k].at + 1, last - e[k].at - 1);
        n_left++;
    }
    s->n_pairs -= n_left;
    scree_segment_reserve(sim, list, s, s->n_pairs + (uint64_t)n_entered, 0);
    end = s->n_pairs;
    s->n_pairs += n_entered;
    for (uint32_t k = n; k-- > 0 && n_entered;) {
        if (e[k].row == SCREE_NONE) {
            n_left--;
            continue;
        }
        const uint32_t at = e[k].at - n_left, row = e[k].row, col = e[k].col;
        const bool swap = scree_column_is_a(sim, row, col);
        move_pairs(s, at + n_entered, at, end - at);
        n_entered--;
        s->a[at + n_entered] = swap ? col : row;
        s->b[at + n_entered] = swap ? row : col;
        end = at;
    }
}

/** After a search for the boxes that moved: edits the lists. */
static void edit_lists(const scree_sim *sim)
{
    const uint32_t n_blocks = sim->contacts.n_blocks;
    uint64_t *keys, n = list_found(sim, &keys);
    GArray *edits = sim->contacts.edits;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t b = 0; b < n_blocks; b++)
            for (uint32_t B = b; B <= n_blocks; B++) {
                scree_list *list = &sim->plugins.contact.lists[l];
                g_array_set_size(edits, 0);
                find_edits(sim, l, b, B, keys, n, edits);
                if (edits->len)
                    edit_segment(sim, list, scree_list_segment(list, n_blocks, b, B),
                                 (const edit *)(const void *)edits->data, edits->len);
            }
    scree_scratch_give(sim->scratch, keys);
}

/* ---- a refresh ---- */

/** Adds a candidate, unless its row is not free. */
static void put(const scree_sim *sim, const scree_found *found)
{
    if (found->row < sim->world->n_free) // ranks that are apart keep no contacts
        scree_search_put(sim, found);
}

/** Returns whether boxes of a body were renewed. */
static bool has_moved(const scree_box_set *set, uint32_t body)
{
    return set->mark[scree_body_slot(set, body)];
}

/** Adds the candidates before the refresh whose bodies have not moved. */
static void put_unmoved(const scree_sim *sim, const scree_segment *s)
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
static void put_kept(const scree_sim *sim, const scree_segment *s)
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
static void put_others(const scree_sim *sim)
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
    sim->contacts.edits = g_array_new(FALSE, FALSE, sizeof(edit));
}

void scree_order_clear(scree_sim *sim)
{
    scree_search_clear(sim);
    if (sim->contacts.edits)
        g_array_unref(sim->contacts.edits);
    scree_scratch_free(sim->scratch);
    scree_near_clear(&sim->contacts.near);
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
    if (scree_ranks_apart(sim))
        scree_vicinity_pick(sim, &sim->boxes);
    *edited = partial && can_edit_lists(sim);
    if (partial && !*edited)
        lend_memory(sim);
    scree_working_on("the pairs of boxes that contact detection finds");
    const uint32_t n_sample = sim->scene->guard.sample;
    if (!scree_search_run(sim, all, renumbered, error) ||
        (n_sample && !scree_search_check_sample(sim, n_sample, error)))
        return false;
    scree_working_on("the candidates");
    scree_extent_drop(&sim->boxes, sim->scratch, false);
    if (*edited) {
        edit_lists(sim);
    } else {
        put_others(sim);
        if (scree_ranks_apart(sim)) // ranks keep their rows
            note_work(sim);
        else
            cut_rows(sim);
        scree_search_type(sim);
        scree_pool_for(sim->runtime.pool, 0, sim->contacts.n_blocks, 1, scree_write_blocks, sim);
    }
    scree_history_end(sim);
    return scree_search_check(sim, error);
}

/** Wrenches of bodies that are not moved here are not written: they stay 0. */
static void clear_wrenches(const scree_world *w, scree_rows moved)
{
    const size_t line = SCREE_WRENCH * sizeof *w->wrench;
    if (moved.first)
        memset(w->wrench, 0, moved.first * line);
    if (w->n > moved.end)
        memset(w->wrench + (size_t)moved.end * SCREE_WRENCH, 0, (w->n - moved.end) * line);
}

bool scree_order_refresh(scree_sim *sim, bool *edited, GError **error)
{
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_ORDER);
    const scree_world *w = sim->world;
    *edited = false;
    bool made = refresh(sim, edited, error);
    scree_extent_drop(&sim->boxes, sim->scratch, true);
    scree_scratch_end(sim->scratch);
    if (!*edited)
        clear_wrenches(w, scree_ranks_rows(sim));
    if (made && sim->boxes.view.n && !sim->boxes.bare)
        memset(sim->boxes.mark, 0, sim->boxes.view.n);
    if (made && !scree_ranks_apart(sim))
        sim->contacts.n_candidates = scree_lists_candidates(sim);
    scree_sim_enter(sim, former);
    return made;
}
