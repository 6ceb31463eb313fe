/* SPDX-License-Identifier: Apache-2.0 */
/* Carries the history of pairs through a refresh of the lists. */
#include "engine/pair_history.h"

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

/** Lists the pairs that must stay: those with contacts, or (`alive`) with fields. Returns how many.
 */
static uint32_t list_staying(const scree_segment *s, const scree_table *t, const uint8_t *alive,
                             uint32_t *number)
{
    uint32_t n = 0;
    uint64_t c = 0;
    for (uint32_t q = 0; q < s->n_pairs; q++) {
        bool stays = alive && alive[q];
        for (; c < t->n && t->pair[c] == q; c++)
            stays = true;
        if (stays && s->a[q] != SCREE_NONE)
            number[n++] = q;
    }
    return n;
}

/** Compares pair q of a segment with pair p of another by row, column and shift. */
static int compare_pairs(const scree_segment *s, uint32_t q, const scree_segment *other, uint32_t p)
{
    const uint64_t a = scree_pair_key(s, q), b = scree_pair_key(other, p);
    if (a != b || !s->shift)
        return (a > b) - (a < b);
    return (s->shift[q] > other->shift[p]) - (s->shift[q] < other->shift[p]);
}

/* ---- in place ---- */

void scree_history_begin(const scree_sim *sim, scree_list *list, scree_segment *s, scree_cursor *c)
{
    const scree_table *t = &s->table[sim->contacts.committed];
    const bool rich = s->first || s->keep || list->hint_bytes || sim->plugins.contact.n_pair_fields;
    *c = (scree_cursor){.list = list, .s = s, .rich = rich, .many = !rich && !list->single};
    c->end = UINT64_MAX;
    c->was = &c->end;
    c->now = t->pair && !rich ? t->pair : &c->none;
    c->n = rich ? 0 : (uint32_t)t->n;
    if (rich && s->n_pairs) {
        scree_pairs_save(sim, list, s, &c->saved);
        c->number = scree_scratch_take(sim->scratch, s->n_pairs * sizeof *c->number);
        c->n = list_staying(s, t, s->alive[sim->contacts.committed], c->number);
        c->now = scree_scratch_take(sim->scratch, (c->n + (size_t)1) * sizeof *c->now);
    }
    if (c->n) {
        const uint32_t *number = rich ? c->number : t->pair;
        c->was = scree_scratch_take(sim->scratch, (c->n + (size_t)1) * sizeof *c->was);
        c->shift = s->shift ? scree_scratch_take(sim->scratch, c->n * sizeof *c->shift) : NULL;
        for (uint32_t k = 0; k < c->n; k++)
            c->was[k] = scree_pair_key(s, number[k]);
        for (uint32_t k = 0; c->shift && k < c->n; k++)
            c->shift[k] = s->shift[number[k]];
        c->was[c->n] = UINT64_MAX;
    }
    s->n_pairs = 0;
    if (s->first)
        s->first[0] = 0;
}

/** Gives each pair what it carried before, and contacts the new numbers of their pairs. */
static void carry_pairs(const scree_sim *sim, const scree_cursor *c)
{
    const scree_segment *saved = &c->saved;
    const scree_table *t = &c->s->table[sim->contacts.committed];
    uint32_t *now = scree_scratch_take(sim->scratch, (saved->n_pairs + 1) * sizeof *now);
    for (uint32_t p = 0, q = 0; p < c->s->n_pairs; p++) {
        int order = 1;
        while (q < saved->n_pairs && (order = compare_pairs(saved, q, c->s, p)) < 0)
            q++;
        const bool had = q < saved->n_pairs && order == 0;
        scree_pair_carry(sim, c->list, saved, had ? q : SCREE_NONE, c->s, p);
        now[q] = p; // one of a pair that does not stay is not read
    }
    for (uint64_t i = 0; i < t->n; i++)
        t->pair[i] = now[t->pair[i]];
    scree_scratch_give(sim->scratch, now);
}

