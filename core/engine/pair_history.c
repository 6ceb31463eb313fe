/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers the history of pairs from the lists before a refresh to the new ones. */
#include "engine/pair_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/contacts.h"
#include "engine/state.h"

/*
 * The pairs of all segments are copied into scratch memory, list by list, and those with history
 * are sorted by row. So the previous rows may have any order, as after a renumbering, which changes
 * numbers in place. Committed tables do not change: contacts of a new segment go to its other
 * table, which is committed when all lists are written.
 */

/** Returns whether pair q has history: contacts, fields, a keep mark, hints. */
static bool has_history(const scree_previous_pairs *previous, uint32_t q)
{
    return previous->a[q] != SCREE_NONE &&
           (previous->index[q] != SCREE_NONE || previous->hints ||
            (previous->alive && previous->alive[q]) || (previous->keep && previous->keep[q]));
}

static uint32_t row_of(const scree_previous_pairs *previous, uint32_t q)
{
    return MIN(previous->a[q], previous->b[q]);
}

/** Notes the first contact of each pair; its contacts are consecutive in the table. */
static void index_contacts(const scree_table *t, uint32_t n_pairs, uint32_t *index)
{
    if (n_pairs)
        memset(index, 0xff, n_pairs * sizeof *index); // SCREE_NONE
    for (uint64_t c = t->n; c-- > 0;)
        index[t->pair[c]] = (uint32_t)c;
}

/** Sorts the pairs with history by row, by counting. */
static void sort_pairs(scree_previous_pairs *previous, uint32_t n_rows, scree_scratch *scratch)
{
    uint32_t *start = scree_scratch_take(scratch, ((size_t)n_rows + 2) * sizeof *start);
    uint32_t n = 0, last = 0;
    bool sorted = true;
    memset(start, 0, ((size_t)n_rows + 2) * sizeof *start);
    for (uint32_t q = 0; q < previous->n_pairs; q++)
        if (has_history(previous, q)) {
            uint32_t row = row_of(previous, q);
            sorted &= row >= last;
            last = row;
            start[row + 2]++;
            n++;
        }
    for (uint32_t row = 2; row < n_rows + 2; row++)
        start[row] += start[row - 1];
    previous->of_row = scree_scratch_take(scratch, ((size_t)n + 1) * sizeof(uint32_t));
    previous->row_start = sorted ? start + 1 : start;
    uint32_t at = 0;
    if (sorted)
        for (uint32_t q = 0; q < previous->n_pairs; q++) {
            previous->of_row[at] = q; // a last pair without history may be written after the end
            at += has_history(previous, q);
        }
    else
        for (uint32_t q = 0; q < previous->n_pairs; q++)
            if (has_history(previous, q))
                previous->of_row[start[row_of(previous, q) + 1]++] = q;
}

static uint32_t segment_parts(const scree_segment *s)
{
    return s->first && s->n_pairs ? s->first[s->n_pairs] : s->n_pairs;
}

/** Makes room for the pairs of all segments of a list. */
static void reserve_previous(const scree_sim *sim, const scree_list *list,
                             scree_previous_pairs *previous)
{
    scree_scratch *scratch = sim->scratch;
    size_t n = 0, n_parts = 0;
    previous->offset = scree_scratch_take(scratch, (previous->n_segments + 1) * sizeof(uint32_t));
    for (uint32_t k = 0; k < previous->n_segments; k++) {
        previous->offset[k] = (uint32_t)n;
        n += list->segments[k].n_pairs;
        n_parts += segment_parts(&list->segments[k]);
    }
    previous->offset[previous->n_segments] = previous->n_pairs = (uint32_t)n;
#define TAKE(member, n)                                                                            \
    (previous->member = scree_scratch_take(scratch, (n) * sizeof *previous->member))
    TAKE(a, n);
    TAKE(b, n);
    TAKE(index, n);
    if (sim->world->cell.repeats)
        TAKE(shift, n);
    if (sim->plugins.contact.any_keep)
        TAKE(keep, n);
    if (list->has_parts) {
        TAKE(first, n + 1);
        TAKE(part_a, n_parts);
        TAKE(part_b, n_parts);
        previous->first[n] = (uint32_t)n_parts;
    }
    if (list->hint_bytes)
        TAKE(hints, n_parts * list->hint_bytes);
    if (!sim->plugins.contact.n_pair_fields)
        return;
    TAKE(alive, n);
    TAKE(pair_field, sim->plugins.contact.n_pair_fields);
    for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
        TAKE(pair_field[f], n);
#undef TAKE
}

