/* SPDX-License-Identifier: Apache-2.0 */
/* Turns pairs of boxes into candidate lists in canonical order; transfers the history of pairs. */
#include "engine/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "engine/blocks.h"
#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/pair_history.h"
#include "engine/search.h"
#include "engine/tight_boxes.h"

/*
 * Steps of a refresh
 *   1. Extents are renewed, the GCD runs, its pairs are filtered: overlapping boxes and spheres, at
 *      least one free body.
 *   2. For each list, pairs are counted and put into their row (the lower storage number). Each row
 *      is sorted by (column, shift, parts); duplicates across a boundary are dropped.
 *   3. The previous pairs are copied (pair_history.c), rows are cut into blocks and written to
 *      segments. Committed contacts, keep marks, pair fields and hints are found by (row, column,
 *      shift) and transferred to the other tables, which are then committed.
 *   4. Rarely, a pair with committed history is outside of the extents. It is added (and stays a
 *      candidate until an accepted evaluation ends it), and 3 is repeated. For pairs with kept
 *      contacts all parts are candidates from the start.
 * Arrays for one refresh are in scratch memory: the mirrors and wrenches of the bodies, which the
 * evaluation writes again.
 */

/** A pair that is a candidate only for its history. */
typedef struct extra_pair {
    uint32_t list, row, col, part_row, part_col;
    scree_cells shift;
} extra_pair;

static void decode(const scree_sim *sim, const scree_list *list, uint32_t row, uint64_t key,
                   scree_found *out)
{
    uint32_t k = (uint32_t)key;
    if (list->has_planes) { // no raw pair, see place_pair
        *out = (scree_found){row, (uint32_t)(key >> 32), k, 0, SCREE_SHIFT_ZERO};
        return;
    }
    if ((k < sim->search.raw.n && sim->boxes.simple)) {
        *out = (scree_found){row, (uint32_t)(key >> 32), 0, 0, SCREE_SHIFT_ZERO};
        return;
    }
    if (k < sim->search.raw.n) {
        scree_search_decode(sim, *scree_raw_pair(&sim->search.raw, k), out);
        return;
    }
    const extra_pair *extra =
        &g_array_index(sim->contacts.extra, extra_pair, k - sim->search.raw.n);
    *out = (scree_found){extra->row, extra->col, extra->part_row, extra->part_col, extra->shift};
}

/** Returns whether the column is a: the lower shape type, then the lower id. */
static bool column_is_a(const scree_world *w, uint32_t row, uint32_t col)
{
    uint32_t row_type = w->shapes[w->shape[row]]->type, col_type = w->shapes[w->shape[col]]->type;
    return row_type != col_type ? col_type < row_type : w->id[col] < w->id[row];
}

enum { SHORT = 16, LONG = 128 }; /* longest rows sorted by insertion, and by halves */

/** Compares two keys of a row. */
static int compare(const scree_sim *sim, const scree_list *list, uint32_t row, uint64_t a,
                   uint64_t b)
{
    if (a >> 32 != b >> 32)
        return a >> 32 < b >> 32 ? -1 : 1;
    scree_found da, db;
    decode(sim, list, row, a, &da);
    decode(sim, list, row, b, &db);
    if (da.shift != db.shift)
        return da.shift < db.shift ? -1 : 1;
    // by the part of a, then that of b
    const bool swap = list->has_parts && column_is_a(sim->world, row, da.col);
    const uint32_t of_a[2] = {swap ? da.part_col : da.part_row, swap ? db.part_col : db.part_row};
    const uint32_t of_b[2] = {swap ? da.part_row : da.part_col, swap ? db.part_row : db.part_col};
    if (of_a[0] != of_a[1])
        return of_a[0] < of_a[1] ? -1 : 1;
    return of_b[0] < of_b[1] ? -1 : of_b[0] > of_b[1];
}

static bool same_slots(scree_pair p, scree_pair q)
{
    return (p.a == q.a && p.b == q.b) || (p.a == q.b && p.b == q.a);
}

/** Returns whether key a comes after key b; `plain`: the column decides. */
static bool is_after(const scree_sim *sim, const scree_list *list, uint32_t row, bool plain,
                     uint64_t a, uint64_t b)
{
    return plain ? a > b : compare(sim, list, row, a, b) > 0;
}

