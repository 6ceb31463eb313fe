// SPDX-License-Identifier: Apache-2.0
// The block FRAM: places, orientations, fields and contacts as whole numbers of few bits.
/*
 * Steps    the box of the free bodies; the fewest bits (16, 24 or 31) whose rounding, half a diagonal
 *          of the quantum, is at most 1 % of the smallest radius; numbers in the order of storage,
 *          which the compiler vectorises; then these, which are small, into the order of rows.
 */
#include <float.h>

#include "frames.h"

#define SHARE 0.01   /* [-] error of a place, of the smallest radius */
#define NONE 65535   /* number of a value that is missing */
#define MOST 65534.0 /* number of the largest value */
enum { WIDE = 64, AT_ONCE = 8, FLAG_24 = 1, FLAG_32 = 2 };

typedef struct head {
    uint64_t step;
    double time;
    double lo[3], quantum[3], cell_lo[3], cell_hi[3], vector[3][3];
    uint32_t n_free, n_oriented, n_contacts, n_at_walls, flags, reserved;
} head;

_Static_assert(sizeof(head) == 208, "the head of FRAM");

/* The least and the largest of n numbers, without those that are NaN. */
static void find_range(const double *restrict v, uint32_t n, double *least, double *most)
{
    double lo[WIDE], hi[WIDE];
    uint32_t i = 0;
    for (int k = 0; k < WIDE; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
    }
    for (; i + WIDE <= n; i += WIDE, v += WIDE)
        for (int k = 0; k < WIDE; k++) {
            lo[k] = v[k] < lo[k] ? v[k] : lo[k];
            hi[k] = v[k] > hi[k] ? v[k] : hi[k];
        }
    for (; i < n; i++, v++) {
        lo[0] = *v < lo[0] ? *v : lo[0];
        hi[0] = *v > hi[0] ? *v : hi[0];
    }
    *least = lo[0];
    *most = hi[0];
    for (int k = 1; k < WIDE; k++) {
        *least = scree_min(*least, lo[k]);
        *most = scree_max(*most, hi[k]);
    }
}

/* Fills lo, quantum and flags; returns the levels between lo and hi. */
static double choose_bits(head *h, const scree_bodies *b, const rows *r)
{
    static const double levels[] = {65535.0, 16777215.0, 2147483646.0};
    static const uint32_t flags[] = {0, FLAG_24, FLAG_32};
    double side[3] = {0.0, 0.0, 0.0}, square = 0.0;
    int bits = 0;
    for (uint32_t k = 0; k < b->dimension && b->n_free; k++) {
        double hi;
        find_range(b->x[k], b->n_free, &h->lo[k], &hi);
        side[k] = hi - h->lo[k];
        square += side[k] * side[k];
    }
    while (bits < 2 && 0.5 * sqrt(square) > SHARE * r->smallest * levels[bits])
        bits++;
    for (int k = 0; k < 3; k++)
        h->quantum[k] = side[k] / levels[bits];
    h->flags = flags[bits];
    return levels[bits];
}

/* The lower 16 bits of numbers of places. */
static void number_places(const double *restrict x, uint32_t n, double lo, double quantum,
                          uint16_t *restrict to)
{
    const double by = quantum > 0.0 ? 1.0 / quantum : 0.0;
    for (uint32_t i = 0; i < n; i++)
        to[i] = (uint16_t)(uint32_t)(int32_t)((x[i] - lo) * by + 0.5);
}

/* The bits above them. */
static void number_highs(const double *restrict x, uint32_t n, double lo, double quantum,
                         uint16_t *restrict to)
{
    const double by = quantum > 0.0 ? 1.0 / quantum : 0.0;
    for (uint32_t i = 0; i < n; i++)
        to[i] = (uint16_t)((uint32_t)(int32_t)((x[i] - lo) * by + 0.5) >> 16);
}

static void number_values(const double *restrict v, uint32_t n, double lo, double by,
                          uint16_t *restrict to)
{
    for (uint32_t i = 0; i < n; i++) {
        double at = (v[i] - lo) * by + 0.5;
        at = at < 0.0 ? 0.0 : at;
        at = at > MOST ? MOST : at;
        at = v[i] == v[i] ? at : (double)NONE;
        to[i] = (uint16_t)(int32_t)at;
    }
}

