/* SPDX-License-Identifier: Apache-2.0 */
/* Contact tables of segments, and contacts apart from storage numbers (snapshot, renumbering,
 * hash). */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

void scree_table_clear(scree_table *table, uint32_t n_fields)
{
    free(table->pair);
    free(table->feature);
    free(table->keep);
    free(table->stored);
    for (uint32_t f = 0; table->field && f < n_fields; f++)
        free(table->field[f]);
    g_free(table->field);
    memset(table, 0, sizeof *table);
}

void scree_table_reserve(const scree_sim *sim, scree_table *table, bool single, uint64_t n)
{
    if (n + 8 <= table->capacity && table->pair)
        return;
    uint64_t want = n + 8, used = table->n, capacity = table->capacity;
    if (!table->field)
        table->field = g_new0(double *, sim->n_contact_fields + 1);
    uint64_t c = capacity;
    scree_aligned_grow(&table->pair, &c, want, used, sizeof(uint32_t));
    if (!single) {
        c = capacity;
        scree_aligned_grow(&table->feature, &c, want, used, sizeof(uint64_t));
    }
    if (sim->any_keep) {
        c = capacity;
        scree_aligned_grow(&table->keep, &c, want, used, sizeof(uint8_t));
    }
    if (sim->any_stored) {
        c = capacity;
        scree_aligned_grow(&table->stored, &c, want, used, sizeof(double));
    }
    for (uint32_t f = 0; f < sim->n_contact_fields; f++) {
        c = capacity;
        scree_aligned_grow(&table->field[f], &c, want, used, sizeof(double));
    }
    table->capacity = c;
}

static void reserve_pairs(const scree_sim *sim, scree_segment *s, uint64_t n)
{
    if (n <= s->pair_capacity)
        return;
    uint64_t c = 0, capacity = s->pair_capacity;
#define GROW(member, size) (c = capacity, scree_aligned_grow(&(member), &c, n, 0, size))
    GROW(s->a, sizeof(uint32_t));
    GROW(s->b, sizeof(uint32_t));
    if (sim->world->any_periodic)
        GROW(s->shift, sizeof(scree_shift));
    if (sim->any_keep)
        GROW(s->keep, sizeof(uint8_t));
    for (int k = 0; k < 2; k++) {
        GROW(s->index[k], sizeof(uint32_t));
        if (!sim->n_pair_fields)
            continue;
        GROW(s->alive[k], sizeof(uint8_t));
        if (!s->pair_field[k])
            s->pair_field[k] = g_new0(double *, sim->n_pair_fields);
        for (uint32_t f = 0; f < sim->n_pair_fields; f++)
            GROW(s->pair_field[k][f], sizeof(double));
    }
#undef GROW
    s->pair_capacity = c;
}

void scree_segment_reserve(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint32_t first_row, uint32_t end_row, uint64_t n_pairs, uint64_t n_parts)
{
    s->first_row = first_row;
    s->end_row = end_row;
    scree_aligned_grow(&s->row_first, &s->row_capacity, (uint64_t)end_row - first_row + 1, 0,
                       sizeof(uint32_t));
    reserve_pairs(sim, s, n_pairs + 8);
    if (list->has_parts) {
        scree_aligned_grow(&s->first, &s->first_capacity, n_pairs + 1, 0, sizeof(uint32_t));
        uint64_t capacity = s->part_capacity;
        scree_aligned_grow(&s->part_a, &capacity, n_parts + 8, 0, sizeof(uint32_t));
        scree_aligned_grow(&s->part_b, &s->part_capacity, n_parts + 8, 0, sizeof(uint32_t));
    }
    if (list->hint_bytes)
        scree_aligned_grow(&s->hints, &s->hint_capacity, (n_parts + 8) * list->hint_bytes, 0, 1);
}

void scree_segment_clear(const scree_sim *sim, scree_segment *s)
{
    free(s->row_first);
    free(s->a);
    free(s->b);
    free(s->shift);
    free(s->first);
    free(s->part_a);
    free(s->part_b);
    free(s->keep);
    free(s->hints);
    free(s->lines);
    free(s->records);
    free(s->ended);
    free(s->heirs);
    for (int k = 0; k < 2; k++) {
        free(s->index[k]);
        free(s->alive[k]);
        for (uint32_t f = 0; s->pair_field[k] && f < sim->n_pair_fields; f++)
            free(s->pair_field[k][f]);
        g_free(s->pair_field[k]);
        scree_table_clear(&s->table[k], sim->n_contact_fields);
    }
    memset(s, 0, sizeof *s);
}

void scree_lists_free(scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->n_lists; l++) {
        scree_list *list = &sim->lists[l];
        for (uint32_t k = 0; k < list->n_segments; k++)
            scree_segment_clear(sim, &list->segments[k]);
        for (uint32_t k = 0; k < list->n_spare; k++)
            scree_segment_clear(sim, &list->spare[k]);
        g_free(list->segments);
        g_free(list->spare);
        free(list->row_start);
        free(list->key);
    }
    g_clear_pointer(&sim->lists, g_free);
    sim->n_lists = 0;
}

