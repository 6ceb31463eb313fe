/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by a hierarchy of grids: each box lies in the grid of its own size.
 *
 * Sources  Krijgsman, D., Ogarko, V. and Luding, S. (2014): Optimal parameters for a
 *          hierarchical grid data structure for contact detection in arbitrarily polydisperse
 *          particle systems, Comp. Part. Mech. 1, 357-372. The method as it is commonly known;
 *          the paper itself was not available.
 *
 * Taken    Levels with their own cells; each box is in the level with the smallest cell that holds
 *          it. The families of cell sizes: geometric, linear, equal numbers of boxes per level. The
 *          aim: levels for which an estimate of the work is lowest.
 *
 * Idea     A box never looks at larger ones, and looks at the smaller ones under it in their
 *          own cells: the work per box is the same at any ratio of sizes.
 *
 *          level 1   |     .     |     x     |     o     |    x  a box's cell
 *          level 0   |  .  |  .  |  o  |  o  |  .  |  .  |    o  those that it looks at
 *
 * Steps    1. Largest sides by quarter octaves are cut into levels: by default where an
 *             estimate of the whole cost is lowest (dynamic programming over the classes: a
 *             level's cost depends only on its two ends, since larger boxes look at it
 *             whatever levels they are in themselves).
 *          2. Grids, binning, sort and search within a level as in gcd/grid, for all levels at
 *             once.
 *          3. A box looks at the rows of cells under it in each finer level, eight boxes at a
 *             time. Boxes inside along an axis are not compared on it.
 *
 * Cost     O(N L) with L levels in use. Memory: 28 bytes per box and 4 per cell, at most 4 N of
 *          them in a level; 8 more per box with spheres; all kept (grow only).
 *
 * Deviations  Cell sizes follow the boxes of a run, not a distribution known beforehand. The search
 *          goes from large to small: small boxes are many, and rows of them are read eight at a
 *          time. Boxes, not spheres, are binned, by corner and not by centre: the corner spares the
 *          sum of two half sides.
 *
 * Limits   Needles and plates are as large as their longest side.
 */
#include "cells/cells.h"

#define BY_COST 0
#define BY_RATIO 1
#define BY_WIDTH 2
#define BY_NUMBER 3

#define MOST_SIZES 96u /* classes that are told apart by cost */

typedef struct settings {
    int32_t distribution; // BY_*
    int32_t unused;
    int64_t levels; // 0: by cost, or by the ratio of sizes
} settings;

/** Classes of size that have boxes, from the smallest. */
typedef struct sizes {
    uint32_t n;
    double side[MOST_SIZES];   // [m] largest side of the class
    double number[MOST_SIZES]; // number of its boxes
} sizes;

/* ---- levels by cost ---- */

/* Cost of a level for the sizes `first` to `last`: its own search and the search for larger boxes
 * in it. */
static double cost_of(const cells *g, const sizes *z, uint32_t first, uint32_t last, double volume)
{
    const double empty = 2000.0; // [ns] cost of an empty level
    double n = 0.0, cost = empty;
    for (uint32_t k = first; k <= last; k++)
        n += z->number[k];
    const double density = scree_cells_density(g, n, volume, z->side[last]);
    cost += scree_cells_self_cost(g, n, z->side[last], density);
    for (uint32_t k = last + 1; k < z->n; k++) {
        double one = scree_cells_cross_cost(g, z->side[k], z->side[last], density);
        cost += z->number[k] * (one < 3.0 * n ? one : 3.0 * n);
    }
    return cost;
}

/* best[m][k]: the least cost of m levels for the sizes before k; from[m][k]: where the last of them
 * begins. */
static void choose_by_cost(cells *g, const sizes *z, uint32_t most)
{
    const double sorted_apart = 3.0; // [ns] cost per box with more than one level
    double total = 0.0, best[MAX_LEVELS + 1][MOST_SIZES + 1], volume = 0.0;
    uint8_t from[MAX_LEVELS + 1][MOST_SIZES + 1];
    uint32_t levels = 1;
    for (uint32_t k = 0; k < z->n; k++) {
        volume += z->number[k] * scree_cells_power(g, z->side[k]);
        total += z->number[k];
    }
    for (uint32_t k = 0; k <= z->n; k++)
        best[0][k] = k ? HUGE_VAL : 0.0;
    for (uint32_t m = 1; m <= most; m++)
        for (uint32_t k = 0; k <= z->n; k++) {
            best[m][k] = HUGE_VAL;
            from[m][k] = 0;
        }
    for (uint32_t k = 1; k <= z->n; k++)
        for (uint32_t a = 0; a < k; a++) {
            double own = cost_of(g, z, a, k - 1, volume);
            for (uint32_t m = 1; m <= most; m++)
                if (best[m - 1][a] + own < best[m][k]) {
                    best[m][k] = best[m - 1][a] + own;
                    from[m][k] = (uint8_t)a;
                }
        }
    for (uint32_t m = 2; m <= most; m++) {
        const double second = levels == 1 ? sorted_apart * total : 0.0;
        levels = best[m][z->n] + second < best[levels][z->n] ? m : levels;
    }
    g->n_levels = levels;
    for (uint32_t m = levels, k = z->n; m > 0; k = from[m][k], m--) {
        g->level[m - 1].reach = z->side[k - 1];
        g->level[m - 1].expected = 0;
        for (uint32_t c = from[m][k]; c < k; c++)
            g->level[m - 1].expected += (uint32_t)z->number[c];
    }
}

