// SPDX-License-Identifier: Apache-2.0
// Rows of a file of frames: which body each is, and the blocks GRPS, SHAP, BODY and WALL that say it.
/*
 * Idea     A frame should cost little when nothing but places has changed. So what BODY holds is
 *          compared in the order of storage with a copy; only where a byte differs the rows are made
 *          again, and BODY is written only if its bytes differ from those of the last one.
 * Cost     per body 24 bytes compared; after a change a sort by ids, which is linear in their number.
 */
#include "frames.h"

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

void rows_forget(rows *r)
{
    r->n_body = r->n_wall = 0;
    r->n = r->n_groups = 0;
    r->numbering = UINT64_MAX;
    if (r->n_seen)
        memset(r->seen, 0, r->n_seen);
}

void rows_free(rows *r)
{
    free(r->order);
    free(r->row_of);
    free(r->kept);
    free(r->body);
    free(r->wall);
    free(r->seen);
}

/* Sorts bodies by id, a digit of the ids after the other. */
static void sort_by_id(uint32_t *order, uint32_t *other, const uint64_t *id, uint32_t n)
{
    uint64_t most = 0;
    int rising = 1;
    for (uint32_t i = 0; i < n; i++) {
        rising &= i == 0 || id[order[i - 1]] < id[order[i]];
        most = most > id[order[i]] ? most : id[order[i]];
    }
    if (rising)
        return;
    for (int shift = 0; shift < 64 && most >> shift; shift += DIGIT) {
        uint32_t count[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < n; i++)
            count[(id[order[i]] >> shift & (DIGITS - 1)) + 1]++;
        for (uint32_t k = 1; k < DIGITS; k++)
            count[k] += count[k - 1];
        for (uint32_t i = 0; i < n; i++)
            other[count[id[order[i]] >> shift & (DIGITS - 1)]++] = order[i];
        memcpy(order, other, n * sizeof *order);
    }
}

/* Compares an array with its copy; with `keep` copies it. */
static int compare(uint32_t *copy, const void *from, uint64_t bytes, int keep)
{
    if (keep)
        memcpy(copy, from, bytes);
    return keep || memcmp(copy, from, bytes) == 0;
}

static int compare_all(const rows *r, const scree_bodies *b, int keep)
{
    const uint64_t n = b->n, four = 4 * n;
    return n == 0 || (compare(r->kept, b->scale, 8 * n, keep) &&
                      compare(r->kept + 2 * n, b->shape, four, keep) &&
                      compare(r->kept + 3 * n, b->material, four, keep) &&
                      compare(r->kept + 4 * n, b->group, four, keep) &&
                      compare(r->kept + 5 * n, b->motion, four, keep));
}

static int is_changed(const rows *r, const scree_bodies *b)
{
    return r->n_body == 0 || r->n != b->n || r->n_free != b->n_free ||
           r->numbering != b->numbering || !compare_all(r, b, 0);
}

static int is_round(const scree_bodies *b, uint32_t i)
{
    return (b->shapes[b->shape[i]]->flags & SCREE_CAP_ROUND) != 0;
}

/* Finds the rows; 0: out of memory. */
static int find_rows(rows *r, const scree_bodies *b)
{
    const uint64_t n = (uint64_t)b->n + 1;
    if (!scree_grow(&r->order, &r->order_room, n, sizeof *r->order) ||
        !scree_grow(&r->row_of, &r->row_room, n, sizeof *r->row_of) ||
        !scree_grow(&r->kept, &r->kept_room, 6 * n, sizeof *r->kept))
        return 0;
    r->n = b->n;
    r->n_free = b->n_free;
    r->numbering = b->numbering;
    compare_all(r, b, 1);
    for (uint32_t i = 0; i < r->n; i++)
        r->order[i] = i;
    sort_by_id(r->order, r->row_of, b->id, r->n_free);
    sort_by_id(r->order + r->n_free, r->row_of, b->id, r->n - r->n_free);
    r->is_plain = 1;
    for (uint32_t i = 0; i < r->n; i++) {
        r->row_of[r->order[i]] = i;
        r->is_plain &= r->order[i] == i;
    }
    r->n_oriented = 0;
    r->smallest = HUGE_VAL;
    for (uint32_t i = 0; i < r->n_free; i++) {
        r->n_oriented += !is_round(b, i);
        r->smallest = scree_min(r->smallest, b->radius[i]);
    }
    return 1;
}