/** Merges the sorted keys [0, middle) and [middle, n). */
static void merge_row(const scree_sim *sim, const scree_list *list, uint32_t row, bool plain,
                      uint64_t *key, uint32_t middle, uint32_t n, uint64_t *room)
{
    uint32_t i = 0, j = middle, to = 0;
    memcpy(room, key, middle * sizeof *key);
    while (i < middle)
        key[to++] =
            j < n && is_after(sim, list, row, plain, room[i], key[j]) ? key[j++] : room[i++];
}

/** Sorts a long row by halves; its body is fast or has many neighbours. */
static void sort_long(const scree_sim *sim, const scree_list *list, uint32_t row, bool plain,
                      uint64_t *key, uint32_t n, uint64_t *room)
{
    if (n > SHORT) {
        sort_long(sim, list, row, plain, key, n / 2, room);
        sort_long(sim, list, row, plain, key + n / 2, n - n / 2, room);
        merge_row(sim, list, row, plain, key, n / 2, n, room);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        uint64_t k = key[i];
        uint32_t j = i;
        for (; j > 0 && is_after(sim, list, row, plain, key[j - 1], k); j--)
            key[j] = key[j - 1];
        key[j] = k;
    }
}

/** Sorts a row, by insertion if it is short, and drops duplicates. Returns the new length; -1, with
 * blame: the GCD found one pair of boxes twice. */
static int64_t sort_row(const scree_sim *sim, scree_list *list, uint32_t row, uint64_t *key,
                        uint32_t n, GError **error)
{
    bool plain = sim->boxes.simple && !sim->contacts.extra->len;
    if (n > LONG) {
        uint64_t *room = scree_scratch_take(sim->scratch, n * sizeof *room);
        sort_long(sim, list, row, plain, key, n, room);
        scree_scratch_give(sim->scratch, room);
    }
    if (n <= LONG)
        for (uint32_t i = 1; i < n; i++) {
            uint64_t k = key[i];
            uint32_t j = i;
            if (plain) // the column decides: equal columns are an error found below
                for (; j > 0 && key[j - 1] > k; j--)
                    key[j] = key[j - 1];
            else
                for (; j > 0 && compare(sim, list, row, key[j - 1], k) > 0; j--)
                    key[j] = key[j - 1];
            key[j] = k;
        }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (kept && key[kept - 1] >> 32 == key[i] >> 32 &&
            compare(sim, list, row, key[kept - 1], key[i]) == 0) {
            uint32_t p = (uint32_t)key[kept - 1], q = (uint32_t)key[i];
            if (!list->has_planes && p < sim->search.raw.n && q < sim->search.raw.n &&
                same_slots(*scree_raw_pair(&sim->search.raw, p),
                           *scree_raw_pair(&sim->search.raw, q))) {
                scree_search_blame(sim, *scree_raw_pair(&sim->search.raw, p), "emitted twice",
                                   error);
                return -1;
            }
            continue;
        }
        key[kept++] = key[i];
    }
    return kept;
}

enum { FEW_PAIRS = 256 };

/** Counts a pair of a row, or places its key: the column, then the raw or extra pair `at`. A pair
 * with a plane has no raw pair; its key holds the part. */
static void place_pair(scree_list *list, bool count, const scree_found *pair, uint64_t at)
{
    if (count)
        list->row_start[pair->row]++;
    else
        list->key[list->row_start[pair->row]++] =
            (uint64_t)pair->col << 32 | (list->has_planes ? pair->part_row : at);
}

/** Returns whether a slot's extent reaches the solid side of a plane; `moves`: the plane's way. */
static bool reaches_plane(const scree_sim *sim, uint32_t slot, uint32_t plane,
                          const double normal[3], double moves)
{
    const scree_box_set *set = &sim->boxes;
    double height = 0.0;
    for (int k = 0; k < 3; k++)
        height += normal[k] * (set->centre[k][slot] - sim->world->x[k][plane]);
    return set->radius[slot] + moves - height >= 0.0;
}

/** Adds candidates of plane p with parts of bodies that have several. */
static void fill_parts(const scree_sim *sim, scree_list *list, uint32_t p, const double normal[3],
                       bool count)
{
    const scree_world *w = sim->world;
    const scree_box_set *set = &sim->boxes;
    const double moves = set->ref[4 * (size_t)p + 3] + 0.5 * sim->plugins.contact.range;
    for (uint32_t i = 0; i < w->n_free; i++) {
        if (w->shapes[w->shape[i]]->type != list->type_a)
            continue;
        for (uint32_t part = 0; part < scree_parts_of(w, i); part++) {
            const uint32_t slot = set->simple ? i : set->slot[set->part_first[i] + part];
            const scree_found found = {i, p, part, 0, SCREE_SHIFT_ZERO};
            if (reaches_plane(sim, slot, p, normal, moves))
                place_pair(list, count, &found, 0);
        }
    }
}

