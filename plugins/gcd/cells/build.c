/* SPDX-License-Identifier: Apache-2.0 */
/* The step_init of cells: sizes, a layout that is kept while it serves, the counting sort. */
#include "cells.h"

enum {
    BLOCK = 128,      // boxes binned at a time
    SERVES = 256,     // steps that a layout serves at most
};

typedef struct block {
    uint32_t n;
    uint32_t at[BLOCK];   // slots, of some of a block
    double corner[6][BLOCK]; // [m] theirs: lower, upper
    int64_t lo[3][BLOCK], hi[3][BLOCK], longest[BLOCK], inside[BLOCK]; // [units]
    uint64_t first[BLOCK], second[BLOCK];                              // words of a span
    uint32_t cell[BLOCK];
} block;

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

static void units_of(const double *SCREE_RESTRICT x, uint32_t n, double origin, double scale,
                     int64_t *SCREE_RESTRICT q)
{
    for (uint32_t i = 0; i < n; i++)
        q[i] = to_units(x[i], origin, scale);
}

/* The longest side; an empty slot's is negative. */
static void longest_of(const int64_t *SCREE_RESTRICT lo, const int64_t *SCREE_RESTRICT hi,
                       uint32_t n, int64_t *SCREE_RESTRICT longest)
{
    for (uint32_t i = 0; i < n; i++) {
        int64_t d = hi[i] - lo[i];
        longest[i] = longest[i] > d ? longest[i] : d;
    }
}

/* Cells along one axis, the last one counts `stride`; and whether they are cells of the level. */
static void along(const int64_t *SCREE_RESTRICT lo, uint32_t n, int64_t from, int64_t to,
                  uint32_t stride, uint32_t *SCREE_RESTRICT cell, int64_t *SCREE_RESTRICT inside)
{
    for (uint32_t i = 0; i < n; i++) {
        inside[i] &= -(int64_t)((lo[i] >= from) & (lo[i] < to));
        cell[i] += (uint32_t)((uint64_t)(lo[i] - from) >> BITS) * stride;
    }
}

static void along_torus(const int64_t *lo, uint32_t n, int64_t first, uint32_t dim, uint32_t stride,
                        uint32_t *cell)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = (uint64_t)((lo[i] >> BITS) - first);
        int64_t turn = (lo[i] >> BITS) - first;
        at = at < dim ? at : (uint64_t)(turn % (int64_t)dim + (turn < 0 ? dim : 0)) % dim;
        cell[i] += (uint32_t)at * stride;
    }
}

/* Corners of the boxes at `x` in units of a level. */
static void convert(const cells *g, const level *v, const double *const x[6], block *b)
{
    for (uint32_t k = 0; k < g->axes; k++) {
        units_of(x[k], b->n, g->origin[k], v->scale, b->lo[k]);
        units_of(x[3 + k], b->n, g->origin[k], v->scale, b->hi[k]);
    }
}

/* Their cells; what does not fit is oversized, and said when another layout would take it. */
static uint32_t find_cells(const cells *g, const level *v, block *b, uint32_t *longest)
{
    const uint32_t n = b->n, strides[3] = {1, v->dim[0], v->dim[0] * v->dim[1]};
    uint32_t outside = 0, most = *longest;
    for (uint32_t i = 0; i < n; i++) {
        b->longest[i] = INT64_MIN;
        b->inside[i] = -1;
        b->cell[i] = v->base;
    }
    for (uint32_t k = 0; k < g->axes; k++) {
        longest_of(b->lo[k], b->hi[k], n, b->longest);
        if (v->folded)
            along_torus(b->lo[k], n, v->first[k], v->dim[k], strides[k], b->cell);
        else
            along(b->lo[k], n, v->first[k] * UNIT, (v->first[k] + v->dim[k] - 1) * UNIT, strides[k],
                  b->cell, b->inside);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t empty = b->longest[i] < 0, small = b->longest[i] <= v->units;
        uint32_t inside = b->inside[i] != 0, side = empty ? 0 : (uint32_t)b->longest[i];
        for (uint32_t k = 0; k < g->axes && v->folded; k++)
            small &= (b->lo[k][i] > -FAR) & (b->hi[k][i] < FAR);
        outside |= small & (uint32_t)(empty == 0) & (uint32_t)(inside == 0);
        most = small && side > most ? side : most;
        b->cell[i] = empty ? g->n_cells + 1 : small & inside ? b->cell[i] : g->n_cells;
    }
    *longest = most;
    return outside;
}