static int compare_keys(const scree_contact_key *a, const scree_contact_key *b)
{
#define ORDER(member)                                                                              \
    if (a->member != b->member)                                                                    \
    return a->member < b->member ? -1 : 1
    ORDER(id_a);
    ORDER(id_b);
    ORDER(shift);
    ORDER(feature);
#undef ORDER
    return 0;
}

typedef struct found {
    scree_contact_key key;
    const scree_segment *segment;
    uint64_t at;
} found;

static int compare_found(const void *a, const void *b)
{
    return compare_keys(&((const found *)a)->key, &((const found *)b)->key);
}

static void note(GArray *all, const scree_sim *sim, const scree_segment *s, uint32_t p,
                 uint64_t feature, uint64_t at)
{
    const scree_world *w = sim->world;
    uint32_t a = s->a[p], b = s->b[p];
    scree_shift shift = s->shift ? s->shift[p] : SCREE_SHIFT_ZERO; // of the column against the row
    if (a > b)
        shift = scree_shift_negate(shift);
    found one = {{w->id[a], w->id[b], shift, feature}, s, at};
    g_array_append_val(all, one);
}

static GArray *collect(const scree_sim *sim, bool pairs)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(found));
    uint32_t c = sim->committed, n_segments = sim->n_blocks * (sim->n_blocks + 1);
    for (uint32_t l = 0; l < sim->n_lists; l++)
        for (uint32_t k = 0; k < MIN(n_segments, sim->lists[l].n_segments); k++) {
            const scree_segment *s = &sim->lists[l].segments[k];
            const scree_table *t = &s->table[c];
            for (uint64_t i = 0; !pairs && i < t->n; i++)
                note(all, sim, s, t->pair[i], t->feature ? t->feature[i] : 0, i);
            for (uint32_t p = 0; pairs && p < s->n_pairs; p++)
                if (s->alive[c][p])
                    note(all, sim, s, p, 0, p);
        }
    g_array_sort(all, compare_found);
    return all;
}

scree_contact_store *scree_contacts_export(const scree_sim *sim)
{
    scree_contact_store *store = g_new0(scree_contact_store, 1);
    uint32_t c = sim->committed, n_fields = sim->n_contact_fields, n_pair = sim->n_pair_fields;
    g_autoptr(GArray) all = collect(sim, false);
    store->n = all->len;
    store->key = g_new0(scree_contact_key, store->n + 1);
    store->keep = g_new0(uint8_t, store->n + 1);
    store->stored = g_new0(double, store->n + 1);
    store->field = g_new0(double, store->n *n_fields + 1);
    for (uint64_t i = 0; i < store->n; i++) {
        const found *one = &g_array_index(all, found, i);
        const scree_table *t = &one->segment->table[c];
        store->key[i] = one->key;
        if (t->keep)
            store->keep[i] = t->keep[one->at];
        if (t->stored)
            store->stored[i] = t->stored[one->at];
        for (uint32_t f = 0; f < n_fields; f++)
            store->field[i * n_fields + f] = t->field[f][one->at];
    }
    if (!n_pair)
        return store;
    g_autoptr(GArray) pairs = collect(sim, true);
    store->n_pairs = pairs->len;
    store->pair_key = g_new0(scree_contact_key, store->n_pairs + 1);
    store->pair_field = g_new0(double, store->n_pairs *n_pair + 1);
    for (uint64_t i = 0; i < store->n_pairs; i++) {
        const found *one = &g_array_index(pairs, found, i);
        store->pair_key[i] = one->key;
        for (uint32_t f = 0; f < n_pair; f++)
            store->pair_field[i * n_pair + f] = one->segment->pair_field[c][f][one->at];
    }
    return store;
}

void scree_contact_store_free(scree_contact_store *store)
{
    if (!store)
        return;
    g_free(store->key);
    g_free(store->keep);
    g_free(store->stored);
    g_free(store->field);
    g_free(store->pair_key);
    g_free(store->pair_field);
    g_free(store);
}

/** A stored contact or pair with its place in the present storage order. */
typedef struct placed {
    uint32_t list, row, col, a, b;
    scree_shift shift; /* of the column against the row */
    uint64_t feature, from;
    bool pair;
} placed;

static int compare_placed(const void *pa, const void *pb)
{
    const placed *a = pa, *b = pb;
#define ORDER(member)                                                                              \
    if (a->member != b->member)                                                                    \
    return a->member < b->member ? -1 : 1
    ORDER(list);
    ORDER(row);
    ORDER(col);
    ORDER(shift);
    ORDER(feature);
#undef ORDER
    return 0;
}