/** Finds how far the extents of bodies [begin, begin + n) reach beyond plane p. */
static void plane_margins(const scree_sim *sim, uint32_t p, const double normal[3], uint32_t begin,
                          uint32_t n, double margin[FEW_PAIRS])
{
    const scree_world *w = sim->world;
    const scree_box_set *set = &sim->boxes;
    const double *x = set->centre[0], *y = set->centre[1], *z = set->centre[2];
    double moves = set->ref[4 * (size_t)p + 3] + 0.5 * sim->plugins.contact.range;
    double px = w->x[0][p], py = w->x[1][p], pz = w->x[2][p];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slot = set->simple ? begin + i : scree_body_slot(set, begin + i);
        double height =
            normal[0] * (x[slot] - px) + normal[1] * (y[slot] - py) + normal[2] * (z[slot] - pz);
        margin[i] = set->radius[slot] + moves - height;
    }
}

/** Adds candidates with planes: parts whose extent reaches the solid side. */
static void fill_planes(const scree_sim *sim, scree_list *list, bool count)
{
    const scree_world *w = sim->world;
    double normal[3], margin[FEW_PAIRS];
    for (uint32_t p = scree_world_first_plane(w); p < w->n; p++) {
        scree_plane_normal(w, p, normal);
        if (list->has_parts) {
            fill_parts(sim, list, p, normal, count);
            continue;
        }
        for (uint32_t begin = 0; begin < w->n_free; begin += FEW_PAIRS) {
            uint32_t n = MIN(FEW_PAIRS, w->n_free - begin);
            plane_margins(sim, p, normal, begin, n, margin);
            for (uint32_t i = begin; i < begin + n; i++) {
                if (margin[i - begin] < 0.0 || w->shapes[w->shape[i]]->type != list->type_a)
                    continue;
                if (count)
                    list->row_start[i]++;
                else
                    list->key[list->row_start[i]++] = (uint64_t)p << 32;
            }
        }
    }
}

/** Counts (or, with !count, places) the pairs of each row of every list. */
static void scatter_rows(const scree_sim *sim, bool count)
{
    scree_found d;
    bool simple = sim->boxes.simple;
    for (uint32_t at = 0; at < sim->search.raw.n_pages; at++) {
        const scree_raw_page *page = sim->search.raw.pages->pdata[at];
        uint64_t first = (uint64_t)at << SCREE_RAW_BITS;
        uint32_t n = (uint32_t)MIN(sim->search.raw.n - first, (uint64_t)SCREE_RAW_PAGE);
        for (uint32_t k = 0; k < n; k++) {
            scree_list *list = &sim->plugins.contact.lists[page->list[k]];
            scree_pair pair = page->pair[k];
            if (simple) {
                d.row = MIN(pair.a, pair.b);
                d.col = MAX(pair.a, pair.b);
            } else if (!scree_search_decode(sim, pair, &d)) {
                continue;
            }
            if (count)
                list->row_start[d.row]++;
            else
                list->key[list->row_start[d.row]++] = (uint64_t)d.col << 32 | (first + k);
        }
    }
    for (guint e = 0; e < sim->contacts.extra->len; e++) {
        const extra_pair *extra = &g_array_index(sim->contacts.extra, extra_pair, e);
        const scree_found found = {extra->row, extra->col, extra->part_row, extra->part_col,
                                   extra->shift};
        place_pair(&sim->plugins.contact.lists[extra->list], count, &found, sim->search.raw.n + e);
    }
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        if (sim->plugins.contact.lists[l].has_planes)
            fill_planes(sim, &sim->plugins.contact.lists[l], count);
}

/** Turns counts of rows into their starts, and makes room for all keys. */
static bool start_rows(const scree_sim *sim, scree_list *list, GError **error)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i <= sim->world->n_free; i++) {
        uint64_t here = list->row_start[i];
        list->row_start[i] = (uint32_t)sum;
        sum += here;
    }
    if (sum >= SCREE_NONE)
        return scree_fail(error, SCREE_EXIT_RUN, "more than 2^32 candidate pairs");
    list->key = scree_scratch_take(sim->scratch, sum * sizeof(uint64_t));
    return true;
}