/* ---- levels by rule ---- */

/* Level of size k out of `levels`, when `before` of n boxes are smaller. */
static uint32_t level_by_rule(int32_t rule, const sizes *z, uint32_t k, uint32_t levels,
                              double before, double n)
{
    const double least = z->side[0], most = z->side[z->n - 1];
    double share = before / n;
    if (rule == BY_WIDTH)
        share = most > 0.0 ? z->side[k] / most : 0.0;
    if (rule == BY_RATIO)
        share = least > 0.0 && most > least
                    ? (log(z->side[k]) - log(least)) / (log(most) - log(least))
                    : 0.0;
    uint32_t l = (uint32_t)(share * levels);
    return l < levels ? l : levels - 1;
}

static void choose_by_rule(cells *g, const sizes *z, int32_t rule, uint32_t levels)
{
    uint32_t last = MAX_LEVELS;
    double before = 0.0, n = 0.0;
    for (uint32_t k = 0; k < z->n; k++)
        n += z->number[k];
    for (uint32_t k = 0; k < z->n; k++) {
        uint32_t l = level_by_rule(rule, z, k, levels, before, n);
        if (l != last)
            g->level[g->n_levels++].expected = 0;
        g->level[g->n_levels - 1].expected += (uint32_t)z->number[k];
        g->level[g->n_levels - 1].reach = z->side[k];
        before += z->number[k];
        last = l;
    }
}

/* Classes beyond MOST_SIZES are joined with the next larger one. Classes of infinite boxes are left
 * out: such boxes are oversized. */
static void collect(const stats *s, sizes *z)
{
    uint32_t used = 0, joined = 1;
    for (uint32_t c = 0; c < CLASSES; c++)
        used += s->count[c] != 0;
    joined = (used + MOST_SIZES - 1) / MOST_SIZES;
    z->n = 0;
    for (uint32_t c = 0, k = 0; c < CLASSES; c++) {
        if (!s->count[c] || !(s->largest[c] <= LONGEST))
            continue;
        if (k++ % joined == 0)
            z->number[z->n++] = 0.0;
        z->number[z->n - 1] += s->count[c];
        z->side[z->n - 1] = s->largest[c];
    }
}

static void choose(cells *g, const stats *s)
{
    const settings *config = g->config;
    uint32_t levels = (uint32_t)config->levels;
    sizes z;
    collect(s, &z);
    g->n_levels = 0;
    if (!z.n)
        return;
    if (config->distribution == BY_COST) {
        choose_by_cost(g, &z, levels ? levels : MAX_LEVELS);
        return;
    }
    if (!levels) { // two octaves each
        double octaves =
            z.side[0] > 0.0 ? log2(z.side[z.n - 1]) - log2(z.side[0]) : 2.0 * MAX_LEVELS;
        octaves = octaves > 0.0 ? octaves : 0.0; // for a single size of 0 this is -infinity
        levels = octaves / 2.0 + 1.0 < MAX_LEVELS ? (uint32_t)(octaves / 2.0 + 1.0) : MAX_LEVELS;
    }
    choose_by_rule(g, &z, config->distribution, levels);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    cells *g;
    int32_t status = scree_cells_create(host, config, choose, &g);
    *instance = status == SCREE_OK ? g : NULL;
    return status;
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

SCREE_CHOICE_VALUE(cheapest, BY_COST, "where an estimate of the whole cost is lowest");
SCREE_CHOICE_VALUE(geometric, BY_RATIO, "cells of one level to the next in one ratio");
SCREE_CHOICE_VALUE(linear, BY_WIDTH, "cells of one level to the next by one difference");
SCREE_CHOICE_VALUE(equal, BY_NUMBER, "about as many boxes in each level");
SCREE_CHOICE_PARAM(settings, distribution, SCREE_PARAM_LIVE, "cheapest",
                   "how the sizes of cells are spread over the sizes of boxes", &choice_cheapest,
                   &choice_geometric, &choice_linear, &choice_equal);
SCREE_INT_PARAM(settings, levels, SCREE_PARAM_LIVE, 0, 0, MAX_LEVELS,
                "levels at most; 0: as many as are cheapest, or one for each two octaves of sizes");
static const scree_param *const params[] = {&param_distribution, &param_levels};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "hgrid",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a hierarchy of grids, each box in the grid of its size",
    .summary =
        "Boxes are sorted into grids of several cell sizes and look at their neighbours in their "
        "own grid and at the boxes under them in the finer ones: cost hardly depends on the ratio "
        "of sizes.",
    .citation = "Krijgsman, D., Ogarko, V. and Luding, S. (2014): Comp. Part. Mech. 1, 357-372",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = scree_cells_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
