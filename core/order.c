/* SPDX-License-Identifier: Apache-2.0 */
/* From pairs of boxes to candidate lists in canonical order, with all that lives per pair carried.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

/*
 * Steps of a refresh
 *   1. new extents, GCD, its pairs filtered: overlapping boxes and spheres, at least one free body;
 *   2. per list: pairs counted and put into their row (the lower storage number), each row sorted
 * by (column, shift, parts), second findings across a boundary dropped;
 *   3. rows cut into blocks and written to segments; index, keep, pair fields, hints and committed
 *      contacts come over from the old segments, found by (row, column, shift);
 *   4. a pair with committed history that the extents no longer hold is added by hand (it stays a
 *      candidate until an accepted evaluation ends it), and 2 and 3 are done again. Rare. Of pairs
 *      with kept contacts all parts are candidates from the start.
 */

/** A pair that is a candidate for its history alone. */
typedef struct extra_pair {
    uint32_t list, row, col, part_row, part_col;
    scree_shift shift;
} extra_pair;

static void decode(const scree_sim *sim, const scree_list *list, uint32_t row, uint64_t key,
                   scree_found *out)
{
    uint32_t k = (uint32_t)key;
    if (list->type_b == SCREE_PLANE) {
        *out = (scree_found){row, (uint32_t)(key >> 32), 0, 0, SCREE_SHIFT_ZERO};
        return;
    }
    if (k < sim->n_raw) {
        scree_search_decode(sim, sim->raw[k], out);
        return;
    }
    const extra_pair *extra = &g_array_index(sim->extra, extra_pair, k - sim->n_raw);
    *out = (scree_found){extra->row, extra->col, extra->part_row, extra->part_col, extra->shift};
}

/** Order of two keys of one row. */
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
    if (da.part_row != db.part_row)
        return da.part_row < db.part_row ? -1 : 1;
    return da.part_col < db.part_col ? -1 : da.part_col > db.part_col;
}

static bool same_slots(scree_pair p, scree_pair q)
{
    return (p.a == q.a && p.b == q.b) || (p.a == q.b && p.b == q.a);
}

/** Sorts a row by insertion (rows are short) and drops second findings. Returns the new length, or
 * -1 after blaming the GCD for one pair of boxes found twice. */
static int64_t sort_row(scree_sim *sim, scree_list *list, uint32_t row, uint64_t *key, uint32_t n,
                        GError **error)
{
    bool plain = sim->boxes.simple && !sim->extra->len;
    for (uint32_t i = 1; i < n; i++) {
        uint64_t k = key[i];
        uint32_t j = i;
        if (plain) // the column decides: equal columns are an error that is found below
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
            if (p < sim->n_raw && q < sim->n_raw && same_slots(sim->raw[p], sim->raw[q])) {
                scree_search_blame(sim, sim->raw[p], "emitted twice", error);
                return -1;
            }
            continue;
        }
        key[kept++] = key[i];
    }
    return kept;
}

/** Candidates with planes: balls whose extent reaches the solid side. */
static void fill_planes(scree_sim *sim, scree_list *list, bool count)
{
    const scree_world *w = sim->world;
    uint32_t first_plane = scree_world_first_plane(w);
    double normal[3];
    for (uint32_t p = first_plane; p < w->n; p++) {
        scree_plane_normal(w, p, normal);
        double moves = sim->boxes.ref[4 * (size_t)p + 3];
        for (uint32_t i = 0; i < w->n_free; i++) {
            if (w->shapes[w->shape[i]]->type != list->type_a)
                continue;
            uint32_t slot = sim->boxes.slot[sim->boxes.part_first[i]];
            double height = 0.0;
            for (int k = 0; k < 3; k++)
                height += normal[k] * (sim->boxes.centre[k][slot] - w->x[k][p]);
            if (height > sim->boxes.radius[slot] + moves + 0.5 * sim->range)
                continue;
            if (count)
                list->row_start[i]++;
            else
                list->key[list->row_start[i]++] = (uint64_t)p << 32;
        }
    }
}