/** Sorts the rows of a list, whose row_start are their ends, and closes the gaps of dropped
 * duplicates. */
static bool sort_rows(const scree_sim *sim, scree_list *list, GError **error)
{
    uint32_t n = sim->world->n_free, begin = 0, to = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t end = list->row_start[i];
        int64_t kept = sort_row(sim, list, i, list->key + begin, end - begin, error);
        if (kept < 0)
            return false;
        if (to != begin)
            memmove(list->key + to, list->key + begin, (size_t)kept * sizeof(uint64_t));
        list->row_start[i] = to;
        to += (uint32_t)kept;
        begin = end;
    }
    list->row_start[n] = to;
    return true;
}

/** Fills key and row_start of each list with sorted rows; row i is [row_start[i], row_start[i +
 * 1]). */
static bool make_rows(const scree_sim *sim, GError **error)
{
    size_t bytes = ((size_t)sim->world->n_free + 2) * sizeof(uint32_t);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        sim->plugins.contact.lists[l].row_start =
            memset(scree_scratch_take(sim->scratch, bytes), 0, bytes);
    scatter_rows(sim, true);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        if (!start_rows(sim, &sim->plugins.contact.lists[l], error))
            return false;
    scatter_rows(sim, false); // row_start[i] is now the end of row i
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        if (!sort_rows(sim, &sim->plugins.contact.lists[l], error))
            return false;
    return true;
}

/** Makes the rows of list l with the extra pairs from `first` on. */
static bool add_extra(const scree_sim *sim, uint32_t l, guint first, GError **error)
{
    scree_list *list = &sim->plugins.contact.lists[l];
    uint32_t n = sim->world->n_free, *old_start = list->row_start;
    uint64_t *old_key = list->key;
    size_t bytes = ((size_t)n + 2) * sizeof(uint32_t);
    list->row_start = memset(scree_scratch_take(sim->scratch, bytes), 0, bytes);
    for (uint32_t i = 0; i < n; i++)
        list->row_start[i] = old_start[i + 1] - old_start[i];
    for (guint e = first; e < sim->contacts.extra->len; e++) {
        const extra_pair *extra = &g_array_index(sim->contacts.extra, extra_pair, e);
        list->row_start[extra->row] += extra->list == l;
    }
    if (!start_rows(sim, list, error))
        return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = old_start[i]; k < old_start[i + 1]; k++)
            list->key[list->row_start[i]++] = old_key[k];
    for (guint e = first; e < sim->contacts.extra->len; e++) {
        const extra_pair *extra = &g_array_index(sim->contacts.extra, extra_pair, e);
        const scree_found found = {extra->row, extra->col, extra->part_row, extra->part_col,
                                   extra->shift};
        if (extra->list == l)
            place_pair(list, false, &found, sim->search.raw.n + e);
    }
    scree_scratch_give(sim->scratch, old_key);
    scree_scratch_give(sim->scratch, old_start);
    return sort_rows(sim, list, error);
}

/** Cuts the rows into blocks by their work. */
static void cut_rows(scree_sim *sim)
{
    uint32_t n = sim->world->n_free;
    uint64_t *weight = scree_scratch_take(sim->scratch, ((size_t)n + 1) * sizeof *weight), sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        weight[i] = sum;
        sum += 2; // work of summing and integrating a body
        for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
            sum += sim->plugins.contact.lists[l].row_start[i + 1] -
                   sim->plugins.contact.lists[l].row_start[i];
    }
    weight[n] = sum;
    scree_blocks_cut(sim, weight);
    scree_scratch_give(sim->scratch, weight);
}

typedef struct segment_job {
    scree_sim *sim;
    scree_list *list;
} segment_job;

static void count_segment(const scree_sim *sim, const scree_list *list, uint32_t b,
                          uint64_t *n_pairs, uint64_t *n_parts)
{
    uint32_t n_blocks = sim->contacts.n_blocks;
    memset(n_pairs, 0, (n_blocks + 1) * sizeof *n_pairs);
    memset(n_parts, 0, (n_blocks + 1) * sizeof *n_parts);
    for (uint32_t row = sim->contacts.block_first[b]; row < sim->contacts.block_first[b + 1];
         row++) {
        uint32_t B = b;
        for (uint32_t k = list->row_start[row]; k < list->row_start[row + 1]; k++) {
            while (B < n_blocks && list->key[k] >> 32 >= sim->contacts.block_first[B + 1])
                B++;
            n_pairs[B]++; // an upper bound for pairs with several parts
            n_parts[B]++;
        }
    }
}