/* Numbers of storage into rows. */
static void put_rows(uint16_t *restrict to, const uint16_t *restrict from, const rows *r,
                     uint32_t n)
{
    const uint32_t *restrict order = r->order;
    uint32_t row;
    if (r->is_plain)
        memcpy(to, from, n * sizeof *to);
    for (row = r->is_plain ? n : 0; row + AT_ONCE <= n; row += AT_ONCE)
        for (uint32_t k = 0; k < AT_ONCE; k++)
            to[row + k] = from[order[row + k]];
    for (; row < n; row++)
        to[row] = from[order[row]];
}

static void put_bytes(uint8_t *to, const uint16_t *from, const rows *r, uint32_t n)
{
    for (uint32_t row = 0; row < n; row++)
        to[row] = (uint8_t)from[r->order[row]];
}

static void put_places(blocks *to, frame_memory *m, const rows *r, const scree_bodies *b,
                       const head *h)
{
    const uint32_t n = r->n_free, d = b->dimension;
    uint16_t *low = block_array(to, (uint64_t)n * d, 2), *wide = NULL;
    uint8_t *narrow = NULL;
    if (h->flags & FLAG_24)
        narrow = block_array(to, (uint64_t)n * d, 1);
    else if (h->flags & FLAG_32)
        wide = block_array(to, (uint64_t)n * d, 2);
    for (uint32_t k = 0; k < d; k++) {
        const uint64_t at = (uint64_t)k * n;
        number_places(b->x[k], n, h->lo[k], h->quantum[k], m->low);
        put_rows(low + at, m->low, r, n);
        if (h->flags)
            number_highs(b->x[k], n, h->lo[k], h->quantum[k], m->low);
        if (narrow)
            put_bytes(narrow + at, m->low, r, n);
        if (wide)
            put_rows(wide + at, m->low, r, n);
    }
}

/* A quaternion in 32 bits: its largest component, made positive, is left out. */
static uint32_t pack_orientation(const double *const q[4], uint32_t i)
{
    uint32_t largest = 0, word;
    for (uint32_t k = 1; k < 4; k++)
        largest = fabs(q[k][i]) > fabs(q[largest][i]) ? k : largest;
    const double by = copysign(sqrt(2.0), q[largest][i]);
    word = largest;
    for (uint32_t k = 0; k < 4; k++) {
        const double at = (q[k][i] * by + 1.0) * 0.5 * 1023.0 + 0.5;
        if (k != largest)
            word = word << 10 | (uint32_t)(at < 0.0 ? 0.0 : at > 1023.0 ? 1023.0 : at);
    }
    return word;
}

static void put_orientations(blocks *to, const rows *r, const scree_bodies *b)
{
    uint32_t *word = block_array(to, r->n_oriented, sizeof *word);
    for (uint32_t row = 0; row < r->n_free; row++) {
        const uint32_t i = r->order[row];
        if (!(b->shapes[b->shape[i]]->flags & SCREE_CAP_ROUND))
            *word++ = pack_orientation(b->q, i);
    }
}

static void put_column(blocks *to, frame_memory *m, const rows *r, const double *value)
{
    double lo, hi;
    find_range(value, r->n, &lo, &hi);
    const float range[2] = {lo <= hi ? (float)lo : 0.0f, lo <= hi ? (float)hi : 0.0f};
    const double span = (double)range[1] - (double)range[0];
    number_values(value, r->n, (double)range[0], span > 0.0 ? MOST / span : 0.0, m->low);
    block_put(to, range, 2, sizeof *range);
    put_rows(block_array(to, r->n, 2), m->low, r, r->n);
}

/* ---- contacts ---- */

static double force_of(const scree_contact_list *c, uint64_t i)
{
    return sqrt(c->f[0][i] * c->f[0][i] + c->f[1][i] * c->f[1][i] + c->f[2][i] * c->f[2][i]);
}