static void place(const scree_sim *sim, const uint32_t *by_id, const scree_contact_key *key,
                  uint64_t from, bool pair, GArray *out)
{
    const scree_world *w = sim->world;
    uint32_t a = scree_world_find(w, by_id, key->id_a), b = scree_world_find(w, by_id, key->id_b);
    if (a == SCREE_NONE || b == SCREE_NONE || MIN(a, b) >= w->n_free)
        return;
    uint8_t list = sim->list_of[sim->type_index[w->shape[a]]][sim->type_index[w->shape[b]]];
    if (list == UINT8_MAX)
        return;
    scree_shift shift = a > b ? scree_shift_negate(key->shift) : key->shift;
    placed one = {list, MIN(a, b), MAX(a, b), a, b, shift, key->feature, from, pair};
    g_array_append_val(out, one);
}

static uint32_t add_pair(const scree_sim *sim, scree_segment *s, const placed *one)
{
    uint32_t p = s->n_pairs, c = sim->committed;
    if (p && scree_pair_row(s, p - 1) == one->row && scree_pair_column(s, p - 1) == one->col &&
        (!s->shift || s->shift[p - 1] == one->shift))
        return p - 1;
    s->n_pairs++;
    s->a[p] = one->a;
    s->b[p] = one->b;
    if (s->shift)
        s->shift[p] = one->shift;
    if (s->first) { // the parts of a pair that is kept for its history alone: the first of both
        s->part_a[p] = s->part_b[p] = 0;
        s->first[p] = p;
        s->first[p + 1] = p + 1;
    }
    s->index[c][p] = SCREE_NONE;
    if (s->keep)
        s->keep[p] = 0;
    if (sim->n_pair_fields)
        s->alive[c][p] = 0;
    for (uint32_t f = 0; f < sim->n_pair_fields; f++)
        s->pair_field[c][f][p] = sim->pair_initial[f];
    return p;
}

static void add_contact(const scree_sim *sim, const scree_list *list, scree_segment *s, uint32_t p,
                        const placed *one, const scree_contact_store *store)
{
    uint32_t c = sim->committed;
    scree_table *t = &s->table[c];
    scree_table_reserve(sim, t, list->single, t->n + 1);
    if (s->index[c][p] == SCREE_NONE)
        s->index[c][p] = (uint32_t)t->n;
    t->pair[t->n] = p;
    if (t->feature)
        t->feature[t->n] = one->feature;
    if (t->keep) {
        t->keep[t->n] = store->keep[one->from];
        s->keep[p] |= store->keep[one->from] != 0;
    }
    if (t->stored)
        t->stored[t->n] = store->stored[one->from];
    for (uint32_t f = 0; f < sim->n_contact_fields; f++)
        t->field[f][t->n] = store->field[one->from * sim->n_contact_fields + f];
    t->n++;
}

/** Writes the placed of one list to its segments (one block: local, and towards bodies not free).
 */
static void write_placed(scree_sim *sim, scree_list *list, const placed *all, uint64_t n,
                         const scree_contact_store *store)
{
    uint32_t n_free = sim->world->n_free;
    for (int B = 0; B < 2; B++) {
        scree_segment *s = &list->segments[B];
        uint32_t row = 0;
        scree_segment_reserve(sim, list, s, 0, n_free, n, n);
        s->n_pairs = 0;
        s->table[0].n = s->table[1].n = s->n_lines = s->n_ended = s->n_heirs = 0;
        scree_table_reserve(sim, &s->table[sim->committed], list->single, 64);
        for (uint64_t i = 0; i < n; i++) {
            if ((all[i].col >= n_free) != B)
                continue;
            while (row <= all[i].row)
                s->row_first[row++] = s->n_pairs;
            uint32_t p = add_pair(sim, s, &all[i]);
            if (!all[i].pair) {
                add_contact(sim, list, s, p, &all[i], store);
                continue;
            }
            s->alive[sim->committed][p] = 1;
            for (uint32_t f = 0; f < sim->n_pair_fields; f++)
                s->pair_field[sim->committed][f][p] =
                    store->pair_field[all[i].from * sim->n_pair_fields + f];
        }
        while (row <= n_free)
            s->row_first[row++] = s->n_pairs;
        if (list->hint_bytes)
            memset(s->hints, 0, (size_t)s->n_pairs * list->hint_bytes);
    }
}

void scree_contacts_import(scree_sim *sim, const scree_contact_store *store)
{
    g_autofree uint32_t *by_id = scree_world_index(sim->world);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(placed));
    for (uint64_t i = 0; i < store->n; i++)
        place(sim, by_id, &store->key[i], i, false, all);
    for (uint64_t i = 0; i < store->n_pairs; i++)
        place(sim, by_id, &store->pair_key[i], i, true, all);
    g_array_sort(all, compare_placed);
    uint32_t want = sim->want_blocks;
    sim->want_blocks = 1;
    scree_order_cut_blocks(sim, NULL);
    sim->want_blocks = want;
    uint64_t begin = 0;
    for (uint32_t l = 0; l < sim->n_lists; l++) {
        uint64_t end = begin;
        while (end < all->len && g_array_index(all, placed, end).list == l)
            end++;
        scree_list_resize(&sim->lists[l], sim->n_blocks);
        write_placed(sim, &sim->lists[l], (const placed *)(const void *)all->data + begin,
                     end - begin, store);
        begin = end;
    }
}