static void write_key(const scree_sim *sim, scree_list *list, scree_segment *s, uint32_t row,
                      uint64_t key, uint32_t *n_parts)
{
    scree_found d = {row, (uint32_t)(key >> 32), 0, 0, SCREE_SHIFT_ZERO};
    if (s->shift || s->first)
        decode(sim, list, row, key, &d);
    const uint64_t *id = sim->world->id;
    bool swap =
        list->type_a == list->type_b ? id[d.col] < id[row] : column_is_a(sim->world, row, d.col);
    uint32_t p = s->n_pairs;
    bool joins = s->first && p && scree_pair_row(s, p - 1) == row &&
                 scree_pair_column(s, p - 1) == d.col && (!s->shift || s->shift[p - 1] == d.shift);
    if (s->first) {
        s->part_a[*n_parts] = swap ? d.part_col : d.part_row;
        s->part_b[*n_parts] = swap ? d.part_row : d.part_col;
        ++*n_parts;
    }
    if (!joins) {
        s->a[p] = swap ? d.col : row;
        s->b[p] = swap ? row : d.col;
        if (s->shift)
            s->shift[p] = d.shift;
        if (s->first)
            s->first[p] = *n_parts - 1;
        s->n_pairs++;
    }
    if (s->first)
        s->first[s->n_pairs] = *n_parts;
}

/** Writes the segments of block b of one list and transfers the history of pairs. */
static void write_block(const scree_sim *sim, scree_list *list, uint32_t b)
{
    uint32_t n_blocks = sim->contacts.n_blocks, n_parts[SCREE_MAX_BLOCKS + 1];
    uint64_t most_pairs[SCREE_MAX_BLOCKS + 1], most_parts[SCREE_MAX_BLOCKS + 1];
    count_segment(sim, list, b, most_pairs, most_parts);
    for (uint32_t B = b; B <= n_blocks; B++) {
        scree_segment *s = scree_list_segment(list, n_blocks, b, B);
        scree_segment_reserve(sim, list, s, most_pairs[B], most_parts[B]);
        s->n_pairs = n_parts[B] = 0;
        if (s->first)
            s->first[0] = 0;
    }
    for (uint32_t row = sim->contacts.block_first[b]; row < sim->contacts.block_first[b + 1];
         row++) {
        uint32_t B = b;
        for (uint32_t k = list->row_start[row]; k < list->row_start[row + 1]; k++) {
            while (B < n_blocks && list->key[k] >> 32 >= sim->contacts.block_first[B + 1])
                B++;
            write_key(sim, list, scree_list_segment(list, n_blocks, b, B), row, list->key[k],
                      &n_parts[B]);
        }
    }
    for (uint32_t B = b; B <= n_blocks; B++)
        scree_history_transfer(sim, list, scree_list_segment(list, n_blocks, b, B));
}

/** Adds the pairs of all parts of pair p of list l. */
static void add_all_parts(const scree_sim *sim, uint32_t l, const scree_segment *s, uint32_t p)
{
    const scree_world *w = sim->world;
    const uint32_t row = scree_pair_row(s, p), col = scree_pair_column(s, p);
    const uint32_t n_row = scree_parts_of(w, row), n_col = MAX(scree_parts_of(w, col), 1u);
    for (uint32_t i = 0; i < n_row; i++)
        for (uint32_t j = 0; j < n_col; j++) {
            extra_pair extra = {l, row, col, i, j, s->shift ? s->shift[p] : SCREE_SHIFT_ZERO};
            g_array_append_val(sim->contacts.extra, extra);
        }
}

/** Adds all parts of pairs with kept contacts: results may not depend on extents. */
static void add_kept_parts(const scree_sim *sim, uint32_t l)
{
    const scree_list *list = &sim->plugins.contact.lists[l];
    if (!sim->plugins.contact.any_keep || !list->has_parts)
        return;
    for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++) {
        const scree_segment *s = &list->segments[k];
        for (uint32_t p = 0; p < s->n_pairs; p++)
            if (s->keep[p])
                add_all_parts(sim, l, s, p);
    }
}

