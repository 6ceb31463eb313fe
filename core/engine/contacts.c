/* SPDX-License-Identifier: Apache-2.0 */
/* Contact tables of segments; contacts by key, independent of storage numbers (snapshot, hash). */
#include "engine/contacts.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/arrays.h"
#include "engine/balls.h"
#include "engine/blocks.h"
#include "engine/body_index.h"
#include "engine/columns.h"
#include "engine/state.h"

/* Which arrays a table and a segment's pairs have. */
enum { MANY = 1, KEEP = 2, STORED = 4, PERIODIC = 8, PAIR_FIELDS = 16 };

static const scree_array table_rows[] = {
    SCREE_ARRAY(scree_table, pair, 1, 0),
    SCREE_ARRAY(scree_table, feature, 1, MANY),
    SCREE_ARRAY(scree_table, keep, 1, KEEP),
    SCREE_ARRAY(scree_table, stored, 1, STORED),
};
static const scree_arrays table_arrays = {table_rows, G_N_ELEMENTS(table_rows)};

static const scree_array pair_rows[] = {
    SCREE_ARRAY(scree_segment, a, 1, 0),
    SCREE_ARRAY(scree_segment, b, 1, 0),
    SCREE_ARRAY(scree_segment, shift, 1, PERIODIC),
    SCREE_ARRAY(scree_segment, keep, 1, KEEP),
    SCREE_ARRAY_EACH(scree_segment, alive, PAIR_FIELDS),
};
static const scree_arrays pair_arrays = {pair_rows, G_N_ELEMENTS(pair_rows)};

/** Returns the `n` arrays of an array of fields, as a row of its table. */
static scree_array field_row(uint32_t n)
{
    return (scree_array){.count = n, .width = sizeof(double)};
}

uint64_t scree_contact_bytes(uint64_t n_fields, bool stored, bool keep, bool single)
{
    uint32_t has = (stored ? STORED : 0) | (keep ? KEEP : 0) | (single ? 0 : MANY);
    return scree_arrays_bytes(table_arrays, has) + n_fields * sizeof(double);
}

uint64_t scree_pair_bytes(uint64_t n_pair_fields, bool periodic, bool keep)
{
    uint32_t has =
        (periodic ? PERIODIC : 0) | (keep ? KEEP : 0) | (n_pair_fields ? PAIR_FIELDS : 0);
    return scree_arrays_bytes(pair_arrays, has) + 2 * n_pair_fields * sizeof(double);
}

static void clear_table(scree_table *table, uint32_t n_fields)
{
    const scree_array fields = field_row(n_fields);
    scree_arrays_free(table, table_arrays);
    if (table->field)
        scree_arrays_free(table->field, (scree_arrays){&fields, 1});
    g_free(table->field);
    memset(table, 0, sizeof *table);
}

void scree_table_reserve(const scree_sim *sim, scree_table *table, bool single, uint64_t n)
{
    if (n + 8 <= table->capacity && table->pair)
        return;
    const scree_array fields = field_row(sim->plugins.contact.n_fields);
    uint32_t has = (single ? 0 : MANY) | (sim->plugins.contact.any_keep ? KEEP : 0) |
                   (sim->plugins.contact.any_stored ? STORED : 0);
    uint64_t capacity = table->capacity;
    if (!table->field)
        table->field = g_new0(double *, sim->plugins.contact.n_fields + 1);
    scree_arrays_grow(table->field, (scree_arrays){&fields, 1}, 0, &capacity, n + 8, table->n);
    scree_arrays_grow(table, table_arrays, has, &table->capacity, n + 8, table->n);
}

static void reserve_pairs(const scree_sim *sim, scree_segment *s, uint64_t n)
{
    if (n <= s->pair_capacity)
        return;
    const scree_array fields = field_row(sim->plugins.contact.n_pair_fields);
    uint32_t has = (sim->world->cell.repeats ? PERIODIC : 0) |
                   (sim->plugins.contact.any_keep ? KEEP : 0) |
                   (sim->plugins.contact.n_pair_fields ? PAIR_FIELDS : 0);
    n += n / 8 + 64; // as in grow_more
    for (int k = 0; k < 2; k++) {
        uint64_t capacity = s->pair_capacity;
        if (!s->pair_field[k] && sim->plugins.contact.n_pair_fields)
            s->pair_field[k] = g_new0(double *, sim->plugins.contact.n_pair_fields);
        scree_arrays_grow(s->pair_field[k], (scree_arrays){&fields, 1}, 0, &capacity, n,
                          s->n_pairs);
    }
    scree_arrays_grow(s, pair_arrays, has, &s->pair_capacity, n, s->n_pairs);
}

