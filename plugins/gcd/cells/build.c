/* SPDX-License-Identifier: Apache-2.0 */
/* The step_init of cells: sizes, a layout that is kept while it serves, the counting sort. */
#include "cells.h"

enum {
    BLOCK = 128,  // boxes binned at a time
    MANY = 32768, // boxes that a cache near the core may not hold
    NUMBERS = 10,
    SERVES = 64, // steps that a layout serves at most: sizes may have shrunk
};

typedef struct block {
    uint32_t n;
    uint32_t at[BLOCK];                         // slots of boxes; some of a block
    uint32_t word[BLOCK], to[BLOCK];            // positions of their words; places of these
    double copy[NUMBERS][BLOCK];                // [m] numbers of these boxes
    uint64_t lo[BLOCK], hi[BLOCK], ball[BLOCK]; // packed corners and balls
    int32_t cell[BLOCK], fits[BLOCK];
} block;

/* The numbers of boxes, one array each: lower and upper corners, centres, radius. */
typedef const double *numbers[NUMBERS];

/* ---- sizes ---- */

static uint32_t size_class(double side)
{
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    int64_t c = (int64_t)(bits >> 50) - (1023 * 4 - CLASSES / 2);
    return (uint32_t)(c < 0 ? 0 : c >= CLASSES ? CLASSES - 1 : c);
}

static int32_t measure(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const cells *g = user;
    const scree_boxes *b = &g->boxes;
    stats *s = &g->lane[lane];
    for (uint64_t i = begin; i < end; i++) {
        double side = 0.0;
        if (scree_box_empty(b, (uint32_t)i))
            continue;
        for (uint32_t k = 0; k < g->axes; k++) {
            double lo = b->lo[k][i], d = b->hi[k][i] - lo;
            side = side > d ? side : d;
            s->lo[k] = s->lo[k] < lo ? s->lo[k] : lo;
            s->hi[k] = s->hi[k] > lo ? s->hi[k] : lo;
        }
        uint32_t c = size_class(side);
        s->count[c]++;
        s->largest[c] = s->largest[c] > side ? s->largest[c] : side;
    }
    return SCREE_OK;
}

static void clear_stats(stats *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t k = 0; k < 3; k++) {
        s->lo[k] = HUGE_VAL;
        s->hi[k] = -HUGE_VAL;
    }
}

static void merge_stats(stats *s, const stats *other)
{
    for (uint32_t c = 0; c < CLASSES; c++) {
        s->count[c] += other->count[c];
        s->largest[c] = s->largest[c] > other->largest[c] ? s->largest[c] : other->largest[c];
    }
    for (uint32_t k = 0; k < 3; k++) {
        s->lo[k] = s->lo[k] < other->lo[k] ? s->lo[k] : other->lo[k];
        s->hi[k] = s->hi[k] > other->hi[k] ? s->hi[k] : other->hi[k];
    }
}

/* ---- binning, a block at a time ---- */

/* Adding MAGIC leaves the nearest whole number in the low bits, as in to_units. */
#define MAGIC 0x1.8p52

/* Adds the cells along one axis, the next one `stride` further, and finds whether they are cells of
 * the level: between the units `from` and `to`. */
static void along(const double *SCREE_RESTRICT lo, uint32_t n, double origin, double scale,
                  double from, double to, int32_t stride, int32_t *SCREE_RESTRICT cell,
                  int32_t *SCREE_RESTRICT fits)
{
    for (uint32_t i = 0; i < n; i++) {
        double t = (lo[i] - origin) * scale;
        t = t < to ? t : to;
        t = t > from - 1.0 ? t : from - 1.0;
        t = t + MAGIC - MAGIC;
        fits[i] &= (t >= from) & (t < to);
        cell[i] += (int32_t)((t - from) * (1.0 / UNIT)) * stride;
    }
}

/* Checks also that boxes are short enough. A box whose numbers stay below FAR then has no more
 * units than its level allows. */