/** Counts (or, when !count, places) the pairs of every row of every list. */
static void scatter_rows(scree_sim *sim, bool count)
{
    scree_found d;
    bool simple = sim->boxes.simple;
    for (uint64_t k = 0; k < sim->n_raw; k++) {
        scree_list *list = &sim->lists[sim->raw_list[k]];
        scree_pair pair = sim->raw[k];
        if (simple) {
            d.row = MIN(pair.a, pair.b);
            d.col = MAX(pair.a, pair.b);
        } else if (!scree_search_decode(sim, pair, &d)) {
            continue;
        }
        if (count)
            list->row_start[d.row]++;
        else
            list->key[list->row_start[d.row]++] = (uint64_t)d.col << 32 | k;
    }
    for (guint e = 0; e < sim->extra->len; e++) {
        const extra_pair *extra = &g_array_index(sim->extra, extra_pair, e);
        scree_list *list = &sim->lists[extra->list];
        if (count)
            list->row_start[extra->row]++;
        else
            list->key[list->row_start[extra->row]++] =
                (uint64_t)extra->col << 32 | (sim->n_raw + e);
    }
    for (uint32_t l = 0; l < sim->n_lists; l++)
        if (sim->lists[l].type_b == SCREE_PLANE)
            fill_planes(sim, &sim->lists[l], count);
}

/** Fills key and row_start of every list, rows sorted; row i is [row_start[i], row_start[i + 1]).
 */
static bool make_rows(scree_sim *sim, GError **error)
{
    uint32_t n = sim->world->n_free;
    for (uint32_t l = 0; l < sim->n_lists; l++) {
        scree_list *list = &sim->lists[l];
        scree_aligned_grow(&list->row_start, &list->row_capacity, (uint64_t)n + 2, 0,
                           sizeof(uint32_t));
        memset(list->row_start, 0, ((size_t)n + 2) * sizeof(uint32_t));
    }
    scatter_rows(sim, true);
    for (uint32_t l = 0; l < sim->n_lists; l++) {
        scree_list *list = &sim->lists[l];
        uint64_t sum = 0;
        for (uint32_t i = 0; i <= n; i++) {
            uint64_t here = list->row_start[i];
            list->row_start[i] = (uint32_t)sum;
            sum += here;
        }
        if (sum >= SCREE_NONE) {
            g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "more than 2^32 candidate pairs");
            return false;
        }
        scree_aligned_grow(&list->key, &list->key_capacity, sum + 1, 0, sizeof(uint64_t));
    }
    scatter_rows(sim, false); // row_start[i] is now the end of row i
    for (uint32_t l = 0; l < sim->n_lists; l++) {
        scree_list *list = &sim->lists[l];
        uint32_t begin = 0, to = 0;
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
    }
    return true;
}

void scree_order_cut_blocks(scree_sim *sim, const uint64_t *weight)
{
    uint32_t n = sim->world->n_free;
    uint32_t want = sim->want_blocks ? sim->want_blocks : scree_pool_lanes(sim->runtime.pool);
    want = MAX(1, MIN(MIN(want, n), SCREE_MAX_BLOCKS));
    scree_aligned_grow(&sim->block_first, &sim->block_capacity[0], (uint64_t)want + 1, 0,
                       sizeof(uint32_t));
    sim->n_blocks = want;
    uint32_t row = 0;
    for (uint32_t b = 0; b < want; b++) {
        sim->block_first[b] = row;
        uint64_t goal = weight ? weight[n] / want * (b + 1) : (uint64_t)n * (b + 1) / want;
        while (row < n - (want - 1 - b) &&
               (row == sim->block_first[b] || (weight ? weight[row] : row) < goal))
            row++;
    }
    sim->block_first[want] = n;
}