/** Finds pairs with committed history that list l lacks. */
static void find_extra(const scree_sim *sim, uint32_t l)
{
    scree_list *list = &sim->plugins.contact.lists[l];
    const scree_previous_pairs *previous = &list->previous;
    for (uint32_t q = 0; q < previous->n_pairs; q++) {
        if (previous->a[q] == SCREE_NONE ||
            (previous->index[q] == SCREE_NONE && !(previous->alive && previous->alive[q])))
            continue;
        uint32_t row = MIN(previous->a[q], previous->b[q]),
                 col = MAX(previous->a[q], previous->b[q]);
        scree_cells shift = previous->shift ? previous->shift[q] : SCREE_SHIFT_ZERO;
        bool found = false;
        for (uint32_t j = list->row_start[row]; j < list->row_start[row + 1] && !found; j++) {
            scree_found d;
            decode(sim, list, row, list->key[j], &d);
            found = d.col == col && d.shift == shift;
        }
        uint32_t first = previous->first ? previous->first[q] : q;
        uint32_t last = previous->first ? previous->first[q + 1] : q + 1;
        bool swapped = previous->a[q] != row;
        if (!found)
            for (uint32_t j = first; j < last; j++) {
                uint32_t pa = previous->first ? previous->part_a[j] : 0,
                         pb = previous->first ? previous->part_b[j] : 0;
                extra_pair extra = {l, row, col, swapped ? pb : pa, swapped ? pa : pb, shift};
                g_array_append_val(sim->contacts.extra, extra);
            }
    }
}

static int32_t write_blocks(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    segment_job *job = user;
    for (uint64_t b = begin; b < end; b++)
        write_block(job->sim, job->list, (uint32_t)b);
    return SCREE_OK;
}

/** Writes rows to segments. True: all committed history found its pair. */
static bool write_lists(scree_sim *sim)
{
    uint64_t before = 0, after = 0;
    cut_rows(sim);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        scree_list_resize(list, sim->contacts.n_blocks);
        for (uint32_t k = 0; k < list->n_segments; k++)
            list->segments[k].table[1 - sim->contacts.committed].n = 0;
        segment_job job = {sim, list};
        scree_pool_for(sim->runtime.pool, 0, sim->contacts.n_blocks, 1, write_blocks, &job);
        before += scree_history_count(sim, list);
        after += scree_history_transferred(sim, list);
    }
    return before == after;
}

/** Writes them again, with the pairs that only history requires. */
static bool write_extra(scree_sim *sim, GError **error)
{
    guint first = sim->contacts.extra->len;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        find_extra(sim, l);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        if (!add_extra(sim, l, first, error))
            return false;
    if (!write_lists(sim))
        g_error("contact history was lost while lists were made (a bug of the host)");
    return true;
}

void scree_order_prepare(scree_sim *sim)
{
    scree_search_prepare(sim);
    sim->scratch = scree_scratch_new();
    sim->contacts.extra = g_array_new(FALSE, FALSE, sizeof(extra_pair));
}

void scree_order_clear(scree_sim *sim)
{
    scree_search_clear(sim);
    if (sim->contacts.extra)
        g_array_unref(sim->contacts.extra);
    scree_scratch_free(sim->scratch);
    free(sim->contacts.block_first);
}

static bool refresh(scree_sim *sim, GError **error)
{
    bool all, renumbered;
    scree_working_on("the extents of the bodies");
    if (!scree_extent_renew(sim, &all, &renumbered, error))
        return false;
    scree_working_on("the pairs of boxes that contact detection finds");
    if (!scree_search_run(sim, all, renumbered, error))
        return false;
    scree_working_on("the candidates");
    scree_extent_drop(&sim->boxes, sim->scratch, false);
    g_array_set_size(sim->contacts.extra, 0);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        add_kept_parts(sim, l);
    if (!make_rows(sim, error))
        return false;
    if (sim->boxes.bare) { // otherwise slots must still be translated to bodies
        scree_extent_drop(&sim->boxes, sim->scratch, true);
        scree_search_drop(sim);
    }
    scree_history_save(sim);
    if (!write_lists(sim) && !write_extra(sim, error))
        return false;
    scree_history_commit(sim);
    return true;
}

bool scree_order_refresh(scree_sim *sim, GError **error)
{
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_ORDER);
    scree_world *w = sim->world;
    scree_scratch_lend(sim->scratch, w->wrench, w->capacity * SCREE_WRENCH * sizeof(double));
    scree_world_lend(w, sim->scratch);
    bool made = refresh(sim, error);
    scree_extent_drop(&sim->boxes, sim->scratch, true);
    scree_search_drop(sim);
    scree_scratch_end(sim->scratch);
    // Wrenches of bodies that are not free are not written: they stay 0.
    if (w->n > w->n_free)
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