static void are_short(const double *SCREE_RESTRICT lo, const double *SCREE_RESTRICT hi, uint32_t n,
                      double reach, int32_t *SCREE_RESTRICT fits)
{
    for (uint32_t i = 0; i < n; i++)
        fits[i] &= hi[i] - lo[i] <= reach;
}

/* The cells of a torus, which takes all boxes but those with numbers of FAR or more. */
static void along_torus(const double *lo, const double *hi, uint32_t n, double origin,
                        const level *v, uint32_t k, int32_t stride, block *b)
{
    for (uint32_t i = 0; i < n; i++) {
        const int64_t at = to_units(lo[i], origin, v->scale), dim = (int64_t)v->dim[k];
        const int64_t turn = ((at >> BITS) - v->first[k]) % dim;
        b->fits[i] &= (at > -FAR) & (to_units(hi[i], origin, v->scale) < FAR);
        b->cell[i] += (int32_t)(turn < 0 ? turn + dim : turn) * stride;
    }
}

/* Cells of the boxes at `x`; what does not fit is oversized. Returns 1 when a box is short enough
 * and is outside the cells: another layout would take it. */
static int find_cells(const cells *g, const level *v, const numbers x, block *b)
{
    const uint32_t n = b->n, stride[3] = {1, v->dim[0], v->dim[0] * v->dim[1]};
    const int32_t oversized = (int32_t)g->n_cells;
    int32_t beside = 0;
    for (uint32_t i = 0; i < n; i++) {
        b->cell[i] = (int32_t)v->base;
        b->fits[i] = 1;
    }
    for (uint32_t k = 0; k < g->axes; k++) {
        const double from = (double)(v->first[k] * UNIT), to = from + (v->dim[k] - 1.0) * UNIT;
        if (v->folded)
            along_torus(x[k], x[3 + k], n, g->origin[k], v, k, (int32_t)stride[k], b);
        else
            along(x[k], n, g->origin[k], v->scale, from, to, (int32_t)stride[k], b->cell, b->fits);
    }
    int32_t inside[BLOCK];
    memcpy(inside, b->fits, n * sizeof *inside);
    for (uint32_t k = 0; k < g->axes; k++)
        are_short(x[k], x[3 + k], n, v->longest, b->fits);
    for (uint32_t i = 0; i < n; i++) {
        const int32_t empty = x[0][i] > x[3][i];
        beside |= (inside[i] ^ 1) & (empty ^ 1);
        b->cell[i] = empty ? oversized + 1 : b->fits[i] ? b->cell[i] : oversized;
    }
    return beside;
}

static inline uint64_t low_bits(double x, double origin, double scale, uint64_t bits)
{
    const double t = (x - origin) * scale + MAGIC;
    uint64_t word;
    memcpy(&word, &t, sizeof word);
    return word & bits;
}

static void words_of(const double *SCREE_RESTRICT x, uint32_t n, double origin, double scale,
                     uint64_t bits, uint32_t shift, uint64_t *SCREE_RESTRICT words)
{
    for (uint32_t i = 0; i < n; i++)
        words[i] |= low_bits(x[i], origin, scale, bits) << shift;
}

/* Puts minus the radii into the last fields. Each radius grows by sqrt(3) / 2 units for the
 * rounding of two centres, and by one unit for its own rounding. */
static void radii_of(const double *SCREE_RESTRICT radius, uint32_t n, double scale,
                     uint64_t *SCREE_RESTRICT words)
{
    for (uint32_t i = 0; i < n; i++) {
        const double r = radius[i] * scale + 1.92;
        const int32_t whole = (int32_t)(r < BROAD + 1.0 ? r : BROAD + 1.0);
        words[i] |= (uint64_t)(uint32_t)-whole << 48;
    }
}

