/* SPDX-License-Identifier: Apache-2.0 */
/* Carries the history of pairs through a refresh of the lists. */
#include "engine/pair_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/blocks.h"
#include "engine/contacts.h"
#include "engine/state.h"

/*
 * A refresh ends no contact: each pair with history stays a candidate, in the same order. So the
 * committed contacts of a segment stay where they are, and get new numbers of pairs. Data of
 * pairs (keep marks, pair fields, hints) are copied to scratch memory, then to the new pairs.
 * After a renumbering, or when blocks have moved, the pairs with history are first sorted and moved
 * to their segments: contacts go to the other table of each segment, which is then committed.
 */

bool scree_history_stays(const scree_previous_pairs *previous, uint32_t q)
{
    return previous->index[q] != SCREE_NONE || (previous->alive && previous->alive[q]);
}

/** Returns whether pair q has history: contacts, fields, a keep mark, hints. */
static bool has_history(const scree_previous_pairs *previous, uint32_t q)
{
    return previous->a[q] != SCREE_NONE &&
           (previous->hints || (previous->keep && previous->keep[q]) ||
            scree_history_stays(previous, q));
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

static uint32_t segment_parts(const scree_segment *s)
{
    return s->first && s->n_pairs ? s->first[s->n_pairs] : s->n_pairs;
}

/** Makes room for the pairs of the segments from `s` on. */
static void reserve_previous(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                             scree_previous_pairs *previous)
{
    scree_scratch *scratch = sim->scratch;
    size_t n = 0, n_parts = 0;
    previous->offset = scree_scratch_take(scratch, (previous->n_segments + 1) * sizeof(uint32_t));
    for (uint32_t k = 0; k < previous->n_segments; k++) {
        previous->offset[k] = (uint32_t)n;
        n += s[k].n_pairs;
        n_parts += segment_parts(&s[k]);
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

static void transfer_contacts(const scree_sim *sim, const scree_list *list,
                              const scree_previous_pairs *previous, scree_table *to, uint32_t p,
                              uint32_t q)
{
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

/** Transfers hints of the parts of pair p; those of new parts are zero. */
static void transfer_hints(const scree_list *list, const scree_previous_pairs *previous,
                           scree_segment *s, uint32_t p, uint32_t q)
{
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

/** Copies the pairs of n segments from `s` on to scratch memory. */
static void save_pairs(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                       uint32_t n, scree_previous_pairs *previous)
{
    uint32_t part = 0;
    *previous = (scree_previous_pairs){.n_segments = n};
    reserve_previous(sim, list, s, previous);
    for (uint32_t k = 0; k < n; k++) {
        copy_pairs(sim, list, &s[k], previous->offset[k], part, previous);
        part += segment_parts(&s[k]);
    }
}

static void drop_saved(const scree_sim *sim, const scree_previous_pairs *previous)
{
    void *const rooms[] = {previous->offset, previous->a,      previous->b,      previous->index,
                           previous->first,  previous->part_a, previous->part_b, previous->shift,
                           previous->keep,   previous->alive,  previous->hints};
    for (size_t k = 0; k < G_N_ELEMENTS(rooms); k++)
        scree_scratch_give(sim->scratch, rooms[k]);
    for (uint32_t f = 0; previous->pair_field && f < sim->plugins.contact.n_pair_fields; f++)
        scree_scratch_give(sim->scratch, previous->pair_field[f]);
    scree_scratch_give(sim->scratch, previous->pair_field);
}

/* ---- in place ---- */

static uint64_t pair_key(const scree_segment *s, uint32_t p)
{
    return (uint64_t)scree_pair_row(s, p) << 32 | scree_pair_column(s, p);
}

/** Lists the pairs with history of a segment whose pairs have more than one contact each. */
static void begin_rich(const scree_sim *sim, scree_cursor *c)
{
    const scree_segment *s = c->s;
    save_pairs(sim, c->list, s, 1, &c->previous);
    c->number = scree_scratch_take(sim->scratch, (s->n_pairs + 1) * sizeof *c->number);
    c->now = scree_scratch_take(sim->scratch, (s->n_pairs + 1) * sizeof *c->now);
    for (uint32_t q = 0; q < s->n_pairs; q++)
        if (has_history(&c->previous, q))
            c->number[c->n++] = q;
}

void scree_history_begin(const scree_sim *sim, scree_list *list, scree_segment *s, scree_cursor *c)
{
    scree_table *t = &s->table[sim->contacts.committed];
    const bool plain = list->single && !s->shift && !s->first && !s->keep && !list->hint_bytes &&
                       !sim->plugins.contact.n_pair_fields;
    *c = (scree_cursor){.list = list, .s = s, .n = plain ? (uint32_t)t->n : 0};
    c->end = UINT64_MAX;
    c->was = &c->end;
    c->now = t->pair;
    if (!plain && s->n_pairs)
        begin_rich(sim, c);
    if (!c->now)
        c->now = &c->none;
    if (c->n) {
        const uint32_t *number = c->number ? c->number : t->pair;
        c->was = scree_scratch_take(sim->scratch, (c->n + (size_t)1) * sizeof *c->was);
        for (uint32_t k = 0; k < c->n; k++)
            c->was[k] = pair_key(s, number[k]);
        c->was[c->n] = UINT64_MAX;
    }
    s->n_pairs = 0;
    if (s->first)
        s->first[0] = 0;
}

/** Copies what belongs to a pair from pair q before the refresh; SCREE_NONE: the pair is new. */
static void carry_pair(const scree_sim *sim, const scree_cursor *c, uint32_t p, uint32_t q)
{
    const scree_previous_pairs *previous = &c->previous;
    const uint32_t committed = sim->contacts.committed, n = sim->plugins.contact.n_pair_fields;
    const bool had = q != SCREE_NONE;
    scree_segment *s = c->s;
    if (s->keep)
        s->keep[p] = had ? previous->keep[q] : 0;
    if (n)
        s->alive[committed][p] = had ? previous->alive[q] : 0;
    for (uint32_t f = 0; f < n; f++)
        s->pair_field[committed][f][p] =
            had ? previous->pair_field[f][q] : sim->plugins.contact.pair_initial[f];
    if (c->list->hint_bytes)
        transfer_hints(c->list, previous, s, p, q);
}

void scree_history_finish(const scree_sim *sim, scree_cursor *c)
{
    scree_table *t = &c->s->table[sim->contacts.committed];
    if (c->s->keep || sim->plugins.contact.n_pair_fields || c->list->hint_bytes)
        for (uint32_t p = 0, k = 0; p < c->s->n_pairs; p++) {
            while (k < c->n && c->now[k] == SCREE_NONE)
                k++;
            const bool had = k < c->n && c->now[k] == p;
            carry_pair(sim, c, p, had ? c->number[k++] : SCREE_NONE);
        }
    if (c->number)
        for (uint32_t i = 0, k = 0; i < t->n; i++) {
            while (c->number[k] != t->pair[i])
                k++;
            t->pair[i] = c->now[k];
        }
    if (c->n)
        scree_scratch_give(sim->scratch, c->was);
    if (!c->number)
        return;
    scree_scratch_give(sim->scratch, c->number);
    scree_scratch_give(sim->scratch, c->now);
    drop_saved(sim, &c->previous);
}

/* ---- to other segments ---- */

/** Returns whether pair q comes after pair r of its row. */
static bool is_after(const scree_previous_pairs *previous, uint32_t q, uint32_t r)
{
    const uint32_t of_q = MAX(previous->a[q], previous->b[q]);
    const uint32_t of_r = MAX(previous->a[r], previous->b[r]);
    return of_q != of_r ? of_q > of_r : previous->shift && previous->shift[q] > previous->shift[r];
}

/** Lists the pairs with history by row, column and shift. Returns their number. */
static uint32_t sort_pairs(const scree_sim *sim, const scree_previous_pairs *previous,
                           uint32_t **order)
{
    const uint32_t n_rows = sim->world->n_free;
    uint32_t *start = scree_scratch_take(sim->scratch, ((size_t)n_rows + 2) * sizeof *start);
    memset(start, 0, ((size_t)n_rows + 2) * sizeof *start);
    for (uint32_t q = 0; q < previous->n_pairs; q++)
        if (has_history(previous, q) && row_of(previous, q) < n_rows)
            start[row_of(previous, q) + 2]++;
    for (uint32_t row = 2; row < n_rows + 2; row++)
        start[row] += start[row - 1];
    const uint32_t n = start[n_rows + 1];
    *order = scree_scratch_take(sim->scratch, ((size_t)n + 1) * sizeof **order);
    for (uint32_t q = 0; q < previous->n_pairs; q++)
        if (has_history(previous, q) && row_of(previous, q) < n_rows)
            (*order)[start[row_of(previous, q) + 1]++] = q;
    for (uint32_t row = 0; row < n_rows; row++) // start[row + 1] is the end of the row
        for (uint32_t k = start[row] + 1; k < start[row + 1]; k++) {
            const uint32_t q = (*order)[k];
            uint32_t at = k;
            for (; at > start[row] && is_after(previous, (*order)[at - 1], q); at--)
                (*order)[at] = (*order)[at - 1];
            (*order)[at] = q;
        }
    scree_scratch_give(sim->scratch, start);
    return n;
}

/** Appends pair q of a list, with its contacts, to its new segment. */
static void append_pair(const scree_sim *sim, const scree_list *list,
                        const scree_previous_pairs *previous, uint32_t q, scree_segment *s)
{
    const uint32_t next = 1 - sim->contacts.committed, p = s->n_pairs;
    const uint32_t at = s->first && p ? s->first[p] : p;
    const uint32_t first = previous->first ? previous->first[q] : q;
    const uint32_t n = previous->first ? previous->first[q + 1] - first : 1;
    scree_segment_reserve(sim, list, s, p + 1, at + n);
    s->a[p] = previous->a[q];
    s->b[p] = previous->b[q];
    if (s->shift)
        s->shift[p] = previous->shift[q];
    if (s->keep)
        s->keep[p] = previous->keep[q];
    if (sim->plugins.contact.n_pair_fields)
        s->alive[next][p] = previous->alive[q];
    for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
        s->pair_field[next][f][p] = previous->pair_field[f][q];
    for (uint32_t j = 0; s->first && j < n; j++) {
        s->part_a[at + j] = previous->part_a[first + j];
        s->part_b[at + j] = previous->part_b[first + j];
    }
    if (s->first) {
        s->first[p] = at;
        s->first[p + 1] = at + n;
    }
    if (list->hint_bytes)
        memcpy(s->hints + (size_t)at * list->hint_bytes,
               previous->hints + (size_t)first * list->hint_bytes, n * list->hint_bytes);
    s->n_pairs++;
    if (previous->index[q] != SCREE_NONE)
        transfer_contacts(sim, list, previous, &s->table[next], p, q);
}

/** Moves the saved pairs of a list to the segments of the current blocks. */
static void move_list(const scree_sim *sim, scree_list *list, const scree_previous_pairs *previous)
{
    const uint32_t *first = sim->contacts.block_first, n_blocks = sim->contacts.n_blocks;
    uint32_t *order, n = sort_pairs(sim, previous, &order), b = 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t row = row_of(previous, order[k]);
        const uint32_t col = MAX(previous->a[order[k]], previous->b[order[k]]);
        while (row >= first[b + 1])
            b++;
        uint32_t B = b;
        while (B < n_blocks && col >= first[B + 1])
            B++;
        append_pair(sim, list, previous, order[k], scree_list_segment(list, n_blocks, b, B));
    }
    scree_scratch_give(sim->scratch, order);
}

void scree_history_move(scree_sim *sim, const uint64_t *weight, uint32_t bits)
{
    const uint32_t n = sim->plugins.contact.n_lists, committed = sim->contacts.committed;
    const uint32_t n_segments = sim->contacts.n_blocks * (sim->contacts.n_blocks + 1);
    scree_previous_pairs *previous = scree_scratch_take(sim->scratch, n * sizeof *previous);
    for (uint32_t l = 0; l < n; l++) {
        const scree_list *list = &sim->plugins.contact.lists[l];
        save_pairs(sim, list, list->segments, MIN(n_segments, list->n_segments), &previous[l]);
    }
    scree_blocks_cut(sim, weight, bits);
    for (uint32_t l = 0; l < n; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        scree_list_resize(list, sim->contacts.n_blocks);
        for (uint32_t k = 0; k < list->n_segments; k++)
            list->segments[k].table[1 - committed].n = 0;
        move_list(sim, list, &previous[l]);
        drop_saved(sim, &previous[l]);
    }
    scree_scratch_give(sim->scratch, previous);
    sim->contacts.committed = 1 - committed;
    sim->contacts.ordered = true;
}

void scree_history_end(const scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        for (uint32_t k = 0; k < list->n_segments; k++) {
            scree_segment *s = &list->segments[k];
            s->n_loads = s->n_ended = s->n_heats = s->n_touching = 0;
            s->table[1 - sim->contacts.committed].n = 0;
            if (!s->n_pairs)
                continue;
            for (int which = 0; which < 2; which++) // at most one contact per pair: no growth
                scree_table_reserve(sim, &s->table[which], list->single, s->pair_capacity);
            scree_aligned_grow(&s->ended, &s->ended_capacity, s->pair_capacity, 0,
                               sizeof *s->ended);
            scree_aligned_grow(&s->parted, &s->parted_capacity, s->pair_capacity, 0,
                               sizeof *s->parted);
            if (k % (sim->contacts.n_blocks + 2)) // not (b, b), whose forces are added at once
                scree_aligned_grow(&s->loads, &s->load_capacity, s->pair_capacity, 0,
                                   sizeof *s->loads);
        }
    }
}