/** Acts as scree_aligned_grow, but makes room for an eighth more: the next refresh finds another
 * number, and unwritten pages take no memory. */
static void grow_more(void *array_ptr, uint64_t *capacity, uint64_t n, uint64_t used, size_t size)
{
    if (n > *capacity)
        scree_aligned_grow(array_ptr, capacity, n + n / 8 + 64, used, size);
}

void scree_segment_reserve(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint64_t n_pairs, uint64_t n_parts)
{
    const uint64_t used = scree_segment_parts(s);
    reserve_pairs(sim, s, n_pairs + 8);
    if (list->has_parts) {
        uint64_t capacity = s->part_capacity;
        scree_aligned_grow(&s->first, &s->first_capacity, s->pair_capacity + 1,
                           s->first ? s->n_pairs + 1 : 0, sizeof(uint32_t));
        if (!s->n_pairs)
            s->first[0] = 0;
        grow_more(&s->part_a, &capacity, n_parts + 8, used, sizeof(uint32_t));
        grow_more(&s->part_b, &s->part_capacity, n_parts + 8, used, sizeof(uint32_t));
    }
    if (list->hint_bytes)
        scree_aligned_grow(&s->hints, &s->hint_capacity,
                           (list->has_parts ? s->part_capacity : s->pair_capacity) *
                               list->hint_bytes,
                           used * list->hint_bytes, 1);
}

/** Copies an array, or NULL, to `*at`, and moves this on. */
static void *save_array(char **at, const void *from, size_t bytes)
{
    void *to = from ? memcpy(*at, from, bytes) : NULL;
    *at += to ? (bytes + 7) / 8 * 8 : 0;
    return to;
}

void scree_pairs_save(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                      scree_segment *saved)
{
    const uint32_t n = s->n_pairs, n_parts = scree_segment_parts(s), c = sim->contacts.committed;
    const uint32_t n_fields = sim->plugins.contact.n_pair_fields;
    const size_t pair = scree_pair_bytes(n_fields, true, true) + sizeof *s->first;
    const size_t part = 2 * sizeof *s->part_a + list->hint_bytes, spare = 128;
    char *at = scree_scratch_take(sim->scratch,
                                  n * pair + n_parts * part + n_fields * sizeof(double *) + spare);
    *saved = (scree_segment){.n_pairs = n};
    for (uint32_t r = 0; r < pair_arrays.n; r++)
        for (uint32_t k = 0; k < pair_rows[r].count; k++) {
            const void *from = scree_array_get(scree_array_place(s, &pair_rows[r], k));
            scree_array_set(scree_array_place(saved, &pair_rows[r], k),
                            save_array(&at, from, (size_t)n * pair_rows[r].width));
        }
    saved->first = save_array(&at, s->first, (n + (size_t)1) * sizeof *s->first);
    saved->part_a = save_array(&at, s->part_a, n_parts * sizeof *s->part_a);
    saved->part_b = save_array(&at, s->part_b, n_parts * sizeof *s->part_b);
    saved->hints = save_array(&at, s->hints, (size_t)n_parts * list->hint_bytes);
    saved->pair_field[c] = save_array(&at, s->pair_field[c], n_fields * sizeof(double *));
    for (uint32_t f = 0; saved->pair_field[c] && f < n_fields; f++)
        saved->pair_field[c][f] = save_array(&at, s->pair_field[c][f], n * sizeof(double));
}

uint32_t scree_pair_append(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint32_t a, uint32_t b, scree_cells shift, uint32_t n_parts)
{
    const uint32_t p = s->n_pairs, at = scree_segment_parts(s);
    scree_segment_reserve(sim, list, s, p + 1, at + n_parts);
    s->n_pairs++;
    s->a[p] = a;
    s->b[p] = b;
    if (s->shift)
        s->shift[p] = shift;
    if (!s->first)
        return p;
    s->first[p] = at;
    s->first[p + 1] = at + n_parts;
    memset(s->part_a + at, 0, n_parts * sizeof *s->part_a);
    memset(s->part_b + at, 0, n_parts * sizeof *s->part_b);
    return p;
}

