/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the pairs of blocks to their segments, page by page, in canonical order. */
#include "engine/row_writer.h"

#include <string.h>

#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/pair_history.h"
#include "engine/search.h"
#include "engine/tight_boxes.h"

/** A candidate in its row; parts and shift only where slots are not bodies. */
typedef struct element {
    uint32_t row, col, of_a, of_b; /* of_a, of_b: parts */
    scree_cells shift;
    scree_pair slots;
} element;

/** Work of a lane on the segments of a block. */
typedef struct writer {
    scree_sim *sim;
    uint32_t lane, block, width; /* width: number of segments (block, B) of a list */
    uint32_t first, n_rows;      /* rows of the page */
    scree_cursor *cursors;       /* [lists][width] */
    uint64_t *entry, n, room;    /* words of the page; room: number of elements */
    uint32_t *column;            /* [room] sorted by row, if slots are bodies */
    element *element, *sorted;   /* [room] otherwise */
    uint32_t *start;             /* [rows + 2] */
    GArray *missing;             /* elements: pairs with history that nobody found; NULL: none */
} writer;

/** Returns whether the column is a: the lower shape type, then the lower id. */
static inline bool column_is_a(const scree_sim *sim, uint32_t row, uint32_t col)
{
    const uint8_t *types = sim->search.raw.types;
    return types[row] != types[col] ? types[col] < types[row]
                                    : sim->world->id[col] < sim->world->id[row];
}

/** Defines a sort of n values of a row, most of them by insertion. */
#define SORT(name, type, after)                                                                    \
    static void name(type *v, uint32_t n)                                                          \
    {                                                                                              \
        static const uint32_t gaps[] = {100003, 20011, 4001, 701, 132, 23, 4, 1};                  \
        for (uint32_t g = n > 16 ? 0 : 7; g < 8; g++)                                              \
            for (uint32_t i = gaps[g]; i < n; i++) {                                               \
                const type one = v[i];                                                             \
                uint32_t j = i;                                                                    \
                for (; j >= gaps[g] && after(&v[j - gaps[g]], &one); j -= gaps[g])                 \
                    v[j] = v[j - gaps[g]];                                                         \
                v[j] = one;                                                                        \
            }                                                                                      \
    }

static inline bool column_after(const uint32_t *a, const uint32_t *b)
{
    return *a > *b;
}

/** Compares elements of a row up to their parts. */
static inline int compare_elements(const element *a, const element *b)
{
#define BY(member)                                                                                 \
    if (a->member != b->member)                                                                    \
    return a->member < b->member ? -1 : 1
    BY(col);
    BY(shift);
    BY(of_a);
    BY(of_b);
    return 0;
}

static inline bool element_after(const element *a, const element *b)
{
    const int places = compare_elements(a, b);
    return places
               ? places > 0
               : a->slots.a > b->slots.a || (a->slots.a == b->slots.a && a->slots.b > b->slots.b);
}

SORT(sort_columns, uint32_t, column_after)
SORT(sort_elements, element, element_after)

/** Makes room for n elements. */
static void reserve_page(writer *w, uint64_t n)
{
    scree_scratch *scratch = w->sim->scratch;
    const bool simple = w->sim->boxes.simple;
    if (n <= w->room)
        return;
    w->room = n + n / 2 + 256;
    uint64_t *grown = scree_scratch_take(scratch, 2 * w->room * sizeof *grown);
    if (w->n)
        memcpy(grown, w->entry, w->n * w->sim->search.raw.width * sizeof *grown);
    scree_scratch_give(scratch, w->entry);
    scree_scratch_give(scratch, w->column);
    scree_scratch_give(scratch, w->element);
    w->entry = grown;
    w->column = simple ? scree_scratch_take(scratch, w->room * sizeof *w->column) : NULL;
    w->element = simple ? NULL : scree_scratch_take(scratch, 2 * w->room * sizeof *w->element);
    w->sorted = simple ? NULL : w->element + w->room;
}

static void add_entry(writer *w, uint32_t row, uint32_t col, uint32_t part)
{
    const uint32_t width = w->sim->search.raw.width;
    reserve_page(w, w->n + 1);
    w->entry[w->n * width] = (uint64_t)row << 32 | col;
    if (width == 2)
        w->entry[w->n * width + 1] = part;
    w->n++;
}