/* Packs both corners and the balls; words of boxes in no cell are meaningless. */
static void find_words(const cells *g, const level *v, const numbers x, block *b)
{
    const double coarse = v->scale / COARSE;
    for (uint32_t i = 0; i < b->n; i++) {
        b->lo[i] = b->ball[i] = 0;
        b->hi[i] = GUARD;
    }
    for (uint32_t k = 0; k < g->axes; k++) {
        words_of(x[k], b->n, g->origin[k], v->scale, FIELD, 21 * k, b->lo);
        words_of(x[3 + k], b->n, g->origin[k], v->scale, FIELD, 21 * k, b->hi);
        if (g->spheres)
            words_of(x[6 + k], b->n, g->origin[k], coarse, 0xffff, 16 * k, b->ball);
    }
    if (g->spheres)
        radii_of(x[9], b->n, coarse, b->ball);
}

/* Points to the arrays of all boxes, from number `from` on. */
static void numbers_at(const cells *g, uint64_t from, numbers x)
{
    for (uint32_t k = 0; k < 3; k++) {
        x[k] = g->boxes.lo[k] + from;
        x[3 + k] = g->boxes.hi[k] + from;
        x[6 + k] = g->boxes.centre[k] + from;
    }
    x[9] = g->boxes.radius + from;
}

/* Copies the first n arrays of b->n boxes at b->at; in 2D without z. */
static void collect(const cells *g, uint32_t n, block *b, numbers x)
{
    numbers all;
    numbers_at(g, 0, all);
    for (uint32_t k = 0; k < n; k++) {
        x[k] = b->copy[k];
        if (k % 3 == 2 && g->axes == 2)
            continue;
        for (uint32_t i = 0; i < b->n; i++)
            b->copy[k][i] = all[k][b->at[i]];
    }
}

/* ---- first pass: cells and their counts ---- */

/* The level of a box, by its longest side; n_levels when the box is too long for all levels. */
static uint32_t level_of(const cells *g, uint32_t i)
{
    double side = -HUGE_VAL;
    uint32_t l = 0;
    for (uint32_t k = 0; k < g->axes; k++) {
        double d = g->boxes.hi[k][i] - g->boxes.lo[k][i];
        side = side > d ? side : d;
    }
    for (uint32_t k = 0; k < g->n_levels; k++)
        l += side > g->level[k].reach;
    return l;
}

/* Bins boxes that did not fit into the first level, one level after the other. */
static int bin_larger(cells *g, uint64_t from, uint32_t n, block *b)
{
    uint32_t larger[BLOCK], n_larger = 0, own[BLOCK];
    numbers x;
    int beside = 0;
    for (uint32_t i = 0; i < n; i++) {
        larger[n_larger] = (uint32_t)(from + i);
        n_larger += g->pos[from + i] == g->n_cells;
    }
    for (uint32_t i = 0; i < n_larger; i++)
        own[i] = level_of(g, larger[i]);
    if (n_larger)
        for (uint32_t l = 1; l < g->n_levels; l++) {
            b->n = 0;
            for (uint32_t i = 0; i < n_larger; i++) {
                b->at[b->n] = larger[i];
                b->n += own[i] == l;
            }
            if (!b->n)
                continue;
            collect(g, 6, b, x);
            beside |= find_cells(g, &g->level[l], x, b);
            for (uint32_t i = 0; i < b->n; i++)
                g->pos[b->at[i]] = (uint32_t)b->cell[i];
        }
    return beside;
}

static int bin(cells *g, uint64_t from, uint32_t n, block *b)
{
    numbers x;
    int beside = 0;
    b->n = n;
    numbers_at(g, from, x);
    if (g->n_levels)
        beside = find_cells(g, &g->level[0], x, b);
    else
        for (uint32_t i = 0; i < n; i++)
            b->cell[i] = x[0][i] > x[3][i];
    memcpy(g->pos + from, b->cell, n * sizeof *b->cell);
    return g->n_levels > 1 ? beside | bin_larger(g, from, n, b) : beside;
}

static uint64_t part_edge(const cells *g, uint32_t part)
{
    return (uint64_t)g->boxes.n * part / g->parts;
}

static uint32_t *counts(const cells *g, uint32_t part)
{
    return g->start + 1 + (uint64_t)part * (g->n_cells + 2);
}