/** Carries hints to the parts of pair p; those of new parts are zero. */
static void carry_hints(const scree_list *list, const scree_segment *from, uint32_t q,
                        const scree_segment *s, uint32_t p)
{
    const size_t bytes = list->hint_bytes;
    const uint32_t first = s->first ? s->first[p] : p, end = s->first ? s->first[p + 1] : p + 1;
    const uint32_t begin = q == SCREE_NONE ? 0 : from->first ? from->first[q] : q;
    const uint32_t last = q == SCREE_NONE ? 0 : from->first ? from->first[q + 1] : q + 1;
    for (uint32_t k = first; k < end; k++) {
        memset(s->hints + k * bytes, 0, bytes);
        for (uint32_t j = begin; j < last; j++)
            if (!s->first || (from->part_a[j] == s->part_a[k] && from->part_b[j] == s->part_b[k]))
                memcpy(s->hints + k * bytes, from->hints + j * bytes, bytes);
    }
}

void scree_pair_carry(const scree_sim *sim, const scree_list *list, const scree_segment *from,
                      uint32_t q, const scree_segment *s, uint32_t p)
{
    const uint32_t c = sim->contacts.committed, n = sim->plugins.contact.n_pair_fields;
    const bool had = q != SCREE_NONE;
    if (s->keep)
        s->keep[p] = had ? from->keep[q] : 0;
    if (n)
        s->alive[c][p] = had ? from->alive[c][q] : 0;
    for (uint32_t f = 0; f < n; f++)
        s->pair_field[c][f][p] =
            had ? from->pair_field[c][f][q] : sim->plugins.contact.pair_initial[f];
    if (list->hint_bytes)
        carry_hints(list, from, q, s, p);
}

void scree_table_copy(const scree_sim *sim, const scree_table *from, uint64_t c,
                      const scree_table *to, uint64_t k)
{
    if (to->feature)
        to->feature[k] = from->feature[c];
    if (to->keep)
        to->keep[k] = from->keep[c];
    if (to->stored)
        to->stored[k] = from->stored[c];
    for (uint32_t f = 0; f < sim->plugins.contact.n_fields; f++)
        to->field[f][k] = from->field[f][c];
}

static void clear_segment(const scree_sim *sim, scree_segment *s)
{
    const scree_array fields = field_row(sim->plugins.contact.n_pair_fields);
    scree_arrays_free(s, pair_arrays);
    free(s->first);
    scree_balls_forget(s);
    free(s->hints);
    free(s->near);
    free(s->loads);
    free(s->rate_loads);
    free(s->records.bytes);
    free(s->law_records.bytes);
    free(s->surveyed);
    free(s->touching);
    free(s->ended);
    free(s->parted);
    free(s->heats);
    for (int k = 0; k < 2; k++) {
        if (s->pair_field[k])
            scree_arrays_free(s->pair_field[k], (scree_arrays){&fields, 1});
        g_free(s->pair_field[k]);
        clear_table(&s->table[k], sim->plugins.contact.n_fields);
    }
    memset(s, 0, sizeof *s);
}

void scree_lists_free(scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list *list = &sim->plugins.contact.lists[l];
        for (uint32_t k = 0; k < list->n_segments; k++)
            clear_segment(sim, &list->segments[k]);
        g_free(list->segments);
    }
    g_clear_pointer(&sim->plugins.contact.lists, g_free);
    sim->plugins.contact.n_lists = 0;
}

static scree_contact_key key_of(const scree_sim *sim, bool pairs, uint64_t number)
{
    return scree_contact_key_at(sim, pairs, scree_segment_at(sim, number >> 32), (uint32_t)number);
}

/** Contacts of a run, or pairs with fields, during sorting. */
typedef struct by_body {
    const scree_sim *sim;
    bool pairs;
    const uint32_t *rank; /* [bodies] rank by id */
    uint32_t *start;      /* [bodies + 2] by rank: the first one, once all are placed */
    uint64_t *number;
} by_body;

/** Counts, or (!count) places, the contacts of each body a. */
static void scatter(const by_body *to, bool count)
{
    const scree_sim *sim = to->sim;
    const uint32_t c = sim->contacts.committed;
    const uint32_t n_segments = scree_segment_count(sim);
    for (uint64_t k = 0; k < n_segments; k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_table *t = &s->table[c];
        uint64_t n = to->pairs ? s->n_pairs : t->n;
        for (uint64_t i = 0; i < n; i++) {
            if (to->pairs && !s->alive[c][i])
                continue;
            uint32_t *start = to->start + to->rank[s->a[to->pairs ? i : t->pair[i]]];
            if (count)
                start[2]++;
            else
                to->number[start[1]++] = k << 32 | i;
        }
    }
}