/** Finds how far the extents of the page's bodies reach beyond plane p; slot i is body i. */
static void plane_margins(const writer *w, uint32_t p, const double normal[3], double moves,
                          double *margin)
{
    const scree_world *world = w->sim->world;
    const scree_box_set *set = &w->sim->boxes;
    const double *x = set->centre[0] + w->first, *y = set->centre[1] + w->first;
    const double *z = set->centre[2] + w->first, *radius = set->radius + w->first;
    const double px = world->x[0][p], py = world->x[1][p], pz = world->x[2][p];
    for (uint32_t i = 0; i < w->n_rows; i++)
        margin[i] = radius[i] + moves -
                    (normal[0] * (x[i] - px) + normal[1] * (y[i] - py) + normal[2] * (z[i] - pz));
}

/** Adds candidates with planes: parts whose extent reaches the solid side. */
static void add_planes(writer *w)
{
    const scree_sim *sim = w->sim;
    const scree_world *world = sim->world;
    const scree_box_set *set = &sim->boxes;
    double normal[3], margin[1 << SCREE_PAGE_BITS];
    for (uint32_t p = scree_world_first_plane(world); p < world->n; p++) {
        const double moves = set->ref[4 * (size_t)p + 3] + 0.5 * sim->plugins.contact.range;
        scree_plane_normal(world, p, normal);
        if (set->simple)
            plane_margins(w, p, normal, moves, margin);
        for (uint32_t i = 0; i < w->n_rows; i++) {
            const uint32_t row = w->first + i;
            if (set->simple && margin[i] >= 0.0)
                add_entry(w, row, p, 0);
            for (uint32_t part = 0; !set->simple && part < scree_parts_of(world, row); part++)
                if (scree_reaches_plane(sim, set->slot[set->part_first[row] + part], p))
                    add_entry(w, row, p, part);
        }
    }
}

/** Gathers the entries of a page, and adds those with planes. */
static void gather_page(writer *w, uint32_t page)
{
    const scree_raw *raw = &w->sim->search.raw;
    w->first = page << raw->bits;
    w->n_rows = MIN(1u << raw->bits, w->sim->world->n_free - w->first);
    w->n = 0;
    reserve_page(w, scree_search_count(w->sim, page));
    uint64_t *to = w->entry;
    for (uint32_t lane = 0; lane < scree_pool_lanes(w->sim->runtime.pool); lane++) {
        const scree_bucket *bucket = &w->sim->search.sinks[lane].buckets[page];
        for (const scree_chunk *c = bucket->first; c; c = c->next) {
            const uint32_t n = scree_chunk_filled(raw, bucket, c);
            if (n)
                memcpy(to, c->word, n * sizeof *to);
            to += n;
        }
    }
    w->n = (uint64_t)(to - w->entry) / raw->width;
    add_planes(w);
}

/** Turns numbers of elements in start[row + 2] into the rows' starts in start[row + 1]. */
static void start_rows(writer *w)
{
    for (uint32_t row = 2; row < w->n_rows + 2; row++)
        w->start[row] += w->start[row - 1];
}

/** Makes room for another pair or part. */
static void widen_segment(const writer *w, scree_cursor *c)
{
    const uint64_t n = c->s->n_pairs;
    scree_segment_reserve(w->sim, c->list, c->s, n + 1, c->s->first ? c->s->first[n] + 1 : n + 1);
    c->n_room = c->s->pair_capacity - 8;
}

/** Passes pairs before `key` and `shift` that may end and were not found. */
static void pass_lost(scree_cursor *c, uint64_t key, scree_cells shift)
{
    for (; c->at < c->n && !scree_history_stays(&c->previous, c->number[c->at]); c->at++) {
        const scree_cells *of = c->previous.shift;
        if (c->was[c->at] > key || (c->was[c->at] == key && !(of && of[c->number[c->at]] < shift)))
            break;
        c->now[c->at] = SCREE_NONE;
    }
}

/** Appends a pair to its segment; if it is the next one with history, notes its number. */
static inline void put_pair(const writer *w, scree_cursor *c, uint32_t row, uint32_t col,
                            scree_cells shift, bool swap)
{
    scree_segment *s = c->s;
    const uint32_t p = s->n_pairs;
    const uint64_t key = (uint64_t)row << 32 | col;
    if (G_UNLIKELY(p >= c->n_room))
        widen_segment(w, c);
    if (G_UNLIKELY(c->number))
        pass_lost(c, key, shift);
    s->a[p] = swap ? col : row;
    s->b[p] = swap ? row : col;
    c->now[c->at] = p; // a number without history is written over
    c->at += c->was[c->at] == key &&
             (!c->previous.shift || c->previous.shift[c->number[c->at]] == shift);
    if (s->shift)
        s->shift[p] = shift;
    if (s->first)
        s->first[p + 1] = s->first[p];
    s->n_pairs = p + 1;
}