static int32_t count_part(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    cells *g = user;
    block b;
    (void)lane;
    for (uint32_t part = (uint32_t)begin; part < end; part++) {
        uint32_t *count = counts(g, part);
        memset(count, 0, ((uint64_t)g->n_cells + 2) * sizeof *count);
        int beside = 0;
        for (uint64_t i = part_edge(g, part); i < part_edge(g, part + 1); i += BLOCK) {
            uint64_t left = part_edge(g, part + 1) - i;
            uint32_t n = left < BLOCK ? (uint32_t)left : BLOCK;
            beside |= bin(g, i, n, &b);
            for (uint32_t k = 0; k < n; k++)
                count[g->pos[i + k]]++;
        }
        g->beside[part] = beside;
    }
    return SCREE_OK;
}

/* Turns the counts of the cells [first, last) into places: a part's boxes in a cell come after
 * those of earlier parts. The sum can run from either end, so that two lanes share the cells. */
static inline __attribute__((always_inline)) void
sum_up(uint32_t *count, uint64_t stride, uint32_t parts, uint32_t first, uint32_t last)
{
    uint32_t sum = 0;
    for (uint32_t c = first; c < last; c++)
        for (uint32_t part = 0; part < parts; part++) {
            const uint32_t own = count[c + part * stride];
            count[c + part * stride] = sum;
            sum += own;
        }
}

static inline __attribute__((always_inline)) void sum_down(uint32_t *count, uint64_t stride,
                                                           uint32_t parts, uint32_t first,
                                                           uint32_t last, uint32_t sum)
{
    for (uint32_t c = last; c-- > first;)
        for (uint32_t part = parts; part-- > 0;)
            count[c + part * stride] = sum -= count[c + part * stride];
}

static int32_t sum_half(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    cells *g = user;
    const uint32_t middle = g->n_cells / 2;
    const uint64_t stride = (uint64_t)g->n_cells + 2;
    (void)lane;
    for (uint64_t half = begin; half < end; half++)
        if (half == 0 && g->parts == 1)
            sum_up(counts(g, 0), stride, 1, 0, middle);
        else if (half == 0)
            sum_up(counts(g, 0), stride, g->parts, 0, middle);
        else if (g->parts == 1)
            sum_down(counts(g, 0), stride, 1, middle, g->n_cells, g->n_sorted);
        else
            sum_down(counts(g, 0), stride, g->parts, middle, g->n_cells, g->n_sorted);
    return SCREE_OK;
}

static void sum_counts(cells *g)
{
    uint32_t large = 0, empty = 0;
    for (uint32_t part = 0; part < g->parts; part++) {
        uint32_t *own = counts(g, part), n = own[g->n_cells];
        own[g->n_cells] = large;
        large += n;
        empty += own[g->n_cells + 1];
    }
    g->n_large = large;
    g->n_sorted = g->boxes.n - large - empty;
    g->host->parallel_for(g->host->ctx, 0, 2, 1, sum_half, g);
}

/* ---- second pass: boxes in the order of the cells ---- */

static inline void fetch(const cells *g, uint32_t p)
{
    __builtin_prefetch(g->lo + p, 1);
    __builtin_prefetch(g->hi + p, 1);
    __builtin_prefetch(g->ids + p, 1);
    __builtin_prefetch(g->cell + p, 1);
    if (g->spheres)
        __builtin_prefetch(g->balls + p, 1);
}

/* Enters the n boxes at b->at of a block. It finds their places first, so that with many boxes the
 * memory is on its way when it is written. Returns 1 when a ball is broad. */
static uint32_t put(const cells *g, uint32_t *place, uint32_t n, block *b)
{
    const int many = g->boxes.n > MANY;
    uint32_t broad = 0;
    for (uint32_t k = 0; k < n; k++) {
        b->to[k] = place[g->pos[b->at[k]]]++;
        if (many)
            fetch(g, b->to[k]);
    }
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t p = b->to[k], w = b->word[k];
        g->lo[p] = b->lo[w];
        g->hi[p] = b->hi[w];
        g->ids[p] = b->at[k];
        g->cell[p] = g->pos[b->at[k]];
        if (g->spheres)
            g->balls[p] = b->ball[w];
        broad |= (int64_t)b->ball[w] >> 48 < -BROAD;
    }
    return broad;
}