static int compare_numbers(const void *a, const void *b, void *user)
{
    const by_body *of = user;
    scree_contact_key of_a = key_of(of->sim, of->pairs, *(const uint64_t *)a);
    scree_contact_key of_b = key_of(of->sim, of->pairs, *(const uint64_t *)b);
    return scree_contact_key_compare(&of_a, &of_b);
}

/** Sorts the few contacts of one body by key. */
static void sort_body(by_body *of, uint64_t *number, uint32_t n)
{
    enum { FEW = 16 };
    scree_contact_key key[FEW];
    if (n > FEW) {
        qsort_r(number, n, sizeof *number, compare_numbers, of);
        return;
    }
    if (n < 2)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t one = number[i];
        const scree_contact_key its = key_of(of->sim, of->pairs, one);
        uint32_t at = i;
        for (; at > 0 && scree_contact_key_compare(&key[at - 1], &its) > 0; at--) {
            number[at] = number[at - 1];
            key[at] = key[at - 1];
        }
        number[at] = one;
        key[at] = its;
    }
}

static void put_in_order(scree_contact_order *order, bool pairs, const uint32_t *rank)
{
    scree_scratch *scratch = order->sim->scratch;
    const uint32_t n = order->sim->world->n;
    uint32_t *start = scree_scratch_take(scratch, ((size_t)n + 2) * sizeof *start);
    by_body of = {order->sim, pairs, rank, start, NULL};
    memset(start, 0, ((size_t)n + 2) * sizeof *start);
    scatter(&of, true);
    for (uint32_t i = 2; i < n + 2; i++)
        start[i] += start[i - 1];
    order->n[pairs] = start[n + 1];
    of.number = order->number[pairs] =
        scree_scratch_take(scratch, start[n + 1] * sizeof *of.number);
    scatter(&of, false);
    for (uint32_t i = 0; i < n; i++)
        sort_body(&of, of.number + start[i], start[i + 1] - start[i]);
    scree_scratch_give(scratch, start);
}

void scree_contact_order_begin(const scree_sim *sim, scree_contact_order *order)
{
    scree_world *w = sim->world;
    const uint64_t length = scree_body_table_length(w);
    scree_world_lend(w, sim->scratch);
    *order = (scree_contact_order){.sim = sim};
    order->by_id = scree_scratch_take(sim->scratch, w->n * sizeof *order->by_id);
    uint32_t *table = length ? scree_scratch_take(sim->scratch, length * sizeof *table) : NULL;
    scree_body_index_fill(w, order->by_id, table);
    scree_scratch_give(sim->scratch, table);
    uint32_t *rank = scree_scratch_take(sim->scratch, w->n * sizeof *rank);
    for (uint32_t i = 0; i < w->n; i++)
        rank[order->by_id[i]] = i;
    put_in_order(order, false, rank);
    if (sim->plugins.contact.n_pair_fields)
        put_in_order(order, true, rank);
    scree_scratch_give(sim->scratch, rank);
}

void scree_contact_order_end(scree_contact_order *order)
{
    scree_scratch_end(order->sim->scratch);
}

void scree_contact_order_each(const scree_contact_order *order, bool pairs, uint64_t first,
                              uint64_t n, scree_contact_fn take, void *user)
{
    const scree_segment *s = NULL;
    uint64_t of = UINT64_MAX; // the segment is usually that of the previous contact
    for (uint64_t i = first; i < first + n; i++) {
        const uint64_t number = order->number[pairs][i];
        if (number >> 32 != of)
            s = scree_segment_at(order->sim, of = number >> 32);
        take(user, s, (uint32_t)number);
    }
}

scree_contact_key scree_contact_key_at(const scree_sim *sim, bool pairs, const scree_segment *s,
                                       uint32_t at)
{
    const scree_table *t = &s->table[sim->contacts.committed];
    const uint32_t p = pairs ? at : t->pair[at];
    return scree_contact_key_of(sim->world, s, p, pairs || !t->feature ? 0 : t->feature[at]);
}