/** Appends parts to the last pair of a segment. */
static void append_parts(const writer *w, scree_cursor *c, uint32_t of_a, uint32_t of_b)
{
    scree_segment *s = c->s;
    const uint32_t p = s->n_pairs;
    if (s->first[p] + (uint64_t)8 >= s->part_capacity)
        widen_segment(w, c);
    s->part_a[s->first[p]] = of_a;
    s->part_b[s->first[p]] = of_b;
    s->first[p]++;
}

/** Writes a row of columns. */
static void write_columns(const writer *w, uint32_t row, const uint32_t *column, uint32_t n)
{
    const scree_contact_plugins *contact = &w->sim->plugins.contact;
    const uint32_t *first = w->sim->contacts.block_first + w->block;
    const uint8_t *types = w->sim->search.raw.types, type = types[row];
    const uint64_t *id = w->sim->world->id, own = id[row];
    for (uint32_t k = 0, B = 0; k < n; k++) {
        const uint32_t col = column[k];
        const uint8_t other = types[col], list = contact->list_of[type][other];
        if (k > 0 && column[k - 1] == col) {
            scree_search_fault(w->sim, w->lane, (scree_pair){row, col}, "emitted twice");
            continue;
        }
        while (B + 1 < w->width && col >= first[B + 1])
            B++;
        if (list == UINT8_MAX)
            continue;
        scree_cursor *c = &w->cursors[list * w->width + B];
        put_pair(w, c, row, col, SCREE_SHIFT_ZERO, type != other ? other < type : id[col] < own);
        if (c->s->first)
            append_parts(w, c, 0, 0);
    }
}

/** Sorts and writes a page whose slots are bodies. */
static void write_plain_page(writer *w)
{
    uint32_t *start = w->start;
    for (guint k = 0; w->missing && k < w->missing->len; k++) {
        const element *e = &g_array_index(w->missing, element, k);
        add_entry(w, e->row, e->col, 0);
    }
    if (w->missing)
        g_array_set_size(w->missing, 0);
    memset(start, 0, (w->n_rows + 2) * sizeof *start);
    for (uint64_t k = 0; k < w->n; k++)
        start[(w->entry[k] >> 32) - w->first + 2]++;
    start_rows(w);
    for (uint64_t k = 0; k < w->n; k++)
        w->column[start[(w->entry[k] >> 32) - w->first + 1]++] = (uint32_t)w->entry[k];
    for (uint32_t i = 0; i < w->n_rows; i++) {
        const uint32_t n = start[i + 1] - start[i];
        if (n > 1)
            sort_columns(w->column + start[i], n);
        if (n)
            write_columns(w, w->first + i, w->column + start[i], n);
    }
}

/** Translates an entry. */
static element decode(const scree_sim *sim, const uint64_t entry[2])
{
    scree_found d = {(uint32_t)(entry[0] >> 32), (uint32_t)entry[0], (uint32_t)entry[1], 0,
                     SCREE_SHIFT_ZERO};
    element e = {.slots = {(uint32_t)(entry[1] >> 32), (uint32_t)entry[1]}};
    if (d.col >= scree_world_first_plane(sim->world))
        e.slots.a = SCREE_NO_SLOT;
    else if (e.slots.a == SCREE_NO_SLOT)
        d = g_array_index(sim->contacts.extra, scree_found, e.slots.b);
    else
        scree_search_decode(sim, e.slots, &d);
    const bool swap = column_is_a(sim, d.row, d.col);
    e.row = d.row;
    e.col = d.col;
    e.shift = d.shift;
    e.of_a = swap ? d.part_col : d.part_row;
    e.of_b = swap ? d.part_row : d.part_col;
    return e;
}

/** Writes an element: to the last pair, if it is of the same bodies and shift. */
static void write_element(const writer *w, scree_cursor *c, const element *e)
{
    const scree_segment *s = c->s;
    const uint32_t p = s->n_pairs;
    const bool joins = s->first && p && scree_pair_row(s, p - 1) == e->row &&
                       scree_pair_column(s, p - 1) == e->col &&
                       (!s->shift || s->shift[p - 1] == e->shift);
    if (!joins)
        put_pair(w, c, e->row, e->col, e->shift, column_is_a(w->sim, e->row, e->col));
    if (s->first)
        append_parts(w, c, e->of_a, e->of_b);
}

