/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the pairs of blocks to their segments, page by page, in canonical order. */
#include "engine/row_writer.h"

#include <string.h>

#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/pair_history.h"
#include "engine/rank_rows.h"
#include "engine/search.h"
#include "engine/tight_boxes.h"

/** Work of a lane on the segments of a block. */
typedef struct writer {
    scree_sim *sim;
    uint32_t lane, block, width; /* width: number of segments (block, B) of a list */
    uint32_t first, n_rows;      /* rows of the page */
    scree_cursor *cursors;       /* [lists][width] */
    uint64_t *entry, *sorted;    /* [room] entries of the page, as they come and by row */
    uint64_t n, room;            /* numbers of entries */
    uint32_t *start;             /* [rows + 2] */
} writer;

/** Makes room for n entries. */
static void reserve_page(writer *w, uint64_t n)
{
    scree_scratch *scratch = w->sim->scratch;
    const uint32_t words = w->sim->search.raw.width;
    if (n <= w->room)
        return;
    w->room = n + n / 2 + 256;
    uint64_t *grown = scree_scratch_take(scratch, 2 * w->room * words * sizeof *grown);
    if (w->n)
        memcpy(grown, w->entry, w->n * words * sizeof *grown);
    scree_scratch_give(scratch, w->entry);
    w->entry = grown;
    w->sorted = grown + w->room * words;
}

/** Adds an entry of the host. */
static void add_entry(writer *w, scree_found found)
{
    reserve_page(w, w->n + 1);
    scree_search_entry(w->sim, &found, (uint64_t)SCREE_NO_SLOT << 32,
                       w->entry + w->n++ * w->sim->search.raw.width);
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
                add_entry(w, (scree_found){row, p, 0, 0, SCREE_SHIFT_ZERO});
            for (uint32_t part = 0; !set->simple && part < scree_parts_of(world, row); part++)
                if (scree_reaches_plane(sim, set->slot[set->part_first[row] + part], p))
                    add_entry(w, (scree_found){row, p, part, 0, SCREE_SHIFT_ZERO});
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
    reserve_page(w, scree_search_count(w->sim, page) + 1); // memory also for an empty page
    uint64_t *to = w->entry;
    const uint64_t *word;
    scree_chunks walk = scree_search_chunks(w->sim, page);
    for (uint32_t n; (word = scree_chunks_next(&walk, &n)); to += n)
        memcpy(to, word, n * sizeof *to);
    w->n = (uint64_t)(to - w->entry) / raw->width;
    if (w->first - raw->own.first < raw->own.n)
        add_planes(w);
}

/** Makes room for another pair or part. */
static void widen_segment(const writer *w, scree_cursor *c)
{
    const uint64_t n = c->s->n_pairs;
    scree_segment_reserve(w->sim, c->list, c->s, n + 1, c->s->first ? c->s->first[n] + 1 : n + 1);
    c->n_room = c->s->pair_capacity - 8;
}

/** Appends a pair to its segment, and notes its number for the next ones with history, if they are
 * of this pair. */
static inline void put_pair(const writer *w, scree_cursor *c, uint64_t key, scree_cells shift,
                            bool swap)
{
    scree_segment *s = c->s;
    const uint32_t p = s->n_pairs, row = (uint32_t)(key >> 32), col = (uint32_t)key;
    if (G_UNLIKELY(p >= c->n_room))
        widen_segment(w, c);
    s->a[p] = swap ? col : row;
    s->b[p] = swap ? row : col;
    c->now[c->at] = p; // a number without history is written over
    c->at += scree_cursor_is_at(c, key, shift);
    if (G_UNLIKELY(c->many))
        for (; scree_cursor_is_at(c, key, shift); c->at++)
            c->now[c->at] = p;
    if (s->shift)
        s->shift[p] = shift;
    if (s->first)
        s->first[p + 1] = s->first[p];
    s->n_pairs = p + 1;
}

/** Appends parts, as in an entry, to the last pair of a segment. */
static void append_parts(const writer *w, scree_cursor *c, uint64_t parts)
{
    scree_segment *s = c->s;
    const uint32_t p = s->n_pairs;
    if (s->first[p] + (uint64_t)8 >= s->part_capacity)
        widen_segment(w, c);
    s->part_a[s->first[p]] = (uint32_t)(parts >> 32);
    s->part_b[s->first[p]] = (uint32_t)parts;
    s->first[p]++;
}

/** Writes a sorted row of n entries: those that differ only in their parts to one pair. */
static inline void write_row(const writer *w, const uint64_t *entry, uint32_t n,
                             const uint32_t width)
{
    const scree_contact_plugins *contact = &w->sim->plugins.contact;
    const uint32_t *first = w->sim->contacts.block_first + w->block;
    const uint32_t row = (uint32_t)(*entry >> 32), last = width - 1;
    const uint8_t *types = w->sim->search.raw.types, type = types[row];
    const uint64_t *id = w->sim->world->id, own = id[row], *e = entry;
    for (uint32_t k = 0, B = 0; k < n; k++, e += width) {
        const uint32_t col = (uint32_t)*e;
        const uint8_t other = types[col], list = contact->list_of[type][other];
        const bool again = k > 0 && e[0] == e[-(int)width] && (!last || e[1] == e[1 - (int)width]);
        if (again && (!last || e[2] == e[2 - (int)width])) { // a second finding
            if (e[last] == e[-1] && e[last] >> 32 != SCREE_NO_SLOT)
                scree_search_fault(w->sim, w->lane,
                                   (scree_pair){(uint32_t)(e[last] >> 32), (uint32_t)e[last]},
                                   "emitted twice");
            continue;
        }
        while (B + 1 < w->width && col >= first[B + 1])
            B++;
        if (list == UINT8_MAX)
            continue;
        scree_cursor *c = &w->cursors[list * w->width + B];
        if (!again || !c->s->first)
            put_pair(w, c, *e, last ? e[1] : SCREE_SHIFT_ZERO,
                     type != other ? other < type : id[col] < own);
        if (c->s->first)
            append_parts(w, c, last ? e[2] : 0);
    }
}