void scree_contacts_count(const scree_sim *sim, uint64_t *n, uint64_t *n_pairs)
{
    const uint32_t n_segments = scree_segment_count(sim);
    *n = *n_pairs = 0;
    for (uint64_t k = 0; k < n_segments; k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        *n += s->table[sim->contacts.committed].n;
        if (sim->plugins.contact.n_pair_fields)
            for (uint32_t p = 0; p < s->n_pairs; p++)
                *n_pairs += s->alive[sim->contacts.committed][p];
    }
}

static void collect_contact(const scree_sim *sim, const scree_segment *s, uint32_t at,
                            scree_contact_store *store)
{
    uint32_t n_fields = sim->plugins.contact.n_fields;
    const scree_table *t = &s->table[sim->contacts.committed];
    uint64_t i = store->n++;
    store->key[i] = scree_contact_key_at(sim, false, s, at);
    store->keep[i] = t->keep ? t->keep[at] : 0;
    store->stored[i] = t->stored ? t->stored[at] : 0.0;
    for (uint32_t f = 0; f < n_fields; f++)
        store->field[i * n_fields + f] = t->field[f][at];
}

static void collect_pair(const scree_sim *sim, const scree_segment *s, uint32_t at,
                         scree_contact_store *store)
{
    uint32_t n_fields = sim->plugins.contact.n_pair_fields;
    uint64_t i = store->n_pairs++;
    store->pair_key[i] = scree_contact_key_at(sim, true, s, at);
    for (uint32_t f = 0; f < n_fields; f++)
        store->pair_field[i * n_fields + f] = s->pair_field[sim->contacts.committed][f][at];
}

static scree_contact_store *make_store(const scree_sim *sim)
{
    scree_contact_store *store = g_new0(scree_contact_store, 1);
    uint64_t n, n_pairs;
    scree_contacts_count(sim, &n, &n_pairs);
    store->key = g_new(scree_contact_key, n + 1);
    store->keep = g_new(uint8_t, n + 1);
    store->stored = g_new(double, n + 1);
    store->field = g_new(double, n * sim->plugins.contact.n_fields + 1);
    store->pair_key = g_new(scree_contact_key, n_pairs + 1);
    store->pair_field = g_new(double, n_pairs * sim->plugins.contact.n_pair_fields + 1);
    return store;
}

scree_contact_store *scree_contacts_collect(const scree_sim *sim)
{
    scree_contact_store *store = make_store(sim);
    const uint32_t n_segments = scree_segment_count(sim);
    for (uint64_t k = 0; k < n_segments; k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        for (uint64_t i = 0; i < s->table[sim->contacts.committed].n; i++)
            collect_contact(sim, s, (uint32_t)i, store);
    }
    for (uint64_t k = 0; sim->plugins.contact.n_pair_fields && k < n_segments; k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        for (uint32_t p = 0; p < s->n_pairs; p++)
            if (s->alive[sim->contacts.committed][p])
                collect_pair(sim, s, p, store);
    }
    return store;
}

static int compare_places(const void *a, const void *b, void *keys)
{
    const scree_contact_key *key = keys;
    return scree_contact_key_compare(&key[*(const uint64_t *)a], &key[*(const uint64_t *)b]);
}

/** Copies the n elements of an array in the order of `place` to a new array with room for one more,
 * as a store needs (change/swap_apply.c copies it); frees the old one. */
static void reorder_rows(void *array_ptr, uint64_t n, const uint64_t *place, size_t size)
{
    char *old, *sorted = g_malloc0((n + 1) * size + 1);
    memcpy(&old, array_ptr, sizeof old);
    for (uint64_t i = 0; i < n; i++)
        memcpy(sorted + i * size, old + place[i] * size, size);
    g_free(old);
    memcpy(array_ptr, &sorted, sizeof sorted);
}

static uint64_t *sorted_places(const scree_contact_key *key, uint64_t n)
{
    uint64_t *place = g_new(uint64_t, n + 1);
    for (uint64_t i = 0; i < n; i++)
        place[i] = i;
    qsort_r(place, n, sizeof *place, compare_places, (void *)key);
    return place;
}