static uint32_t block_of(const uint32_t *block_first, uint32_t n_blocks, uint32_t row)
{
    uint32_t b = 0;
    while (b + 1 < n_blocks && row >= block_first[b + 1])
        b++;
    return b;
}

static void weigh_rows(scree_sim *sim)
{
    uint32_t n = sim->world->n_free;
    scree_aligned_grow(&sim->weight, &sim->weight_capacity, (uint64_t)n + 1, 0, sizeof(uint64_t));
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sim->weight[i] = sum;
        sum += 2; // summing and integrating a body
        for (uint32_t l = 0; l < sim->n_lists; l++)
            sum += sim->lists[l].row_start[i + 1] - sim->lists[l].row_start[i];
    }
    sim->weight[n] = sum;
}

/** The old pair (row, col, shift) of a list: its segment, and its number in *pair. */
static scree_segment *find_old(const scree_sim *sim, const scree_list *list, uint32_t row,
                               uint32_t col, scree_shift shift, uint32_t *pair)
{
    uint32_t n = sim->n_old_blocks;
    if (!n)
        return NULL;
    uint32_t b = block_of(sim->old_block_first, n, row);
    uint32_t B = col >= sim->old_block_first[n] ? n : block_of(sim->old_block_first, n, col);
    scree_segment *s = &list->spare[b * (n + 1) + B];
    if (row < s->first_row || row >= s->end_row)
        return NULL;
    for (uint32_t p = s->row_first[row - s->first_row]; p < s->row_first[row - s->first_row + 1];
         p++)
        if (scree_pair_column(s, p) == col && (!s->shift || s->shift[p] == shift)) {
            *pair = p;
            return s;
        }
    return NULL;
}

uint64_t scree_pair_contacts(const scree_segment *s, const scree_table *table,
                             const uint32_t *index, uint32_t p)
{
    uint64_t first = index[p], n = 0;
    if (index[p] == SCREE_NONE)
        return 0;
    while (first + n < table->n && table->pair[first + n] == p)
        n++;
    (void)s;
    return n;
}

static void carry_contacts(scree_sim *sim, scree_list *list, scree_segment *s, uint32_t p,
                           const scree_segment *old, uint32_t q)
{
    uint32_t c = sim->committed;
    const scree_table *from = &old->table[c];
    uint64_t n = scree_pair_contacts(old, from, old->index[c], q);
    if (!n)
        return;
    scree_table *to = &s->table[c];
    scree_table_reserve(sim, to, list->single, to->n + n);
    s->index[c][p] = (uint32_t)to->n;
    for (uint64_t k = old->index[c][q]; n--; k++, to->n++) {
        to->pair[to->n] = p;
        if (!list->single)
            to->feature[to->n] = from->feature[k];
        if (to->keep)
            to->keep[to->n] = from->keep[k];
        if (to->stored)
            to->stored[to->n] = from->stored[k];
        for (uint32_t f = 0; f < sim->n_contact_fields; f++)
            to->field[f][to->n] = from->field[f][k];
    }
}

/** Pair p of a new segment takes over what the old pair had. */
static void carry_pair(scree_sim *sim, scree_list *list, scree_segment *s, uint32_t p, uint32_t row,
                       uint32_t col, scree_shift shift)
{
    uint32_t c = sim->committed, q = 0;
    const scree_segment *old = find_old(sim, list, row, col, shift, &q);
    s->index[c][p] = SCREE_NONE;
    if (s->keep)
        s->keep[p] = old ? old->keep[q] : 0;
    if (sim->n_pair_fields) {
        s->alive[c][p] = old ? old->alive[c][q] : 0;
        for (uint32_t f = 0; f < sim->n_pair_fields; f++)
            s->pair_field[c][f][p] = old ? old->pair_field[c][f][q] : sim->pair_initial[f];
    }
    if (old)
        carry_contacts(sim, list, s, p, old, q);
    if (!list->hint_bytes)
        return;
    uint32_t first = s->first ? s->first[p] : p, last = s->first ? s->first[p + 1] : p + 1;
    for (uint32_t k = first; k < last; k++) {
        uint8_t *hint = s->hints + (size_t)k * list->hint_bytes;
        memset(hint, 0, list->hint_bytes);
        uint32_t from = old && old->first ? old->first[q] : q;
        uint32_t to = old && old->first ? old->first[q + 1] : q + 1;
        for (uint32_t j = from; old && j < to; j++)
            if (!s->first || (old->part_a[j] == s->part_a[k] && old->part_b[j] == s->part_b[k]))
                memcpy(hint, old->hints + (size_t)j * list->hint_bytes, list->hint_bytes);
    }
}