/** Writes a row of elements. */
static void write_elements(const writer *w, const element *e, uint32_t n)
{
    const uint32_t *first = w->sim->contacts.block_first + w->block;
    const uint8_t *types = w->sim->search.raw.types;
    for (uint32_t k = 0, B = 0; k < n; k++) {
        const uint8_t list = w->sim->plugins.contact.list_of[types[e[k].row]][types[e[k].col]];
        if (k > 0 && compare_elements(&e[k - 1], &e[k]) == 0) {
            if (e[k].slots.a != SCREE_NO_SLOT && e[k].slots.a == e[k - 1].slots.a &&
                e[k].slots.b == e[k - 1].slots.b)
                scree_search_fault(w->sim, w->lane, e[k].slots, "emitted twice");
            continue;
        }
        while (B + 1 < w->width && e[k].col >= first[B + 1])
            B++;
        if (list != UINT8_MAX)
            write_element(w, &w->cursors[list * w->width + B], &e[k]);
    }
}

/** Sorts and writes a page of parts or images. */
static void write_page(writer *w)
{
    const guint n_missing = w->missing ? w->missing->len : 0;
    const uint64_t n = w->n + n_missing;
    uint32_t *start = w->start;
    reserve_page(w, n);
    for (uint64_t k = 0; k < w->n; k++)
        w->element[k] = decode(w->sim, w->entry + 2 * k);
    for (guint k = 0; k < n_missing; k++)
        w->element[w->n + k] = g_array_index(w->missing, element, k);
    memset(start, 0, (w->n_rows + 2) * sizeof *start);
    for (uint64_t k = 0; k < n; k++)
        start[w->element[k].row - w->first + 2]++;
    start_rows(w);
    for (uint64_t k = 0; k < n; k++)
        w->sorted[start[w->element[k].row - w->first + 1]++] = w->element[k];
    for (uint32_t i = 0; i < w->n_rows; i++) {
        sort_elements(w->sorted + start[i], start[i + 1] - start[i]);
        write_elements(w, w->sorted + start[i], start[i + 1] - start[i]);
    }
}

/** Adds a pair with history, with all its parts, to the missing ones. */
static void add_missing(writer *w, const scree_cursor *c)
{
    const scree_previous_pairs *previous = &c->previous;
    const uint32_t q = c->number ? c->number[c->at] : 0;
    const uint8_t *types = w->sim->search.raw.types;
    const uint8_t list =
        w->sim->plugins.contact.list_of[types[c->was[c->at] >> 32]][types[(uint32_t)c->was[c->at]]];
    g_assert(list != UINT8_MAX && &w->sim->plugins.contact.lists[list] == c->list);
    const uint32_t first = previous->first ? previous->first[q] : 0;
    const uint32_t n = previous->first ? previous->first[q + 1] - first : 1;
    for (uint32_t j = first; j < first + n; j++) {
        const element e = {.row = (uint32_t)(c->was[c->at] >> 32),
                           .col = (uint32_t)c->was[c->at],
                           .of_a = previous->first ? previous->part_a[j] : 0,
                           .of_b = previous->first ? previous->part_b[j] : 0,
                           .shift = previous->shift ? previous->shift[q] : SCREE_SHIFT_ZERO,
                           .slots = {SCREE_NO_SLOT, 0}};
        g_array_append_val(w->missing, e);
    }
}

/** After a page: returns whether pairs with history are missing, notes them, and takes the page's
 * pairs back. */
static bool find_missing(writer *w)
{
    const uint64_t begin = (uint64_t)w->first << 32, end = (uint64_t)(w->first + w->n_rows) << 32;
    const uint32_t n = w->sim->plugins.contact.n_lists * w->width;
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        scree_cursor *c = &w->cursors[k];
        if (c->number)
            pass_lost(c, end, 0);
        if (c->was[c->at] >= end)
            continue;
        if (!w->missing)
            w->missing = g_array_new(FALSE, FALSE, sizeof(element));
        add_missing(w, c);
        any = true;
    }
    if (!any)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        scree_cursor *c = &w->cursors[k];
        while (c->s->n_pairs && scree_pair_row(c->s, c->s->n_pairs - 1) >= w->first)
            c->s->n_pairs--;
        while (c->at && c->was[c->at - 1] >= begin)
            c->at--;
    }
    return true;
}

/* ---- blocks ---- */