static void words(const cells *g, block *b)
{
    const int64_t *SCREE_RESTRICT lo[3] = {b->lo[0], b->lo[1], b->lo[2]};
    const int64_t *SCREE_RESTRICT hi[3] = {b->hi[0], b->hi[1], b->hi[2]};
    if (g->axes == 2)
        for (uint32_t i = 0; i < b->n; i++) {
            b->first[i] = pack(lo[0][i], lo[1][i], 0);
            b->second[i] = pack(hi[0][i], hi[1][i], 0) | GUARD;
        }
    else
        for (uint32_t i = 0; i < b->n; i++) {
            b->first[i] = pack(lo[0][i], lo[1][i], lo[2][i]);
            b->second[i] = pack(hi[0][i], hi[1][i], hi[2][i]) | GUARD;
        }
}

/* Collects the corners of b->n boxes at b->at. */
static void collect(const cells *g, block *b, const double *x[6])
{
    for (uint32_t k = 0; k < g->axes; k++) {
        for (uint32_t i = 0; i < b->n; i++) {
            b->corner[k][i] = g->boxes.lo[k][b->at[i]];
            b->corner[3 + k][i] = g->boxes.hi[k][b->at[i]];
        }
        x[k] = b->corner[k];
        x[3 + k] = b->corner[3 + k];
    }
}

static void corners_at(const cells *g, uint64_t from, const double *x[6])
{
    for (uint32_t k = 0; k < g->axes; k++) {
        x[k] = g->boxes.lo[k] + from;
        x[3 + k] = g->boxes.hi[k] + from;
    }
}

/* ---- first pass: cells and their counts ---- */

/* Level of a box by its longest side, n_levels when it is longer than all. */
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

static void bin_mixed(cells *g, uint32_t part, uint64_t from, uint32_t n, block *b)
{
    uint8_t own[BLOCK];
    const double *x[6];
    for (uint32_t i = 0; i < n; i++) {
        own[i] = (uint8_t)level_of(g, (uint32_t)(from + i));
        g->pos[from + i] = scree_box_empty(&g->boxes, (uint32_t)(from + i)) ? g->n_cells + 1
                                                                            : g->n_cells;
    }
    for (uint32_t l = 0; l < g->n_levels; l++) {
        b->n = 0;
        for (uint32_t i = 0; i < n; i++) {
            b->at[b->n] = (uint32_t)(from + i);
            b->n += own[i] == l;
        }
        if (!b->n)
            continue;
        collect(g, b, x);
        convert(g, &g->level[l], x, b);
        if (find_cells(g, &g->level[l], b, &g->longest[part][l]))
            __atomic_store_n(&g->outside, 1, __ATOMIC_RELAXED);
        for (uint32_t i = 0; i < b->n; i++)
            g->pos[b->at[i]] = b->cell[i];
    }
}

static void bin(cells *g, uint32_t part, uint64_t from, uint32_t n, block *b)
{
    const double *x[6];
    if (g->n_levels != 1) {
        bin_mixed(g, part, from, n, b);
        return;
    }
    b->n = n;
    corners_at(g, from, x);
    convert(g, &g->level[0], x, b);
    if (find_cells(g, &g->level[0], b, &g->longest[part][0]))
        __atomic_store_n(&g->outside, 1, __ATOMIC_RELAXED);
    memcpy(g->pos + from, b->cell, n * sizeof *b->cell);
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
        memset(g->longest[part], 0, sizeof g->longest[part]);
        for (uint64_t i = part_edge(g, part); i < part_edge(g, part + 1); i += BLOCK) {
            uint64_t left = part_edge(g, part + 1) - i;
            uint32_t n = left < BLOCK ? (uint32_t)left : BLOCK;
            bin(g, part, i, n, &b);
            for (uint32_t k = 0; k < n; k++)
                count[g->pos[i + k]]++;
        }
    }
    return SCREE_OK;
}