/** Whether the column is a: the lower shape type, then the lower id. */
static bool column_is_a(const scree_world *w, uint32_t row, uint32_t col)
{
    uint32_t row_type = w->shapes[w->shape[row]]->type, col_type = w->shapes[w->shape[col]]->type;
    return row_type != col_type ? col_type < row_type : w->id[col] < w->id[row];
}

typedef struct segment_job {
    scree_sim *sim;
    scree_list *list;
} segment_job;

static void count_segment(const scree_sim *sim, const scree_list *list, uint32_t b,
                          uint64_t *n_pairs, uint64_t *n_parts)
{
    uint32_t n_blocks = sim->n_blocks;
    memset(n_pairs, 0, (n_blocks + 1) * sizeof *n_pairs);
    memset(n_parts, 0, (n_blocks + 1) * sizeof *n_parts);
    for (uint32_t row = sim->block_first[b]; row < sim->block_first[b + 1]; row++) {
        uint32_t B = b;
        for (uint32_t k = list->row_start[row]; k < list->row_start[row + 1]; k++) {
            while (B < n_blocks && list->key[k] >> 32 >= sim->block_first[B + 1])
                B++;
            n_pairs[B]++; // an upper bound where pairs have several parts
            n_parts[B]++;
        }
    }
}

static void write_key(scree_sim *sim, scree_list *list, scree_segment *s, uint32_t row,
                      uint64_t key, uint32_t *n_parts)
{
    scree_found d = {row, (uint32_t)(key >> 32), 0, 0, SCREE_SHIFT_ZERO};
    if (s->shift || s->first)
        decode(sim, list, row, key, &d);
    bool swap = column_is_a(sim->world, row, d.col);
    uint32_t p = s->n_pairs;
    bool joins = s->first && p > s->row_first[row - s->first_row] &&
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

/** Writes the segments of block b of one list and carries what lives per pair. */
static void write_block(scree_sim *sim, scree_list *list, uint32_t b)
{
    uint32_t n_blocks = sim->n_blocks, first_row = sim->block_first[b],
             end_row = sim->block_first[b + 1];
    uint64_t n_pairs[SCREE_MAX_BLOCKS + 1], n_parts[SCREE_MAX_BLOCKS + 1];
    count_segment(sim, list, b, n_pairs, n_parts);
    for (uint32_t B = b; B <= n_blocks; B++) {
        scree_segment *s = scree_list_segment(list, n_blocks, b, B);
        scree_segment_reserve(sim, list, s, first_row, end_row, n_pairs[B], n_parts[B]);
        s->n_pairs = 0;
        if (s->first)
            s->first[0] = 0;
        uint32_t parts = 0;
        uint64_t low = B == b ? 0 : B == n_blocks ? sim->world->n_free : sim->block_first[B];
        uint64_t high = B == n_blocks ? UINT64_MAX : sim->block_first[B + 1];
        for (uint32_t row = first_row; row < end_row; row++) {
            s->row_first[row - first_row] = s->n_pairs;
            for (uint32_t k = list->row_start[row]; k < list->row_start[row + 1]; k++)
                if (list->key[k] >> 32 >= low && list->key[k] >> 32 < high)
                    write_key(sim, list, s, row, list->key[k], &parts);
        }
        s->row_first[end_row - first_row] = s->n_pairs;
        s->table[sim->committed].n = 0;
        scree_table_reserve(sim, &s->table[sim->committed], list->single, 64);
        for (uint32_t p = 0; p < s->n_pairs; p++)
            carry_pair(sim, list, s, p, scree_pair_row(s, p), scree_pair_column(s, p),
                       s->shift ? s->shift[p] : SCREE_SHIFT_ZERO);
    }
}

static int32_t write_blocks(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    segment_job *job = user;
    for (uint64_t b = begin; b < end; b++)
        write_block(job->sim, job->list, (uint32_t)b);
    return SCREE_OK;
}

static uint64_t count_committed(const scree_sim *sim, const scree_segment *segments,
                                uint32_t n_blocks)
{
    uint64_t n = 0;
    for (uint32_t k = 0; n_blocks && k < n_blocks * (n_blocks + 1); k++) {
        const scree_segment *s = &segments[k];
        n += s->table[sim->committed].n;
        for (uint32_t p = 0; sim->n_pair_fields && p < s->n_pairs; p++)
            n += s->alive[sim->committed][p];
    }
    return n;
}

void scree_list_resize(scree_list *list, uint32_t n_blocks)
{
    uint32_t n = n_blocks * (n_blocks + 1);
    if (n > list->n_segments) {
        list->segments = g_renew(scree_segment, list->segments, n);
        memset(list->segments + list->n_segments, 0,
               (n - list->n_segments) * sizeof *list->segments);
        list->n_segments = n;
    }
    for (uint32_t k = 0; k < list->n_segments; k++) {
        scree_segment *s = &list->segments[k];
        s->n_pairs = s->first_row = s->end_row = 0;
        s->table[0].n = s->table[1].n = 0;
        s->n_lines = s->n_ended = s->n_heirs = s->n_touching = 0;
    }
}

/** All parts of pairs with kept contacts: their results may depend on no extent. Of a pair with
 * facets the ball is a. */
static void add_kept_parts(scree_sim *sim, uint32_t l)
{
    const scree_list *list = &sim->lists[l];
    if (!sim->any_keep || !list->has_parts)
        return;
    for (uint32_t k = 0; k < sim->n_blocks * (sim->n_blocks + 1); k++) {
        const scree_segment *s = &list->segments[k];
        for (uint32_t p = 0; p < s->n_pairs; p++) {
            scree_shift shift = s->shift ? s->shift[p] : SCREE_SHIFT_ZERO;
            uint32_t n = s->keep[p] ? scree_parts_of(sim->world, s->b[p]) : 0;
            for (uint32_t part = 0; part < n; part++) {
                extra_pair extra = {l, s->a[p], s->b[p], 0, part, shift};
                g_array_append_val(sim->extra, extra);
            }
        }
    }
}

/** Pairs with committed history that the new lists lack. */
static void find_extra(scree_sim *sim, uint32_t l)
{
    scree_list *list = &sim->lists[l];
    uint32_t n = sim->n_old_blocks, c = sim->committed;
    for (uint32_t k = 0; k < n * (n + 1); k++) {
        const scree_segment *old = &list->spare[k];
        for (uint32_t q = 0; q < old->n_pairs; q++) {
            bool alive = sim->n_pair_fields && old->alive[c][q];
            if (old->index[c][q] == SCREE_NONE && !alive)
                continue;
            uint32_t row = scree_pair_row(old, q), col = scree_pair_column(old, q);
            scree_shift shift = old->shift ? old->shift[q] : SCREE_SHIFT_ZERO;
            bool found = false;
            for (uint32_t j = list->row_start[row]; j < list->row_start[row + 1] && !found; j++) {
                scree_found d;
                decode(sim, list, row, list->key[j], &d);
                found = d.col == col && d.shift == shift;
            }
            uint32_t first = old->first ? old->first[q] : q;
            uint32_t last = old->first ? old->first[q + 1] : q + 1;
            bool swapped = old->a[q] != row;
            for (uint32_t j = first; j < last && !found; j++) {
                uint32_t pa = old->first ? old->part_a[j] : 0, pb = old->first ? old->part_b[j] : 0;
                extra_pair extra = {l, row, col, swapped ? pb : pa, swapped ? pa : pb, shift};
                g_array_append_val(sim->extra, extra);
            }
        }
    }
}

/** Rows to segments; true when all committed history found its pair. */
static bool write_lists(scree_sim *sim)
{
    uint64_t before = 0, after = 0;
    weigh_rows(sim);
    scree_order_cut_blocks(sim, sim->weight);
    for (uint32_t l = 0; l < sim->n_lists; l++) {
        scree_list *list = &sim->lists[l];
        before += count_committed(sim, list->spare, sim->n_old_blocks);
        scree_list_resize(list, sim->n_blocks);
        segment_job job = {sim, list};
        scree_pool_for(sim->runtime.pool, 0, sim->n_blocks, 1, write_blocks, &job);
        after += count_committed(sim, list->segments, sim->n_blocks);
    }
    return before == after;
}

/** The present segments become the old ones. */
static void set_aside(scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->n_lists; l++) {
        scree_list *list = &sim->lists[l];
        scree_segment *segments = list->segments;
        uint32_t n = list->n_segments;
        list->segments = list->spare;
        list->n_segments = list->n_spare;
        list->spare = segments;
        list->n_spare = n;
    }
    uint32_t *first = sim->block_first;
    uint64_t capacity = sim->block_capacity[0];
    sim->block_first = sim->old_block_first;
    sim->block_capacity[0] = sim->block_capacity[1];
    sim->old_block_first = first;
    sim->block_capacity[1] = capacity;
    sim->n_old_blocks = sim->n_blocks;
}