static void write_groups(rows *r, blocks *to, const row_source *from)
{
    uint32_t n = r->n_groups;
    for (uint32_t i = 0; i < r->n; i++)
        n = n > from->bodies->group[i] ? n : from->bodies->group[i] + 1;
    to->too_long |= n > UINT16_MAX || from->bodies->n_shapes > UINT16_MAX;
    if (n == r->n_groups)
        return;
    r->n_groups = n;
    if (!block_begin(to, "GRPS", 0))
        return;
    for (uint32_t k = 0; k < n; k++) {
        block_text(to, k ? ", " : "[", 0);
        block_text(to, group_name(from->names, k), 1);
    }
    block_text(to, "]", 0);
    block_end(to);
}

/* 0: out of memory. */
static int write_shapes(rows *r, blocks *to, const row_source *from)
{
    const scree_bodies *b = from->bodies;
    if (!scree_grow(&r->seen, &r->seen_room, b->n_shapes, 1))
        return 0;
    while (r->n_seen < b->n_shapes)
        r->seen[r->n_seen++] = 0;
    for (uint32_t i = 0; i < r->n; i++)
        if (!r->seen[b->shape[i]]) {
            if (!shape_write(to, from, b->shape[i]))
                return 0;
            r->seen[b->shape[i]] = 1;
        }
    return 1;
}

/* Ends a block if its payload differs from the last one of its kind, which becomes this one; else
 * takes the block back. */
static void end_if_new(blocks *to, uint8_t **last, uint64_t *n_last, uint64_t *room)
{
    const uint64_t n = to->n - to->begin - 16;
    if (*n_last == n && memcmp(*last, block_payload(to), n) == 0) {
        to->n = to->begin;
        return;
    }
    to->no_memory |= !scree_grow(last, room, n, 1);
    if (to->no_memory)
        return;
    memcpy(*last, block_payload(to), n);
    *n_last = n;
    block_end(to);
}

#define PUT_ROWS(type, expression)                                                                 \
    do {                                                                                           \
        type *put_ = block_array(to, r->n, sizeof *put_);                                          \
        for (uint32_t row_ = 0; row_ < r->n; row_++) {                                             \
            const uint32_t i = r->order[row_];                                                     \
            put_[row_] = (type)(expression);                                                       \
        }                                                                                          \
    } while (0)

static void write_body(rows *r, blocks *to, const scree_bodies *b)
{
    if (!block_begin(to, "BODY", 20 * ((uint64_t)r->n + 1)))
        return;
    block_put(to, (uint32_t[2]){r->n, r->n_free}, 2, 4);
    PUT_ROWS(uint64_t, b->id[i]);
    PUT_ROWS(float, is_round(b, i) ? b->radius[i] : b->scale[i]);
    PUT_ROWS(uint16_t, b->shape[i]);
    PUT_ROWS(uint16_t, b->material[i]);
    PUT_ROWS(uint16_t, b->group[i]);
    PUT_ROWS(uint8_t, b->motion[i]);
    end_if_new(to, &r->body, &r->n_body, &r->body_room);
}

static void write_wall(rows *r, blocks *to, const scree_bodies *b)
{
    const uint32_t n = r->n - r->n_free;
    if (!block_begin(to, "WALL", 40 * ((uint64_t)n + 1)))
        return;
    block_put(to, (uint32_t[2]){n, 0}, 2, 4);
    double *x = block_array(to, 3 * (uint64_t)n, sizeof *x);
    for (uint32_t k = 0; k < 3 * n; k++)
        x[k] = b->x[k % 3][r->order[r->n_free + k / 3]];
    float *q = block_array(to, 4 * (uint64_t)n, sizeof *q);
    for (uint32_t k = 0; k < 4 * n; k++)
        q[k] = (float)b->q[k % 4][r->order[r->n_free + k / 4]];
    end_if_new(to, &r->wall, &r->n_wall, &r->wall_room);
}

int rows_write(rows *r, blocks *to, const row_source *from)
{
    if (is_changed(r, from->bodies)) {
        if (!find_rows(r, from->bodies))
            return 0;
        write_groups(r, to, from);
        if (!write_shapes(r, to, from))
            return 0;
        write_body(r, to, from->bodies);
    }
    write_wall(r, to, from->bodies);
    return !to->no_memory;
}