/* Returns the levels with broad balls. */
static uint32_t place_larger(cells *g, uint32_t *place, uint64_t from, uint32_t n, block *b)
{
    uint32_t larger[BLOCK], n_larger = 0, broad = 0;
    numbers x;
    const uint32_t small = g->n_levels ? g->level[0].n_cells : 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t c = g->pos[from + i];
        larger[n_larger] = (uint32_t)(from + i);
        n_larger += (c >= small) & (c <= g->n_cells);
    }
    if (n_larger)
        for (uint32_t l = 1; l < g->n_levels; l++) {
            const level *v = &g->level[l];
            b->n = 0;
            for (uint32_t i = 0; i < n_larger; i++) {
                b->at[b->n] = larger[i];
                b->word[b->n] = b->n;
                b->n += g->pos[larger[i]] - v->base < v->n_cells;
            }
            if (!b->n)
                continue;
            collect(g, g->spheres ? NUMBERS : 6, b, x);
            find_words(g, v, x, b);
            broad |= put(g, place, b->n, b) << l;
        }
    for (uint32_t i = 0; i < n_larger; i++)
        if (g->pos[larger[i]] == g->n_cells)
            g->large[place[g->n_cells]++] = larger[i];
    return broad;
}

static uint32_t place_block(cells *g, uint32_t *place, uint64_t from, uint32_t n, block *b)
{
    const uint32_t small = g->n_levels ? g->level[0].n_cells : 0;
    numbers x;
    uint32_t n_small = 0, broad;
    b->n = n;
    numbers_at(g, from, x);
    if (g->n_levels)
        find_words(g, &g->level[0], x, b);
    for (uint32_t i = 0; i < n; i++) {
        b->at[n_small] = (uint32_t)(from + i);
        b->word[n_small] = i;
        n_small += g->pos[from + i] < small;
    }
    broad = put(g, place, n_small, b);
    return n_small < n ? broad | place_larger(g, place, from, n, b) : broad;
}

static int32_t place_part(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    cells *g = user;
    block b;
    (void)lane;
    for (uint32_t part = (uint32_t)begin; part < end; part++) {
        uint32_t broad = 0;
        for (uint64_t i = part_edge(g, part); i < part_edge(g, part + 1); i += BLOCK) {
            const uint64_t left = part_edge(g, part + 1) - i;
            broad |= place_block(g, counts(g, part), i, left < BLOCK ? (uint32_t)left : BLOCK, &b);
        }
        g->broad[part] = broad;
    }
    return SCREE_OK;
}

/* ---- oversized boxes ---- */

/* Sorts oversized boxes by lower end on x (heap sort: in place). */
static void sift_down(uint32_t *large, const double *lo, uint32_t at, uint32_t n)
{
    const uint32_t top = large[at];
    for (uint32_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && lo[large[child + 1]] > lo[large[child]];
        if (!(lo[large[child]] > lo[top]))
            break;
        large[at] = large[child];
        at = child;
    }
    large[at] = top;
}

static void sort_large(cells *g)
{
    const double *lo = g->boxes.lo[0];
    uint32_t n = g->n_large;
    for (uint32_t i = n / 2; i-- > 0;)
        sift_down(g->large, lo, i, n);
    while (n > 1) {
        uint32_t last = g->large[--n];
        g->large[n] = g->large[0];
        g->large[0] = last;
        sift_down(g->large, lo, 0, n);
    }
}

/* Rounds oversized boxes to 2^19 units of their own range, so that fields never wrap: rough, but
 * monotone. */