void scree_history_finish(const scree_sim *sim, const scree_cursor *c)
{
    if (c->rich)
        carry_pairs(sim, c);
    if (c->n)
        scree_scratch_give(sim->scratch, c->was);
    scree_scratch_give(sim->scratch, c->shift);
    scree_scratch_give(sim->scratch, c->number);
    if (c->number)
        scree_scratch_give(sim->scratch, c->now);
    scree_pairs_drop(sim, &c->saved);
}

/* ---- to other segments ---- */

/** The pairs of a list, saved before its blocks are cut again. */
typedef struct moving {
    scree_list *list;
    uint32_t n_segments, most; /* most: pairs of a segment */
    scree_segment *saved;      /* [n_segments] */
} moving;

static moving save_list(const scree_sim *sim, scree_list *list)
{
    const uint32_t n_blocks = sim->contacts.n_blocks;
    moving m = {.list = list, .n_segments = MIN(n_blocks * (n_blocks + 1), list->n_segments)};
    m.saved = scree_scratch_take(sim->scratch, m.n_segments * sizeof *m.saved);
    for (uint32_t k = 0; k < m.n_segments; k++) {
        scree_pairs_save(sim, list, &list->segments[k], &m.saved[k]);
        m.most = MAX(m.most, m.saved[k].n_pairs);
    }
    return m;
}

/** Counts by row + 2, or (`order`) lists by row, the pairs that must stay, as segment << 32 |
 * pair. */
static void scatter_pairs(const scree_sim *sim, const moving *m, uint32_t *start, uint64_t *order)
{
    uint32_t *number = scree_scratch_take(sim->scratch, m->most * sizeof *number);
    const uint32_t c = sim->contacts.committed;
    for (uint32_t k = 0; k < m->n_segments; k++) {
        const scree_segment *s = &m->saved[k];
        const uint32_t n = list_staying(s, &m->list->segments[k].table[c], s->alive[c], number);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = scree_pair_row(s, number[i]);
            if (row >= sim->world->n_free)
                continue;
            if (order)
                order[start[row + 1]++] = (uint64_t)k << 32 | number[i];
            else
                start[row + 2]++;
        }
    }
    scree_scratch_give(sim->scratch, number);
}

/** Lists the pairs that must stay by row, column and shift. Returns their number. */
static uint32_t sort_pairs(const scree_sim *sim, const moving *m, uint64_t **order_out)
{
    const uint32_t n_rows = sim->world->n_free;
    const size_t bytes = ((size_t)n_rows + 2) * sizeof(uint32_t);
    uint32_t *start = memset(scree_scratch_take(sim->scratch, bytes), 0, bytes);
    scatter_pairs(sim, m, start, NULL);
    for (uint32_t row = 2; row < n_rows + 2; row++)
        start[row] += start[row - 1];
    const uint32_t n = start[n_rows + 1];
    uint64_t *order = *order_out = scree_scratch_take(sim->scratch, n * sizeof *order);
    scatter_pairs(sim, m, start, order);
    for (uint32_t row = 0; row < n_rows; row++) // start[row + 1] is the end of the row
        for (uint32_t k = start[row] + 1; k < start[row + 1]; k++) {
            const uint64_t q = order[k];
            uint32_t at = k;
            for (; at > start[row] &&
                   compare_pairs(&m->saved[order[at - 1] >> 32], (uint32_t)order[at - 1],
                                 &m->saved[q >> 32], (uint32_t)q) > 0;
                 at--)
                order[at] = order[at - 1];
            order[at] = q;
        }
    scree_scratch_give(sim->scratch, start);
    return n;
}

/** Appends pair q of a saved segment to its new one; its contacts go to the table that is not
 * committed. */
