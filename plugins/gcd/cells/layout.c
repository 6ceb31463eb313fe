/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cells of each level lie (step 2 of the essay in grid.c), and what a level costs. */
#include <float.h>

#include "cells.h"

/* ---- costs ---- */

/* Nanoseconds for `runs` runs of `entries` boxes each: eight are compared at a time (measured). */
static double runs_cost(double runs, double entries)
{
    const double eight = 2.5;
    return runs * eight * (1.0 + entries / 8.0);
}

double scree_cells_density(const cells *g, double n, double cubes, double side)
{
    const double packed = 1.5; // [-] volume of grown boxes in a dense packing, per volume
    // The inner samples span 3/4 of a domain on average; the rest is a margin.
    const double whole = 1.5; // [-]
    double space = 1.0, filled = cubes / packed;
    for (uint32_t k = 0; k < g->axes; k++)
        space *= whole * g->bulk[k] + side;
    space = space < filled ? space : filled;
    return space > 0.0 ? n / space : 0.0;
}

double scree_cells_self_cost(const cells *g, double n, double side, double density)
{
    const double each = 6.0, cell = 1.0;
    const double in_cell = density * scree_cells_power(g, side);
    const double runs = g->axes == 2 ? 2.0 : 5.0, met = 3.0 * in_cell < n ? 3.0 * in_cell : n;
    const double n_cells = in_cell > 0.0 ? n / in_cell : n;
    return n * (each + runs_cost(runs, met)) + cell * (n_cells < 4.0 * n ? n_cells : 4.0 * n);
}

double scree_cells_cross_cost(const cells *g, double wide, double side, double density)
{
    const double look = 45.0, row = 16.0, across = wide / side + 2.0;
    const double rows = g->axes == 2 ? across : across * across;
    return look + rows * row + runs_cost(rows, density * scree_cells_power(g, side) * across);
}

/* ---- the grid of a level ---- */

/* Lower corners of SAMPLES boxes, sorted; 0 when all slots are empty. The golden section spreads
 * the sampled slots, because equal strides could follow a row of a lattice. */
static int sample(const scree_boxes *b, uint32_t axis, double s[SAMPLES])
{
    for (uint32_t m = 0; m < SAMPLES; m++) {
        uint64_t i = ((m * 0x9e3779b9ull & 0xffffffff) * b->n) >> 32, tried = 0;
        for (; tried < b->n && scree_box_empty(b, (uint32_t)i); tried++)
            i = i + 1 < b->n ? i + 1 : 0;
        if (tried == b->n)
            return 0;
        double x = b->lo[axis][i];
        uint32_t at = m;
        for (; at > 0 && s[at - 1] > x; at--)
            s[at] = s[at - 1];
        s[at] = x;
    }
    return 1;
}

static double product(const cells *g, const double want[3])
{
    return g->axes == 2 ? want[0] * want[1] : want[0] * want[1] * want[2];
}

/* A torus takes the bulk of the boxes if that fits; its dimensions are odd so that fields do not
 * alias.
 */
static void fold_level(const cells *g, level *v, const double bulk[3], double limit)
{
    const double least = g->window ? 9 : 5;
    double want[3] = {1, 1, 1};
    v->folded = 1;
    for (uint32_t k = 0; k < g->axes; k++) {
        double all = 1.5 * bulk[k] * v->scale / UNIT + 2.0;
        want[k] = all > least ? all < 0x1p30 ? all : 0x1p30 : least;
    }
    while (product(g, want) > limit) {
        uint32_t k = want[0] >= want[1] && want[0] >= want[2] ? 0 : want[1] >= want[2] ? 1 : 2;
        if (want[k] <= least)
            break;
        want[k] = want[k] / 1.25 > least ? want[k] / 1.25 : least;
    }
    for (uint32_t k = 0; k < 3; k++)
        v->dim[k] = k < g->axes ? (uint32_t)want[k] | 1u : 1;
}

/* The grid spans all lower corners with cells to spare at both ends, so that a small drift needs
 * no new layout, and the last cell of each row, the last row of each plane and the last plane stay
 * empty: the search passes the borders without a test. */
static void place_level(const cells *g, level *v, const stats *s, const double bulk[3],
                        double limit)
{
    double want[3] = {1, 1, 1};
    v->folded = 0;
    for (uint32_t k = 0; k < 3; k++) {
        v->first[k] = 0;
        v->dim[k] = 1;
        if (k >= g->axes || !(s->lo[k] <= s->hi[k]))
            continue;
        int64_t lo = to_units(s->lo[k], g->origin[k], v->scale);
        int64_t hi = to_units(s->hi[k], g->origin[k], v->scale);
        lo = (lo > -FAR ? lo < FAR ? lo : FAR : -FAR) >> BITS;
        hi = (hi > -FAR ? hi < FAR ? hi : FAR : -FAR) >> BITS;
        const int64_t spare = 1 + (hi - lo) / 32;
        v->first[k] = lo - spare;
        want[k] = (double)(hi - lo) + 2.0 + 2.0 * (double)spare;
    }
    if (product(g, want) <= limit)
        for (uint32_t k = 0; k < g->axes; k++)
            v->dim[k] = (uint32_t)want[k];
    else
        fold_level(g, v, bulk, limit);
    v->n_cells = v->dim[0] * v->dim[1] * v->dim[2];
}

/* Widens cells until one in the bulk holds one box: cells are then fewer, and eight boxes are
 * compared at a time anyway. */
static double widen(const cells *g, double side, const double bulk[3], double boxes)
{
    double volume = 1.0;
    for (uint32_t k = 0; k < g->axes; k++)
        volume *= bulk[k] > side ? bulk[k] : side;
    volume /= boxes;
    double least = g->axes == 2 ? sqrt(volume) : cbrt(volume);
    return least > side && least < 0x1p900 ? least : side;
}

void scree_cells_look(cells *g)
{
    double sorted[SAMPLES];
    g->least = 0x1p-900;
    for (uint32_t k = 0; k < 3; k++) {
        g->origin[k] = g->bulk[k] = 0.0;
        if (k >= g->axes || !sample(&g->boxes, k, sorted))
            continue;
        const double bulk = sorted[SAMPLES - 2] - sorted[1];
        double spread = sorted[3 * SAMPLES / 4] - sorted[SAMPLES / 4];
        spread = spread < DBL_MAX ? spread : DBL_MAX;
        g->origin[k] = sorted[SAMPLES / 2];
        g->bulk[k] = bulk < 0x1p300 ? bulk : 0x1p300;
        g->least = g->least > spread * 0x1p-30 ? g->least : spread * 0x1p-30;
    }
}

void scree_cells_lay_out(cells *g, const stats *s)
{
    const double most = 0x7f000000 / MAX_LEVELS, enough = 4.0 * g->boxes.n + 1024.0;
    const double limit = enough < most ? enough : most; // all levels have 31 bits
    uint32_t base = 0;
    for (uint32_t l = 0; l < g->n_levels; l++) {
        level *v = &g->level[l];
        double reach = v->reach > g->least ? v->reach : g->least;
        double side = widen(g, g->cell_reach * reach, g->bulk, v->expected + 1.0);
        v->scale = (UNIT - 2) / side; // two units for floor and rounding
        v->longest = reach;
        v->units = (int64_t)((UNIT - 2) * (reach / side)) + 2;
        place_level(g, v, s, g->bulk, limit);
        v->base = base;
        base += v->n_cells;
    }
    g->n_cells = base;
}