/* Counts become places: of a part's boxes in a cell, after those of the parts before. */
static void sum_counts(cells *g)
{
    uint32_t sum = 0, large = 0;
    for (uint32_t part = 0; part < g->parts; part++) {
        uint32_t *own = counts(g, part), n = own[g->n_cells];
        own[g->n_cells] = large;
        large += n;
    }
    uint32_t *count = counts(g, 0);
    const uint64_t n_cells = g->n_cells, next = n_cells + 2, all = next * g->parts;
    for (uint64_t c = 0; c < n_cells; c++)
        for (uint64_t at = c; at < all; at += next) {
            const uint32_t n = count[at];
            count[at] = sum;
            sum += n;
        }
    g->n_sorted = sum;
    g->n_large = large;
}

/* ---- second pass: boxes in the order of the cells ---- */

static void put(const cells *g, uint32_t *place, const uint32_t *at, uint64_t from, block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t slot = at ? at[i] : (uint32_t)(from + i), c = g->pos[slot];
        if (c >= g->n_cells) {
            if (c == g->n_cells)
                g->large[place[c]++] = slot;
            continue;
        }
        const uint32_t p = place[c]++;
        g->spans[p] = (span){b->first[i], b->second[i]};
        g->ids[p] = slot;
        g->cell[p] = c;
    }
}

/* Centres and radii, for spheres, where the boxes of a block have gone: the places just given. */
static void put_spheres(const cells *g, const level *v, uint32_t p, uint32_t slot)
{
    const scree_boxes *b = &g->boxes;
    int64_t c[3] = {0, 0, 0};
    for (uint32_t k = 0; k < g->axes; k++)
        c[k] = to_units(b->centre[k][slot], g->origin[k], v->scale);
    g->centres[p] = pack(c[0], c[1], c[2]);
    // Two units more for the rounding; beyond 3 cells no pair of a level is apart.
    double r = b->radius[slot] * v->scale;
    g->radii[p] = r < 3.0 * UNIT ? (uint32_t)r + 3u : 3u * UNIT;
}

static void place_mixed(cells *g, uint32_t *place, uint64_t from, uint32_t n, block *b)
{
    const double *x[6];
    for (uint32_t l = 0; l <= g->n_levels; l++) {
        const uint32_t base = l < g->n_levels ? g->level[l].base : g->n_cells;
        const uint32_t cells_of = l < g->n_levels ? g->level[l].n_cells : 1;
        b->n = 0;
        for (uint32_t i = 0; i < n; i++) {
            b->at[b->n] = (uint32_t)(from + i);
            b->n += g->pos[from + i] - base < cells_of;
        }
        if (!b->n)
            continue;
        if (l < g->n_levels) {
            collect(g, b, x);
            convert(g, &g->level[l], x, b);
            words(g, b);
        }
        put(g, place, b->at, 0, b);
    }
}

static int32_t place_part(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    cells *g = user;
    const double *x[6];
    block b;
    (void)lane;
    for (uint32_t part = (uint32_t)begin; part < end; part++) {
        uint32_t *place = counts(g, part);
        for (uint64_t i = part_edge(g, part); i < part_edge(g, part + 1); i += BLOCK) {
            uint64_t left = part_edge(g, part + 1) - i;
            b.n = left < BLOCK ? (uint32_t)left : BLOCK;
            if (g->n_levels != 1) {
                place_mixed(g, place, i, b.n, &b);
                continue;
            }
            corners_at(g, i, x);
            convert(g, &g->level[0], x, &b);
            words(g, &b);
            put(g, place, NULL, i, &b);
        }
    }
    return SCREE_OK;
}