static void append_pair(const scree_sim *sim, const scree_list *list, const scree_segment *saved,
                        const scree_table *from, uint32_t q, scree_segment *s)
{
    const uint32_t first = saved->first ? saved->first[q] : 0;
    const uint32_t n_parts = saved->first ? saved->first[q + 1] - first : 1;
    const uint32_t p = scree_pair_append(sim, list, s, saved->a[q], saved->b[q],
                                         saved->shift ? saved->shift[q] : 0, n_parts);
    scree_table *to = &s->table[1 - sim->contacts.committed];
    for (uint32_t j = 0; s->first && j < n_parts; j++) {
        s->part_a[s->first[p] + j] = saved->part_a[first + j];
        s->part_b[s->first[p] + j] = saved->part_b[first + j];
    }
    scree_pair_carry(sim, list, saved, q, s, p);
    for (uint64_t c = scree_table_find(from, 0, q); c < from->n && from->pair[c] == q; c++) {
        scree_table_reserve(sim, to, list->single, to->n + 1);
        to->pair[to->n] = p;
        scree_table_copy(sim, from, c, to, to->n++);
    }
}

/** Moves the saved pairs of a list to the segments of the current blocks. */
static void move_list(const scree_sim *sim, const moving *m)
{
    const uint32_t *first = sim->contacts.block_first, n_blocks = sim->contacts.n_blocks;
    const uint32_t committed = sim->contacts.committed;
    scree_list *list = m->list;
    uint64_t *order;
    scree_list_resize(list, n_blocks);
    for (uint32_t k = 0; k < list->n_segments; k++)
        list->segments[k].table[1 - committed].n = 0;
    const uint32_t n = sort_pairs(sim, m, &order);
    for (uint32_t k = 0, b = 0; k < n; k++) {
        const scree_segment *saved = &m->saved[order[k] >> 32];
        const uint32_t q = (uint32_t)order[k], col = scree_pair_column(saved, q);
        while (scree_pair_row(saved, q) >= first[b + 1])
            b++;
        uint32_t B = b;
        while (B < n_blocks && col >= first[B + 1])
            B++;
        append_pair(sim, list, saved, &list->segments[order[k] >> 32].table[committed], q,
                    scree_list_segment(list, n_blocks, b, B));
    }
    for (uint32_t k = 0; k < list->n_segments; k++) {
        const scree_table from = list->segments[k].table[committed];
        list->segments[k].table[committed] = list->segments[k].table[1 - committed];
        list->segments[k].table[1 - committed] = from;
    }
    scree_scratch_give(sim->scratch, order);
    for (uint32_t k = 0; k < m->n_segments; k++)
        scree_pairs_drop(sim, &m->saved[k]);
    scree_scratch_give(sim->scratch, m->saved);
}

void scree_history_move(scree_sim *sim, const uint64_t *weight, uint32_t bits)
{
    const uint32_t n = sim->plugins.contact.n_lists;
    moving *lists = scree_scratch_take(sim->scratch, n * sizeof *lists);
    for (uint32_t l = 0; l < n; l++)
        lists[l] = save_list(sim, &sim->plugins.contact.lists[l]);
    scree_blocks_cut(sim, weight, bits);
    for (uint32_t l = 0; l < n; l++)
        move_list(sim, &lists[l]);
    scree_scratch_give(sim->scratch, lists);
    sim->contacts.ordered = true;
}

void scree_history_reserve(const scree_sim *sim, const scree_list *list, uint32_t k)
{
    scree_segment *s = &list->segments[k];
    for (int which = 0; which < 2; which++) // at most one contact per pair: no growth
        scree_table_reserve(sim, &s->table[which], list->single, s->pair_capacity);
    scree_aligned_grow(&s->ended, &s->ended_capacity, s->pair_capacity, 0, sizeof *s->ended);
    scree_aligned_grow(&s->parted, &s->parted_capacity, s->pair_capacity, 0, sizeof *s->parted);
    if (k % (sim->contacts.n_blocks + 2)) // not (b, b), whose forces are added at once
        scree_aligned_grow(&s->loads, &s->load_capacity, s->pair_capacity, 0, sizeof *s->loads);
}

void scree_history_end(scree_sim *sim)
{
    sim->posed.counted = false;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        for (uint32_t k = 0; k < list->n_segments; k++) {
            scree_segment *s = &list->segments[k];
            s->n_loads = s->n_ended = s->n_heats = s->n_touching = 0;
            s->numbered = false;
            s->table[1 - sim->contacts.committed].n = 0;
            if (s->n_pairs)
                scree_history_reserve(sim, list, k);
        }
    }
}