void scree_contact_store_sort(scree_contact_store *store, uint32_t n_fields, uint32_t n_pair_fields)
{
    g_autofree uint64_t *place = sorted_places(store->key, store->n);
    g_autofree uint64_t *pair_place = sorted_places(store->pair_key, store->n_pairs);
    reorder_rows(&store->key, store->n, place, sizeof *store->key);
    reorder_rows(&store->keep, store->n, place, sizeof *store->keep);
    reorder_rows(&store->stored, store->n, place, sizeof *store->stored);
    reorder_rows(&store->field, store->n, place, n_fields * sizeof *store->field);
    reorder_rows(&store->pair_key, store->n_pairs, pair_place, sizeof *store->pair_key);
    reorder_rows(&store->pair_field, store->n_pairs, pair_place,
                 n_pair_fields * sizeof *store->pair_field);
}

scree_contact_store *scree_contacts_export(const scree_sim *sim)
{
    scree_contact_store *store = scree_contacts_collect(sim);
    scree_contact_store_sort(store, sim->plugins.contact.n_fields,
                             sim->plugins.contact.n_pair_fields);
    return store;
}

scree_contact_store *scree_contact_store_map(const scree_contact_store *from, const GArray *fields,
                                             uint32_t n_old, const GArray *pair_fields,
                                             uint32_t n_old_pair, const uint8_t keep[8])
{
    scree_contact_store *to = g_new0(scree_contact_store, 1);
    to->n = from->n;
    to->n_pairs = pair_fields->len ? from->n_pairs : 0;
    to->key = g_memdup2(from->key, from->n * sizeof *from->key);
    to->keep = g_new0(uint8_t, from->n + 1);
    to->stored = g_memdup2(from->stored, from->n * sizeof *from->stored);
    to->field = scree_columns_rows(fields, from->n, n_old, from->field, NULL);
    to->pair_key = g_memdup2(from->pair_key, from->n_pairs * sizeof *from->pair_key);
    to->pair_field =
        scree_columns_rows(pair_fields, to->n_pairs, n_old_pair, from->pair_field, NULL);
    for (uint64_t i = 0; i < to->n; i++)
        for (int k = 0; from->keep[i] >> k; k++)
            to->keep[i] |= from->keep[i] >> k & 1 ? keep[k] : 0;
    return to;
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

/** Drops the contacts of removed pairs from a table. */
static void drop_contacts(const scree_sim *sim, const scree_segment *s, scree_table *t)
{
    uint64_t kept = 0;
    for (uint64_t c = 0; c < t->n; c++) {
        if (s->a[t->pair[c]] == SCREE_NONE)
            continue;
        t->pair[kept] = t->pair[c];
        scree_table_copy(sim, t, c, t, kept++);
    }
    t->n = kept;
}

static void renumber_segment(const scree_sim *sim, scree_segment *s, const uint32_t *new_of_old)
{
    bool dropped = false;
    for (uint32_t p = 0; p < s->n_pairs; p++) {
        uint32_t a = s->a[p], b = s->b[p];
        if (a == SCREE_NONE)
            continue;
        s->a[p] = new_of_old[a];
        s->b[p] = new_of_old[b];
        if (s->a[p] == SCREE_NONE || s->b[p] == SCREE_NONE) {
            s->a[p] = s->b[p] = SCREE_NONE;
            dropped = true;
            if (s->keep)
                s->keep[p] = 0;
            if (sim->plugins.contact.n_pair_fields)
                s->alive[sim->contacts.committed][p] = 0;
        } else if (s->shift && (a < b) != (s->a[p] < s->b[p]) && a != b) {
            s->shift[p] = scree_shift_negate(s->shift[p]); // row and column have changed places
        }
    }
    if (dropped)
        drop_contacts(sim, s, &s->table[sim->contacts.committed]);
    s->n_loads = s->n_ended = s->n_heats = s->n_touching = 0;
    s->table[1 - sim->contacts.committed].n = 0;
}

void scree_contacts_renumber(scree_sim *sim, const uint32_t *new_of_old)
{
    for (uint32_t i = 0; i < scree_segment_count(sim); i++)
        renumber_segment(sim, scree_segment_at(sim, i), new_of_old);
    sim->contacts.stale = true;
    sim->contacts.ordered = false;
}

/** Destination of a store's contacts and pairs: segment (0, 0) of a list, or the one towards bodies
 * that are not free. */
typedef struct importer {
    scree_sim *sim;
    const scree_contact_store *store;
    const uint32_t *table, *by_id; /* body_index.h; table NULL: by_id is used */
} importer;

static uint32_t import_body(const importer *in, uint64_t id)
{
    const scree_world *w = in->sim->world;
    if (!in->table)
        return scree_body_index_find(w, in->by_id, id);
    return id < w->next_id ? in->table[id] : SCREE_NONE;
}

/** Returns the segment of a key, and its pair there, which is appended unless it is the last one.
 * NULL: a body is missing. */
static scree_segment *import_pair(const importer *in, const scree_contact_key *key,
                                  scree_list **list_out, uint32_t *pair)
{
    scree_sim *sim = in->sim;
    const uint32_t a = import_body(in, key->id_a), b = import_body(in, key->id_b);
    const uint32_t n_free = sim->world->n_free;
    if (a == SCREE_NONE || b == SCREE_NONE || MIN(a, b) >= n_free)
        return NULL;
    const uint8_t l = scree_list_of(sim, a, b);
    if (l == UINT8_MAX)
        return NULL;
    scree_list *list = *list_out = &sim->plugins.contact.lists[l];
    scree_segment *s = &list->segments[MAX(a, b) >= n_free];
    const scree_cells shift = a > b ? scree_shift_negate(key->shift) : key->shift;
    const uint32_t n = s->n_pairs;
    *pair = n - 1;
    if (n && s->a[n - 1] == a && s->b[n - 1] == b && (!s->shift || s->shift[n - 1] == shift))
        return s;
    // a pair that is kept only for its history has part 0 of both bodies
    *pair = scree_pair_append(sim, list, s, a, b, shift, 1);
    scree_pair_carry(sim, list, NULL, SCREE_NONE, s, *pair);
    return s;
}

static void import_contact(const importer *in, uint64_t from)
{
    const scree_sim *sim = in->sim;
    const scree_contact_store *store = in->store;
    scree_list *list;
    uint32_t p;
    scree_segment *s = import_pair(in, &store->key[from], &list, &p);
    if (!s)
        return;
    scree_table *t = &s->table[sim->contacts.committed];
    scree_table_reserve(sim, t, list->single, t->n + 1);
    t->pair[t->n] = p;
    if (t->feature)
        t->feature[t->n] = store->key[from].feature;
    if (t->keep) {
        t->keep[t->n] = store->keep[from];
        s->keep[p] |= store->keep[from] != 0;
    }
    if (t->stored)
        t->stored[t->n] = store->stored[from];
    for (uint32_t f = 0; f < sim->plugins.contact.n_fields; f++)
        t->field[f][t->n] = store->field[from * sim->plugins.contact.n_fields + f];
    t->n++;
}

static void import_fields(const importer *in, uint64_t from)
{
    const scree_sim *sim = in->sim;
    scree_list *list;
    uint32_t p;
    scree_segment *s = import_pair(in, &in->store->pair_key[from], &list, &p);
    if (!s)
        return;
    s->alive[sim->contacts.committed][p] = 1;
    for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
        s->pair_field[sim->contacts.committed][f][p] =
            in->store->pair_field[from * sim->plugins.contact.n_pair_fields + f];
}

void scree_contacts_import(scree_sim *sim, const scree_contact_store *store)
{
    g_autofree uint32_t *table = scree_body_table_new(sim->world);
    g_autofree uint32_t *by_id = table ? NULL : scree_body_index_new(sim->world);
    const importer in = {sim, store, table, by_id};
    uint32_t want = sim->contacts.want_blocks;
    uint64_t c = 0, p = 0;
    sim->contacts.want_blocks = 1;
    scree_blocks_cut(sim, NULL, 0);
    sim->contacts.want_blocks = want;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
        scree_list_resize(&sim->plugins.contact.lists[l], sim->contacts.n_blocks);
        for (uint32_t k = 0; k < sim->plugins.contact.lists[l].n_segments; k++)
            sim->plugins.contact.lists[l].segments[k].table[0].n =
                sim->plugins.contact.lists[l].segments[k].table[1].n = 0;
    }
    // Both are sorted by key: entries of a pair are consecutive.
    while (c < store->n || p < store->n_pairs)
        if (c < store->n && (p == store->n_pairs || scree_contact_key_compare_pair(
                                                        &store->key[c], &store->pair_key[p]) <= 0))
            import_contact(&in, c++);
        else
            import_fields(&in, p++);
    sim->boxes.valid = sim->boxes.numbered = false; // a partial refresh needs all candidates
    sim->contacts.stale = true;
    sim->contacts.ordered = false;
    sim->plugins.contact.any_unset = true; // checked by the first evaluation
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        sim->plugins.contact.laws[l].unset = true;
}
