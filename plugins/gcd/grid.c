/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by neighbouring cells: boxes sorted into a grid by counting.
 *
 * Sources  [1] Allen, M. P. and Tildesley, D. J. (1989): Computer Simulation of Liquids, pages
 *          149-152 (cells, half stencil). [2] Mio, H., Shimosaka, A., Shirakawa, Y. and
 *          Hidaka, J. (2005): J. Chem. Eng. Japan 38, 969-975 (cell size c = lambda r, optimum
 *          lambda = 1.5, cells under a window). [3] Teschner, M. et al. (2003): Proc. VMV,
 *          47-54 (a grid that is folded, so that space is not bounded).
 *
 * Idea     Two boxes whose sides are at most `reach` can touch only if their lower corners are
 *          within `reach` on every axis. Corners are binned into cells of side c; a box looks
 *          at the cells that its reach covers, and at the later half of them only, so each
 *          pair is met once.
 *
 *          stencil: c = reach, all boxes of a cell look at the same 14 (2D: 5) cells;
 *          window:  c = 0.75 reach (lambda = 1.5), a box looks at the cells under its window.
 *
 *              z + 1   o o o        o  a row of cells, contiguous in memory: a run of entries
 *              z       . x o        x  own cell, and the rest of its own row
 *                    y-1 y y+1
 *
 * Steps    (the code is in cells/, which gcd/hgrid shares)
 *          1. Sizes: a histogram in quarter octaves of the largest side; `reach` is the size of
 *             the class for which a cost estimate is lowest, larger boxes are *oversized*. The
 *             estimate takes the boxes as packed by their cubes, but in no more space than
 *             samples of their corners span: long facets of one drum are on one spot.
 *          2. A grid over all lower corners, with empty cells at the ends of rows and planes;
 *             folded like a torus [3] where space does not fit, which costs tests, but loses no
 *             pair and finds none twice. Grid and sizes are kept for up to 64 steps, until a box is
 *             outside the grid or the numbers change by an eighth. Meanwhile a box that no longer
 *             fits is oversized.
 *          3. Coordinates are rounded to whole numbers, 2^17 to a cell. Rounding is monotone,
 *             so boxes that touch still do; all that follows is exact, at any coordinates.
 *          4. Counting sort by cell, x fastest, parts of the boxes side by side. Copied in the
 *             order of cells: lower and upper corner, three 20-bit fields each in one word
 *             (modulo 8 cells), so that two subtractions and one mask compare two boxes on all
 *             axes; for the spheres centre and radius, four fields of 16 bits, so that one
 *             multiplication sums the squares.
 *          5. Pivots: chunks of 64 sorted boxes, then one per oversized box. A box looks at its
 *             five (2D: two) runs the same way whatever they hold: eight entries are compared
 *             at a time, and a table packs the hits of the mask. In a packing a run has three
 *             entries: no branch depends on where boxes are.
 *          6. An oversized box visits the rows of cells under it; their boxes are compared with the
 *             part of it that these cells can see. Pairs of oversized boxes are found by a sweep
 *             along x.
 *
 * Cost     O(N) for sizes within a factor of a few. L oversized boxes add the boxes they cover,
 *          and O(L^2 w) with w the share of the domain's width that one spans. Memory: 28 bytes
 *          per box, 8 more with spheres, and 4 per cell for each of up to four parts, one per
 *          thread; cells are at most 4 N; all kept (grow only). Only the sort of the
 *          oversized is serial.
 *
 * Deviations  [2] bins centres; corners spare the half sides of mixed sizes. The printed 27
 *          cells miss contacts at lambda = 1.5; the window here is exact. The oversized are not
 *          in [1] or [2]. The printed fit of the cost is not used: the constants of layout.c
 *          are measured. A test costs 0.8 of a searched cell (kappa; [2]: 10.47), as eight
 *          entries are compared at a time: wide cells with many boxes are cheap. So cells are
 *          never smaller than the room of one box, wider the sparser boxes lie, and the stencil
 *          wins over the window, but not with sizes 1 to 4 in cells of the largest.
 *
 * Limits   One size of cell: for sizes spread evenly over more than a decade use gcd/hgrid. A given
 *          `cell` below the usual box makes everything oversized.
 */
#include "cells/cells.h"

#define SEARCH_STENCIL 0
#define SEARCH_WINDOW 1
#define LAMBDA 1.5 /* [-] Mio's cell size in radii */