static int32_t copy_spheres(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const cells *g = user;
    uint32_t l = 0;
    (void)lane;
    for (uint64_t p = begin; p < end; p++) {
        while (p >= g->level[l].end)
            l++;
        put_spheres(g, &g->level[l], (uint32_t)p, g->ids[p]);
    }
    return SCREE_OK;
}

/* ---- oversized boxes ---- */

/* By their lower end on x (heap sort: in place, no memory of its own). */
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

/* In 2^19 units to their own range, so that fields never wrap: rough, and monotone too. */
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

/* Has the state changed so much since the layout that another one may be better? */
static int outgrown(const cells *g)
{
    int worse = g->outside || g->age >= SERVES || far_from(g->n_large, g->expected_large);
    for (uint32_t l = 0; l < g->n_levels; l++) {
        const level *v = &g->level[l];
        uint32_t longest = 0;
        for (uint32_t part = 0; part < g->parts; part++)
            longest = longest > g->longest[part][l] ? longest : g->longest[part][l];
        worse |= far_from(v->end - v->begin, v->expected) | (longest < v->longest - v->longest / 8);
    }
    return worse;
}

static void expect(cells *g)
{
    g->age = 0;
    g->laid_out = 1;
    g->expected_large = g->n_large;
    for (uint32_t l = 0; l < g->n_levels; l++) {
        level *v = &g->level[l];
        v->expected = v->end - v->begin;
        v->longest = 0;
        for (uint32_t part = 0; part < g->parts; part++)
            v->longest = v->longest > g->longest[part][l] ? v->longest : g->longest[part][l];
    }
}

/* Cells and counts, by the layout that was, or by another. */
static int32_t count_boxes(cells *g)
{
    const scree_host *host = g->host;
    for (int fresh = !g->laid_out;; fresh = 1) {
        int32_t status = fresh ? new_layout(g) : SCREE_OK;
        if (status != SCREE_OK)
            return status;
        g->outside = 0;
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
           scree_grow(&g->spans, &g->room[2], n, sizeof *g->spans) &&
           scree_grow(&g->ids, &g->room[3], n, sizeof *g->ids) &&
           scree_grow(&g->cell, &g->room[4], n, sizeof *g->cell) &&
           scree_grow(&g->centres, &g->room[5], spheres, sizeof *g->centres) &&
           scree_grow(&g->radii, &g->room[6], spheres, sizeof *g->radii);
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
    g->boxes = *boxes;
    g->axes = boxes->dimension;
    g->parts = parts;
    g->n_sorted = g->n_large = 0;
    int32_t status = grow_boxes(g) ? count_boxes(g) : SCREE_E_MEMORY;
    if (status == SCREE_OK && (!scree_grow(&g->large, &g->room[7], g->n_large, sizeof *g->large) ||
                               !scree_grow(&g->large_spans, &g->room[8], g->n_large,
                                           sizeof *g->large_spans)))
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
    if (g->spheres)
        host->parallel_for(host->ctx, 0, g->n_sorted, GRAIN, copy_spheres, g);
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
    free(g->spans);
    free(g->ids);
    free(g->cell);
    free(g->centres);
    free(g->radii);
    free(g->large);
    free(g->large_spans);
    free(g);
}

int32_t scree_cells_create(const scree_host *host, const void *config,
                           cells_choose choose, cells **out)
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
    g->boxes = *boxes;
    g->spheres = (flags & SCREE_GCD_SPHERES) != 0;
    g->n_sorted = g->n_large = g->n_levels = g->laid_out = 0;
    return SCREE_OK;
}

uint64_t scree_cells_bytes(void *instance)
{
    const cells *g = instance;
    const size_t each[9] = {sizeof *g->pos,     sizeof *g->start, sizeof *g->spans,
                            sizeof *g->ids,     sizeof *g->cell,  sizeof *g->centres,
                            sizeof *g->radii,   sizeof *g->large, sizeof *g->large_spans};
    uint64_t sum = sizeof *g + g->host->lanes * sizeof *g->lane;
    for (uint32_t k = 0; k < 9; k++)
        sum += g->room[k] * each[k];
    return sum;
}