static int is_at_wall(const scree_bodies *b, const scree_contact_list *c, uint64_t i)
{
    return (b->shapes[b->shape[c->b[i]]]->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)) != 0;
}

static uint16_t pack_image(const scree_contact_list *c, uint64_t i)
{
    uint32_t word = 0;
    for (int k = 2; k >= 0; k--)
        word = word << 5 | ((uint32_t)(c->image[k][i] + 16) & 31u);
    return (uint16_t)word;
}

/* Lists the contacts with a force, those at walls last; 0: out of memory. */
static int list_contacts(frame_memory *m, const scree_bodies *b, const scree_contact_list *c,
                         head *h)
{
    if (!scree_grow(&m->listed, &m->listed_room, c->n + 1, sizeof *m->listed))
        return 0;
    for (int at_wall = 0; at_wall < 2; at_wall++)
        for (uint64_t i = 0; i < c->n; i++)
            if (force_of(c, i) > 0.0 && is_at_wall(b, c, i) == at_wall) {
                m->listed[h->n_contacts++] = i;
                h->n_at_walls += (uint32_t)at_wall;
            }
    return 1;
}

static void put_contacts(blocks *to, const frame_memory *m, const rows *r, const scree_bodies *b,
                         const scree_contact_list *c, const head *h)
{
    const uint32_t n = h->n_contacts;
    const uint64_t *const at = m->listed;
    double most = 0.0;
    for (uint32_t k = 0; k < n; k++)
        most = scree_max(most, force_of(c, at[k]));
    for (int end = 0; end < 2; end++) {
        uint32_t *row = block_array(to, n, sizeof *row);
        for (uint32_t k = 0; k < n; k++)
            row[k] = r->row_of[end ? c->b[at[k]] : c->a[at[k]]];
    }
    block_put(to, &(float){(float)most}, 1, sizeof(float));
    uint16_t *number = block_array(to, n, sizeof *number);
    for (uint32_t k = 0; k < n; k++)
        number[k] = (uint16_t)(force_of(c, at[k]) / most * 65535.0 + 0.5);
    number = block_array(to, n, sizeof *number);
    for (uint32_t k = 0; k < n; k++)
        number[k] = pack_image(c, at[k]);
    float *point = block_array(to, 3 * (uint64_t)h->n_at_walls, sizeof *point);
    for (uint32_t k = n - h->n_at_walls; k < n; k++)
        for (int j = 0; j < 3; j++)
            *point++ = (float)(b->x[j][c->a[at[k]]] + c->arm[j][at[k]] - h->lo[j]);
}

int frame_write(blocks *to, frame_memory *m, const rows *r, const scree_view *view,
                const column *columns, uint32_t n_columns, int32_t contacts)
{
    const scree_bodies *b = view->bodies;
    const scree_contact_list *list = contacts ? view->contacts : NULL;
    head h = {
        .step = view->step, .time = view->time, .n_free = r->n_free, .n_oriented = r->n_oriented};
    if (!scree_grow(&m->low, &m->low_room, (uint64_t)r->n + 1, 2))
        return 0;
    choose_bits(&h, b, r);
    memcpy(h.cell_lo, b->cell->lo, sizeof h.cell_lo);
    memcpy(h.cell_hi, b->cell->hi, sizeof h.cell_hi);
    memcpy(h.vector, b->cell->vector, sizeof h.vector);
    if (list && !list_contacts(m, b, list, &h))
        return 0;
    const uint64_t bytes = sizeof h + 4ull * b->dimension * r->n_free + 4ull * r->n_oriented +
                           n_columns * (2ull * r->n + 16) + 24ull * h.n_contacts;
    if (!block_begin(to, "FRAM", bytes))
        return 0;
    block_put(to, &h, 1, sizeof h);
    put_places(to, m, r, b, &h);
    put_orientations(to, r, b);
    for (uint32_t k = 0; k < n_columns; k++)
        put_column(to, m, r, columns[k].value);
    if (h.n_contacts)
        put_contacts(to, m, r, b, list, &h);
    block_end(to);
    return 1;
}