static void copy_large(cells *g)
{
    const double most = 0x1p19 - 1.0;
    double from[3] = {0, 0, 0}, scale[3] = {0, 0, 0};
    for (uint32_t k = 0; k < g->axes; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t l = 0; l < g->n_large; l++) {
            double a = g->boxes.lo[k][g->large[l]], z = g->boxes.hi[k][g->large[l]];
            low = a < low ? a : low;
            high = z > high ? z : high;
        }
        from[k] = low;
        scale[k] = most / (high - low);
    }
    for (uint32_t l = 0; l < g->n_large; l++) {
        int64_t lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
        for (uint32_t k = 0; k < g->axes; k++) {
            double a = (g->boxes.lo[k][g->large[l]] - from[k]) * scale[k];
            double z = (g->boxes.hi[k][g->large[l]] - from[k]) * scale[k];
            int useful = scale[k] > 0.0 && scale[k] < 0x1p900;
            lo[k] = useful ? (int64_t)(a < most ? a : most) : 0;
            hi[k] = useful ? (int64_t)(z < most ? z : most) : 0;
        }
        g->large_spans[l] = (span){pack(lo[0], lo[1], lo[2]), pack(hi[0], hi[1], hi[2]) | GUARD};
    }
}

/* ---- layouts ---- */

static int32_t new_layout(cells *g)
{
    const scree_host *host = g->host;
    for (uint32_t l = 0; l < host->lanes; l++)
        clear_stats(&g->lane[l]);
    host->parallel_for(host->ctx, 0, g->boxes.n, GRAIN, measure, g);
    for (uint32_t l = 1; l < host->lanes; l++)
        merge_stats(&g->lane[0], &g->lane[l]);
    scree_cells_look(g);
    g->choose(g, &g->lane[0]);
    scree_cells_lay_out(g, &g->lane[0]);
    uint64_t cells_and_ends = (uint64_t)g->parts * ((uint64_t)g->n_cells + 2) + 1 + PAD;
    return scree_grow(&g->start, &g->room[1], cells_and_ends, sizeof *g->start) ? SCREE_OK
                                                                                : SCREE_E_MEMORY;
}

static int far_from(uint32_t n, uint32_t expected)
{
    uint32_t slack = expected / 8 + 16;
    return n > expected + slack || n + slack < expected;
}

/* Has the state changed so much since the last layout that another one may be better? */
static int outgrown(const cells *g)
{
    int worse = g->age >= SERVES || far_from(g->n_large, g->expected_large);
    for (uint32_t part = 0; part < g->parts; part++)
        worse |= g->beside[part];
    for (uint32_t l = 0; l < g->n_levels; l++)
        worse |= far_from(g->level[l].end - g->level[l].begin, g->level[l].expected);
    return worse;
}

static void expect(cells *g)
{
    g->age = 0;
    g->laid_out = 1;
    g->expected_large = g->n_large;
    for (uint32_t l = 0; l < g->n_levels; l++)
        g->level[l].expected = g->level[l].end - g->level[l].begin;
}

/* Finds cells and counts, with the previous layout or with a new one. */
static int32_t count_boxes(cells *g)
{
    const scree_host *host = g->host;
    for (int fresh = !g->laid_out;; fresh = 1) {
        int32_t status = fresh ? new_layout(g) : SCREE_OK;
        if (status != SCREE_OK)
            return status;
        g->age++;
        host->parallel_for(host->ctx, 0, g->parts, 1, count_part, g);
        sum_counts(g);
        for (uint32_t l = 0; l < g->n_levels; l++) {
            level *v = &g->level[l];
            v->begin = counts(g, 0)[v->base];
            v->end = l + 1 < g->n_levels ? counts(g, 0)[v[1].base] : g->n_sorted;
        }
        if (fresh)
            expect(g);
        if (fresh || !outgrown(g))
            return SCREE_OK;
    }
}

static int grow_boxes(cells *g)
{
    const uint64_t n = (uint64_t)g->boxes.n + PAD, spheres = g->spheres ? n : 0;
    return scree_grow(&g->pos, &g->room[0], n, sizeof *g->pos) &&
           scree_grow(&g->lo, &g->room[2], n, sizeof *g->lo) &&
           scree_grow(&g->hi, &g->room[3], n, sizeof *g->hi) &&
           scree_grow(&g->ids, &g->room[4], n, sizeof *g->ids) &&
           scree_grow(&g->cell, &g->room[5], n, sizeof *g->cell) &&
           scree_grow(&g->balls, &g->room[6], spheres, sizeof *g->balls);
}