/** Copies the pairs of a segment to the places from `at` on, its parts from `part` on. */
static void copy_pairs(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                       uint32_t at, uint32_t part, scree_previous_pairs *previous)
{
    uint32_t n = s->n_pairs, n_parts = segment_parts(s), c = sim->contacts.committed;
#define COPY(to, from, n) memcpy((to), (from), (n) * sizeof *(to))
    if (!n)
        return;
    COPY(previous->a + at, s->a, n);
    COPY(previous->b + at, s->b, n);
    if (previous->shift)
        COPY(previous->shift + at, s->shift, n);
    if (previous->keep)
        COPY(previous->keep + at, s->keep, n);
    if (previous->alive)
        COPY(previous->alive + at, s->alive[c], n);
    for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
        COPY(previous->pair_field[f] + at, s->pair_field[c][f], n);
    for (uint32_t p = 0; previous->first && p < n; p++)
        previous->first[at + p] = part + s->first[p];
    if (previous->first) {
        COPY(previous->part_a + part, s->part_a, n_parts);
        COPY(previous->part_b + part, s->part_b, n_parts);
    }
    if (previous->hints)
        memcpy(previous->hints + (size_t)part * list->hint_bytes, s->hints,
               (size_t)n_parts * list->hint_bytes);
#undef COPY
    index_contacts(&s->table[c], n, previous->index + at);
}

void scree_history_save(const scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        scree_previous_pairs *previous = &list->previous;
        uint32_t part = 0;
        *previous = (scree_previous_pairs){.n_segments = sim->contacts.n_blocks *
                                                         (sim->contacts.n_blocks + 1)};
        reserve_previous(sim, list, previous);
        for (uint32_t k = 0; k < previous->n_segments; k++) {
            copy_pairs(sim, list, &list->segments[k], previous->offset[k], part, previous);
            part += segment_parts(&list->segments[k]);
        }
        sort_pairs(previous, sim->world->n_free, sim->scratch);
    }
}

/** Returns the previous pair (row, col, shift), or SCREE_NONE. Queries have about the order of the
 * pairs in a row: the search continues from *cursor, in a circle. */
static uint32_t find_previous(const scree_previous_pairs *previous, uint32_t row, uint32_t col,
                              scree_cells shift, uint32_t *cursor)
{
    uint32_t first = previous->row_start[row], n = previous->row_start[row + 1] - first;
    uint32_t at = *cursor >= first && *cursor < first + n ? *cursor : first;
    for (uint32_t left = n; left > 0; left--) {
        uint32_t q = previous->of_row[at];
        at = at + 1 < first + n ? at + 1 : first;
        if (MAX(previous->a[q], previous->b[q]) != col ||
            (previous->shift && previous->shift[q] != shift))
            continue;
        *cursor = at;
        return q;
    }
    return SCREE_NONE;
}

/** Returns the previous segment of pair q. */
static uint32_t segment_of(const scree_previous_pairs *previous, uint32_t q)
{
    uint32_t low = 0, high = previous->n_segments;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (previous->offset[middle] <= q)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void transfer_contacts(const scree_sim *sim, const scree_list *list, scree_table *to,
                              uint32_t p, uint32_t q)
{
    const scree_previous_pairs *previous = &list->previous;
    uint32_t k = segment_of(previous, q);
    const scree_table *from = &list->segments[k].table[sim->contacts.committed];
    uint64_t c = previous->index[q];
    for (; c < from->n && from->pair[c] == q - previous->offset[k]; c++, to->n++) {
        scree_table_reserve(sim, to, list->single, to->n + 1);
        to->pair[to->n] = p;
        if (!list->single)
            to->feature[to->n] = from->feature[c];
        if (to->keep)
            to->keep[to->n] = from->keep[c];
        if (to->stored)
            to->stored[to->n] = from->stored[c];
        for (uint32_t f = 0; f < sim->plugins.contact.n_fields; f++)
            to->field[f][to->n] = from->field[f][c];
    }
}

/** Appends the contacts with numbers `from` of another table; their pairs exist already. */
static void copy_contacts(const scree_sim *sim, const scree_table *t, uint32_t n,
                          const uint32_t *from, scree_table *to)
{
    if (!n)
        return;
    if (to->stored)
        sim->kernels->pick(n, from, t->stored, to->stored + to->n);
    for (uint32_t f = 0; f < sim->plugins.contact.n_fields; f++)
        sim->kernels->pick(n, from, t->field[f], to->field[f] + to->n);
    to->n += n;
}

/** Transfers hints of the parts of pair p; those of new parts are zero. */
static void transfer_hints(const scree_list *list, scree_segment *s, uint32_t p, uint32_t q)
{
    const scree_previous_pairs *previous = &list->previous;
    size_t bytes = list->hint_bytes;
    uint32_t first = s->first ? s->first[p] : p, last = s->first ? s->first[p + 1] : p + 1;
    uint32_t from = q == SCREE_NONE ? 0 : previous->first ? previous->first[q] : q;
    uint32_t to = q == SCREE_NONE ? 0 : previous->first ? previous->first[q + 1] : q + 1;
    for (uint32_t k = first; k < last; k++) {
        memset(s->hints + k * bytes, 0, bytes);
        for (uint32_t j = from; j < to; j++)
            if (!s->first ||
                (previous->part_a[j] == s->part_a[k] && previous->part_b[j] == s->part_b[k]))
                memcpy(s->hints + k * bytes, previous->hints + j * bytes, bytes);
    }
}

/** Does the work of transfer_contacts for pairs with one contact and no other history, as in most
 * runs: finds some contacts, then copies them field by field. */
static void transfer_single(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                            scree_table *to)
{
    enum { FEW = 256 };
    const scree_previous_pairs *previous = &list->previous;
    uint32_t from[FEW], n = 0, segment = 0, cursor = 0;
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        uint32_t q = find_previous(previous, scree_pair_row(s, p), scree_pair_column(s, p),
                                   s->shift ? s->shift[p] : SCREE_SHIFT_ZERO, &cursor);
        bool had = q != SCREE_NONE && previous->index[q] != SCREE_NONE;
        bool elsewhere =
            had && (q < previous->offset[segment] || q >= previous->offset[segment + 1]);
        if (n == FEW || elsewhere) {
            copy_contacts(sim, &list->segments[segment].table[sim->contacts.committed], n, from,
                          to);
            n = 0;
        }
        if (elsewhere)
            segment = segment_of(previous, q);
        if (had) {
            to->pair[to->n + n] = p;
            from[n++] = previous->index[q];
        }
    }
    copy_contacts(sim, &list->segments[segment].table[sim->contacts.committed], n, from, to);
}