void scree_order_prepare(scree_sim *sim)
{
    scree_search_prepare(sim);
    sim->extra = g_array_new(FALSE, FALSE, sizeof(extra_pair));
}

void scree_order_clear(scree_sim *sim)
{
    scree_search_clear(sim);
    if (sim->extra)
        g_array_unref(sim->extra);
    free(sim->raw);
    free(sim->raw_list);
    free(sim->body_list);
    free(sim->weight);
    free(sim->block_first);
    free(sim->old_block_first);
}

bool scree_order_refresh(scree_sim *sim, GError **error)
{
    bool all, renumbered;
    double begin = scree_now();
    if (!scree_extent_renew(sim, &all, &renumbered, error))
        return false;
    double gcd_before = sim->times.gcd;
    if (!scree_search_run(sim, all, renumbered, error))
        return false;
    g_array_set_size(sim->extra, 0);
    for (uint32_t l = 0; l < sim->n_lists; l++)
        add_kept_parts(sim, l);
    if (!make_rows(sim, error))
        return false;
    set_aside(sim);
    if (!write_lists(sim)) {
        for (uint32_t l = 0; l < sim->n_lists; l++)
            find_extra(sim, l);
        if (!make_rows(sim, error))
            return false;
        if (!write_lists(sim))
            g_error("contact history was lost while lists were made (a bug of the host)");
    }
    if (sim->boxes.view.n)
        memset(sim->boxes.mark, 0, sim->boxes.view.n);
    sim->n_candidates = 0;
    for (uint32_t l = 0; l < sim->n_lists; l++)
        for (uint32_t k = 0; k < sim->n_blocks * (sim->n_blocks + 1); k++)
            sim->n_candidates += sim->lists[l].segments[k].n_pairs;
    sim->times.order += scree_now() - begin - (sim->times.gcd - gcd_before);
    return true;
}
