/* SPDX-License-Identifier: Apache-2.0 */
/* Edits the lists where few bodies have moved: in place, to what a full refresh would write. */
#include "engine/list_edit.h"

#include <string.h>

#include "base/aligned.h"
#include "engine/blocks.h"
#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/pair_history.h"
#include "engine/search.h"

/*
 * The GCD gives the pairs of boxes that moved. In a segment the pairs with such a body are found by
 * a pass over all pairs. Those that were not found again leave, unless they have contacts; those
 * that the segment lacks enter. The pairs between keep their order, and contacts get the new
 * numbers of their pairs. It serves only lists whose pairs carry nothing but a contact.
 */

enum { SHARE = 8, FEW = 4, CHUNK = 64 };

/** A pair that enters before pair `at` of a segment, or (row SCREE_NONE) leaves from there. */
typedef struct edit {
    uint32_t at, row, col;
} edit;

bool scree_list_edit_serves(const scree_sim *sim)
{
    const scree_box_set *set = &sim->boxes;
    const scree_contacts_state *contacts = &sim->contacts;
    const scree_contact_plugins *plugins = &sim->plugins.contact;
    bool serves = contacts->ordered && contacts->n_blocks == scree_blocks_wanted(sim) &&
                  set->simple && !set->planes_moved && set->n_moved * SHARE <= set->view.n &&
                  sim->plugins.gcd->plugin->flags & SCREE_CAP_INCREMENTAL && !plugins->any_keep &&
                  !plugins->n_pair_fields;
    for (uint32_t l = 0; l < plugins->n_lists; l++)
        serves = serves && plugins->lists[l].single && !plugins->lists[l].has_parts &&
                 !plugins->lists[l].hint_bytes;
    return serves;
}

/** Lists the pairs from the GCD, and those of moved bodies with planes, as row << 32 | column,
 * ascending, in scratch memory. Returns their number. */
static uint64_t list_found(scree_sim *sim, uint64_t **keys)
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

/** Returns whether one of the moved bodies is in pairs [p, p + CHUNK). */
static bool some_moved(const scree_box_set *set, const scree_segment *s, uint32_t p)
{
    uint32_t any = 0;
    for (uint64_t m = 0; m < set->n_moved; m++) {
        const uint32_t body = set->moved[m], *a = s->a + p, *b = s->b + p;
        for (uint32_t k = 0; k < CHUNK; k++)
            any |= (a[k] == body) | (b[k] == body);
    }
    return any;
}

/** Returns the first pair from p on with a moved body, or n_pairs. */
static uint32_t next_moved(const scree_sim *sim, const scree_segment *s, uint32_t p)
{
    const uint8_t *mark = sim->boxes.mark;
    const uint32_t n = s->n_pairs, end = scree_world_first_plane(sim->world);
    while (sim->boxes.n_moved <= FEW && p + CHUNK <= n && !some_moved(&sim->boxes, s, p))
        p += CHUNK;
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

void scree_list_edit_prepare(scree_contacts_state *contacts)
{
    contacts->edits = g_array_new(FALSE, FALSE, sizeof(edit));
}

void scree_list_edit(scree_sim *sim)
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