void scree_history_transfer(const scree_sim *sim, const scree_list *list, scree_segment *s)
{
    const scree_previous_pairs *previous = &list->previous;
    uint32_t next = 1 - sim->contacts.committed, cursor = 0;
    scree_table *t = &s->table[next];
    if (!s->n_pairs)
        return;
    // At most one contact per pair: it does not grow before the next refresh.
    scree_table_reserve(sim, t, list->single, s->pair_capacity);
    if (list->single && !s->keep && !sim->plugins.contact.n_pair_fields && !list->hint_bytes) {
        transfer_single(sim, list, s, t);
        return;
    }
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        uint32_t q = find_previous(previous, scree_pair_row(s, p), scree_pair_column(s, p),
                                   s->shift ? s->shift[p] : SCREE_SHIFT_ZERO, &cursor);
        bool had = q != SCREE_NONE;
        if (s->keep)
            s->keep[p] = had ? previous->keep[q] : 0;
        if (sim->plugins.contact.n_pair_fields)
            s->alive[next][p] = had ? previous->alive[q] : 0;
        for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
            s->pair_field[next][f][p] =
                had ? previous->pair_field[f][q] : sim->plugins.contact.pair_initial[f];
        if (had && previous->index[q] != SCREE_NONE)
            transfer_contacts(sim, list, t, p, q);
        if (list->hint_bytes)
            transfer_hints(list, s, p, q);
    }
}

/** Returns the number of contacts and pairs with fields in table `which` of n segments. */
static uint64_t count(const scree_sim *sim, const scree_list *list, uint32_t n, uint32_t which)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++) {
        const scree_segment *s = &list->segments[k];
        sum += s->table[which].n;
        if (which != sim->contacts.committed && sim->plugins.contact.n_pair_fields)
            for (uint32_t p = 0; p < s->n_pairs; p++)
                sum += s->alive[which][p];
    }
    return sum;
}

uint64_t scree_history_count(const scree_sim *sim, const scree_list *list)
{
    uint64_t sum = count(sim, list, list->previous.n_segments, sim->contacts.committed);
    if (list->previous.alive)
        for (uint32_t q = 0; q < list->previous.n_pairs; q++)
            sum += list->previous.alive[q];
    return sum;
}

uint64_t scree_history_transferred(const scree_sim *sim, const scree_list *list)
{
    return count(sim, list, sim->contacts.n_blocks * (sim->contacts.n_blocks + 1),
                 1 - sim->contacts.committed);
}

void scree_history_commit(scree_sim *sim)
{
    sim->contacts.committed = 1 - sim->contacts.committed;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        for (uint32_t k = 0; k < list->n_segments; k++) {
            scree_segment *s = &list->segments[k];
            scree_table *next = &s->table[1 - sim->contacts.committed];
            next->n = 0;
            if (!s->n_pairs)
                continue;
            scree_table_reserve(sim, next, list->single, s->pair_capacity);
            scree_aligned_grow(&s->ended, &s->ended_capacity, s->pair_capacity, 0,
                               sizeof *s->ended);
            scree_aligned_grow(&s->parted, &s->parted_capacity, s->pair_capacity, 0,
                               sizeof *s->parted);
            if (k % (sim->contacts.n_blocks + 2)) // not (b, b), whose forces are added at once
                scree_aligned_grow(&s->loads, &s->load_capacity, s->pair_capacity, 0,
                                   sizeof *s->loads);
        }
        list->previous = (scree_previous_pairs){0};
        list->row_start = NULL;
        list->key = NULL;
    }
}