int32_t scree_cells_step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                              uint32_t n_moved, uint64_t *n_pivots)
{
    cells *g = instance;
    const scree_host *host = g->host;
    const uint32_t lanes = host->lanes < MAX_PARTS ? host->lanes : MAX_PARTS;
    const uint32_t parts = boxes->n < 8 * GRAIN ? 1 : lanes;
    (void)moved;
    (void)n_moved;
    g->laid_out &= parts == g->parts && boxes->dimension == g->axes;
    scree_boxes_keep(&g->boxes, boxes);
    g->axes = boxes->dimension;
    g->parts = parts;
    g->n_sorted = g->n_large = 0;
    int32_t status = grow_boxes(g) ? count_boxes(g) : SCREE_E_MEMORY;
    if (status == SCREE_OK &&
        (!scree_grow(&g->large, &g->room[7], g->n_large, sizeof *g->large) ||
         !scree_grow(&g->large_spans, &g->room[8], g->n_large, sizeof *g->large_spans)))
        status = SCREE_E_MEMORY;
    if (status != SCREE_OK) {
        g->n_sorted = g->n_large = g->n_levels = g->laid_out = 0;
        return host->fail(host->ctx, status, "out of memory for the boxes");
    }
    host->parallel_for(host->ctx, 0, g->parts, 1, place_part, g);
    uint32_t *ends = counts(g, g->parts - 1);
    ends[-1] = 0;
    ends[g->n_cells] = ends[g->n_cells + 1] = g->n_sorted;
    sort_large(g);
    copy_large(g);
    for (uint32_t l = 0; l < g->n_levels; l++) {
        g->level[l].balls = g->spheres;
        for (uint32_t part = 0; part < g->parts; part++)
            g->level[l].balls &= ~(g->broad[part] >> l);
    }
    *n_pivots = pivots_of(g->n_sorted) + g->n_large;
    return SCREE_OK;
}

/* ---- the instance ---- */

void scree_cells_destroy(void *instance)
{
    cells *g = instance;
    if (!g)
        return;
    free(g->lane);
    free(g->pos);
    free(g->start);
    free(g->lo);
    free(g->hi);
    free(g->ids);
    free(g->cell);
    free(g->balls);
    free(g->large);
    free(g->large_spans);
    free(g);
}

int32_t scree_cells_create(const scree_host *host, const void *config, cells_choose choose,
                           cells **out)
{
    cells *g = calloc(1, sizeof *g);
    if (g)
        g->lane = calloc(host->lanes, sizeof *g->lane);
    if (!g || !g->lane) {
        scree_cells_destroy(g);
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory for the cells");
    }
    g->host = host;
    g->config = config;
    g->choose = choose;
    g->cell_reach = 1.0;
    scree_cells_order(g->order);
    *out = g;
    return SCREE_OK;
}

int32_t scree_cells_init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    cells *g = instance;
    scree_boxes_keep(&g->boxes, boxes);
    g->spheres = (flags & SCREE_GCD_SPHERES) != 0;
    g->n_sorted = g->n_large = g->n_levels = g->laid_out = 0;
    return SCREE_OK;
}

uint64_t scree_cells_bytes(void *instance)
{
    const cells *g = instance;
    const size_t each[9] = {sizeof *g->pos,   sizeof *g->start, sizeof *g->lo,
                            sizeof *g->hi,    sizeof *g->ids,   sizeof *g->cell,
                            sizeof *g->balls, sizeof *g->large, sizeof *g->large_spans};
    uint64_t sum = sizeof *g + g->host->lanes * sizeof *g->lane;
    for (uint32_t k = 0; k < 9; k++)
        sum += g->room[k] * each[k];
    return sum;
}