/** Sorts and writes a page. */
static inline void write_page(writer *w, const uint32_t width)
{
    uint32_t *start = w->start;
    memset(start, 0, (w->n_rows + 2) * sizeof *start);
    for (uint64_t k = 0; k < w->n; k++)
        start[(w->entry[k * width] >> 32) - w->first + 2]++;
    for (uint32_t i = 2; i < w->n_rows + 2; i++)
        start[i] += start[i - 1];
    for (uint64_t k = 0; k < w->n; k++)
        memcpy(w->sorted + width * start[(w->entry[k * width] >> 32) - w->first + 1]++,
               w->entry + k * width, width * sizeof *w->sorted);
    for (uint32_t i = 0; i < w->n_rows; i++) { // start[i + 1] is the end of the row
        const uint32_t n = start[i + 1] - start[i];
        uint64_t *row = w->sorted + (size_t)start[i] * width;
        if (n > 1)
            scree_entries_sort(row, n, width);
        if (n)
            write_row(w, row, n, width);
    }
}

/** Adds a pair with history, with all its parts, to the page's entries. */
static void add_missing(writer *w, const scree_cursor *c)
{
    const uint64_t key = c->was[c->at];
    const scree_segment *saved = &c->saved;
    const scree_found found = {.row = (uint32_t)(key >> 32),
                               .col = (uint32_t)key,
                               .shift = c->shift ? c->shift[c->at] : SCREE_SHIFT_ZERO};
    const uint8_t list = scree_list_of(w->sim, found.row, found.col);
    g_assert(list != UINT8_MAX && &w->sim->plugins.contact.lists[list] == c->list);
    if (!saved->first)
        add_entry(w, found);
    else
        for (uint32_t q = c->number[c->at], j = saved->first[q]; j < saved->first[q + 1]; j++)
            add_entry(w, scree_pair_found(saved, q, j));
}

/** After a page: returns whether pairs with history are missing, adds them to its entries, and
 * takes the page's pairs back. */
static bool find_missing(writer *w)
{
    const uint64_t begin = (uint64_t)w->first << 32, end = (uint64_t)(w->first + w->n_rows) << 32;
    const uint32_t n = w->sim->plugins.contact.n_lists * w->width;
    const uint64_t n_found = w->n;
    for (uint32_t k = 0; k < n; k++)
        if (w->cursors[k].was[w->cursors[k].at] < end)
            add_missing(w, &w->cursors[k]);
    for (uint32_t k = 0; w->n > n_found && k < n; k++) {
        scree_cursor *c = &w->cursors[k];
        while (c->s->n_pairs && scree_pair_row(c->s, c->s->n_pairs - 1) >= w->first)
            c->s->n_pairs--;
        while (c->at && c->was[c->at - 1] >= begin)
            c->at--;
    }
    return w->n > n_found;
}

/* ---- blocks ---- */

/** If the segments seem too small, counts their entries and makes room for these. */
static void reserve_block(const writer *w, uint32_t first_page, uint32_t end_page)
{
    const scree_sim *sim = w->sim;
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
    for (uint32_t page = first_page; page < end_page; page++) {
        scree_chunks walk = scree_search_chunks(sim, page);
        const uint64_t *word;
        for (uint32_t filled; (word = scree_chunks_next(&walk, &filled));)
            for (uint32_t k = 0; k < filled; k += sim->search.raw.width) {
                const uint32_t row = (uint32_t)(word[k] >> 32), col = (uint32_t)word[k];
                const uint8_t list = scree_list_of(sim, row, col);
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
    void *const rooms[] = {w->cursors, w->start, w->entry};
    for (size_t k = 0; k < G_N_ELEMENTS(rooms); k++)
        scree_scratch_give(scratch, rooms[k]);
}

/** Empties the segments between blocks of other ranks. Returns whether the block has others. */
static bool drop_foreign(const scree_sim *sim, uint32_t block)
{
    const uint32_t n = sim->contacts.n_blocks, *row = sim->contacts.block_first;
    const scree_rows own = scree_ranks_rows(sim);
    if (row[block] >= own.first && row[block + 1] <= own.end)
        return true;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t B = block; B <= n; B++) {
            scree_segment *s = scree_list_segment(&sim->plugins.contact.lists[l], n, block, B);
            if (B < n && row[B] >= own.first && row[B + 1] <= own.end)
                continue;
            s->n_pairs = 0;
            s->table[0].n = s->table[1].n = 0;
        }
    return row[block] < own.first;
}

int32_t scree_write_blocks(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    scree_sim *sim = user;
    const uint32_t bits = sim->search.raw.bits, *first = sim->contacts.block_first;
    for (uint64_t b = begin; b < end; b++) {
        writer w = {.sim = sim, .lane = lane, .block = (uint32_t)b};
        const uint32_t first_page = first[b] >> bits;
        const uint32_t end_page = first[b + 1] > first[b] ? ((first[b + 1] - 1) >> bits) + 1 : 0;
        if (!drop_foreign(sim, w.block))
            continue;
        begin_block(&w);
        reserve_block(&w, first_page, end_page);
        for (uint32_t page = first_page; page < end_page; page++) {
            gather_page(&w, page);
            do {
                if (sim->search.raw.width == 1)
                    write_page(&w, 1);
                else
                    write_page(&w, SCREE_ENTRY_WORDS);
            } while (find_missing(&w));
        }
        end_block(&w);
    }
    return SCREE_OK;
}