typedef struct settings {
    int32_t search; // SEARCH_*
    int32_t unused;
    double cell; // [m] side of a cell; 0: chosen from the sizes
} settings;

/* Nanoseconds with cells for the `n` boxes, of volume `v`, of class `cut` and below; classes beyond
 * `top` are empty. */
static double estimate(const cells *g, const stats *s, uint32_t cut, uint32_t top, double n,
                       double v)
{
    const double sweep = 5.0; // [ns] measured
    const double side = s->largest[cut], density = scree_cells_density(g, n, v, side);
    double cost = scree_cells_self_cost(g, n, side, density), others = 0.0, length = 0.0;
    for (uint32_t c = cut + 1; c <= top; c++) {
        if (!s->count[c])
            continue;
        double one = scree_cells_cross_cost(g, s->largest[c], side, density);
        cost += s->count[c] * (one < 3.0 * n ? one : 3.0 * n);
        others += s->count[c];
        length += s->count[c] * s->largest[c];
        v += s->count[c] * scree_cells_power(g, s->largest[c]);
    }
    // The sweep along x tests a share 2 (mean side) / (side of the domain) of the pairs.
    const double one = 1.0 / scree_cells_density(g, 1.0, v, s->largest[top]);
    const double domain = g->axes == 2 ? sqrt(one) : cbrt(one);
    double share = 2.0 * length / domain < others ? 2.0 * length / domain : others;
    return cost + sweep * others * share / 2;
}

/* Chooses the largest side that goes into a cell, by the cheapest class. */
static void choose(cells *g, const stats *s)
{
    const settings *config = g->config;
    double n = 0.0, v = 0.0, best = HUGE_VAL;
    uint32_t top = CLASSES - 1;
    g->n_levels = 0;
    while (top > 0 && !s->count[top])
        top--;
    for (uint32_t c = 0; c <= top; c++) {
        double side = s->largest[c];
        if (!s->count[c] || !(side <= LONGEST))
            continue;
        n += s->count[c];
        v += s->count[c] * scree_cells_power(g, side);
        double cost = estimate(g, s, c, top, n, v);
        if (cost <= best) {
            best = cost;
            g->level[0].reach = config->cell > 0.0 ? config->cell / g->cell_reach : side;
            g->level[0].expected = (uint32_t)n;
            g->n_levels = 1;
        }
    }
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const settings *c = config;
    cells *g;
    int32_t status = scree_cells_create(host, config, choose, &g);
    if (status != SCREE_OK)
        return status;
    g->window = c->search == SEARCH_WINDOW;
    g->cell_reach = g->window ? LAMBDA / 2.0 : 1.0;
    *instance = g;
    return SCREE_OK;
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = scree_cells_destroy,
    .init = scree_cells_init,
    .step_init = scree_cells_step_init,
    .find_neighbors = scree_cells_find_neighbors,
    .find_objects = scree_cells_find_objects,
    .bytes = scree_cells_bytes,
};

SCREE_CHOICE_VALUE(stencil, SEARCH_STENCIL,
                   "cell = largest binned box, the later half of 9 or 27 cells");
SCREE_CHOICE_VALUE(window, SEARCH_WINDOW,
                   "cell = 0.75 largest binned box, cells under each box's window");
SCREE_CHOICE_PARAM(settings, search, SCREE_PARAM_LIVE, "stencil",
                   "which cells a box looks at: stencil, or window (Mio's lambda = 1.5)",
                   &choice_stencil, &choice_window);
SCREE_REAL_PARAM(
    settings, cell, "m", SCREE_PARAM_LIVE, 0, 0, 1e100,
    "side of a cell; 0: the cheapest by the sizes of the boxes, larger boxes go apart");
static const scree_param *const params[] = {&param_search, &param_cell};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "grid",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "neighbouring cells by counting sort",
    .summary =
        "Boxes are sorted into cells of their own size and look at the neighbouring cells. Much "
        "larger ones (walls) are kept apart and look at the cells under them. Any domain: the "
        "grid is folded where space does not fit.",
    .citation =
        "Mio, H. et al. (2005): J. Chem. Eng. Japan 38, 969-975; Allen, M. P. and Tildesley, "
        "D. J. (1989): Computer Simulation of Liquids",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = scree_cells_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