/** If the segments seem too small, counts their entries and makes room for these. */
static void reserve_block(const writer *w, uint32_t first_page, uint32_t end_page)
{
    const scree_sim *sim = w->sim;
    const scree_raw *raw = &sim->search.raw;
    const uint32_t n_cursors = sim->plugins.contact.n_lists * w->width;
    uint64_t n = 0, room = 0;
    for (uint32_t page = first_page; page < end_page; page++)
        n += scree_search_count(sim, page);
    for (uint32_t k = 0; k < n_cursors; k++)
        room += w->cursors[k].n_room;
    if (n <= room)
        return;
    uint32_t *count = scree_scratch_take(sim->scratch, n_cursors * sizeof *count);
    memset(count, 0, n_cursors * sizeof *count);
    for (uint32_t lane = 0; lane < scree_pool_lanes(sim->runtime.pool); lane++)
        for (uint32_t page = first_page; page < end_page; page++) {
            const scree_bucket *bucket = &sim->search.sinks[lane].buckets[page];
            for (const scree_chunk *c = bucket->first; c; c = c->next)
                for (uint32_t k = 0; k < scree_chunk_filled(raw, bucket, c); k += raw->width) {
                    const uint32_t row = (uint32_t)(c->word[k] >> 32), col = (uint32_t)c->word[k];
                    const uint8_t list =
                        sim->plugins.contact.list_of[raw->types[row]][raw->types[col]];
                    uint32_t B = 0;
                    while (B + 1 < w->width && col >= sim->contacts.block_first[w->block + B + 1])
                        B++;
                    if (list != UINT8_MAX)
                        count[list * w->width + B]++;
                }
        }
    for (uint32_t k = 0; k < n_cursors; k++) {
        scree_cursor *c = &w->cursors[k];
        if (count[k] <= c->n_room)
            continue;
        scree_segment_reserve(sim, c->list, c->s, count[k], count[k]);
        c->n_room = c->s->pair_capacity - 8;
    }
    scree_scratch_give(sim->scratch, count);
}

static void begin_block(writer *w)
{
    scree_sim *sim = w->sim;
    const uint32_t n_lists = sim->plugins.contact.n_lists, n_blocks = sim->contacts.n_blocks;
    w->width = n_blocks + 1 - w->block;
    w->cursors = scree_scratch_take(sim->scratch, n_lists * w->width * sizeof *w->cursors);
    w->start = scree_scratch_take(sim->scratch, ((1 << SCREE_PAGE_BITS) + 2) * sizeof *w->start);
    for (uint32_t l = 0; l < n_lists; l++)
        for (uint32_t B = 0; B < w->width; B++) {
            scree_list *list = &sim->plugins.contact.lists[l];
            scree_cursor *c = &w->cursors[l * w->width + B];
            scree_history_begin(sim, list,
                                scree_list_segment(list, n_blocks, w->block, w->block + B), c);
            c->n_room = c->s->pair_capacity > 8 ? c->s->pair_capacity - 8 : 0;
        }
}

static void end_block(writer *w)
{
    scree_scratch *scratch = w->sim->scratch;
    for (uint32_t k = 0; k < w->sim->plugins.contact.n_lists * w->width; k++)
        scree_history_finish(w->sim, &w->cursors[k]);
    void *const rooms[] = {w->cursors, w->start, w->entry, w->column, w->element};
    for (size_t k = 0; k < G_N_ELEMENTS(rooms); k++)
        scree_scratch_give(scratch, rooms[k]);
    if (w->missing)
        g_array_unref(w->missing);
}

int32_t scree_write_blocks(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    scree_sim *sim = user;
    const uint32_t bits = sim->search.raw.bits, *first = sim->contacts.block_first;
    for (uint64_t b = begin; b < end; b++) {
        writer w = {.sim = sim, .lane = lane, .block = (uint32_t)b};
        const uint32_t first_page = first[b] >> bits;
        const uint32_t end_page = first[b + 1] > first[b] ? ((first[b + 1] - 1) >> bits) + 1 : 0;
        begin_block(&w);
        reserve_block(&w, first_page, end_page);
        for (uint32_t page = first_page; page < end_page; page++) {
            gather_page(&w, page);
            do {
                if (sim->boxes.simple)
                    write_plain_page(&w);
                else
                    write_page(&w);
            } while (find_missing(&w));
            if (w.missing)
                g_array_set_size(w.missing, 0);
        }
        end_block(&w);
    }
    return SCREE_OK;
}
