/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by PFC's cell space: parent cells that refine and coarsen by themselves.
 *
 * Sources  [1] Itasca Consulting Group: PFC documentation, "Update Spatial Searching Data
 *          Structures" (cell space, equations 1 to 3, refinement, figure 5). [2] Yao, Z., Wang,
 *          J.-S., Liu, G.-R. and Cheng, M. (2004): Comput. Phys. Commun. 161, 27-35 (only
 *          boxes that moved are mapped again). [3] Mio, H. et al. (2007): Adv. Powder Technol. 18,
 *          441-453 (boxes per cell).
 * Taken    Parent cells of one size, 1 000 in 2D and 10 000 in 3D; a box is entered into each cell
 *          that its extent meets, by clamped whole indices (2), (3); centroids and volumes of
 *          extents are summed per cell; a cell with more than 10 centroids that is large for its
 *          boxes becomes a cell space of its own, with as many cells as give 10 centroids each;
 *          one with fewer than 2, or no longer large for them, is a single cell again; only dirty
 *          boxes are mapped again; an iterator over the cells of a window.
 * Idea     Cells adapt to sizes and density where they are, and only what moved costs.
 *
 *          +-----+-----+-----+    one parent cell in three is crowded: 2 x 2 children
 *          |     |  |  |     |
 *          |     |--+--|     |
 *          |     |  |  |     |
 *          +-----+-----+-----+
 *
 * Steps    1. Dirty boxes are taken out of the leaves of their old corners and entered into those
 *             of the new ones, or changed in place where these are the same; with all dirty,
 *             leaves are filled again by counting.
 *          2. Cells whose sums changed are refined or made one again.
 *          3. Few dirty: a pivot is a dirty box in one of its leaves. Else a pivot is a cell,
 *             whose entries are compared with each other. How a pair in several leaves is reported
 *             once: space/space.h.
 * Cost     O(N). Nothing moved: nothing. Memory: some 3 to 4 entries of 56 bytes per box (2D: 40)
 *          with their slack, 100 bytes per box for old corners and centres, 40 bytes per cell.
 *          configs/bench/pfc-5.cfg (11 000 balls, `refine` false, `smallest` 0) has the flat
 *          optimum from 5 to 20 extents per cell that [1] found, figure 5.
 * Open     Undefined in the source, and chosen here: a cell is too large when its side exceeds
 *          `factor` (2) times the mean extent, taken as volumes, an extent counting no more than
 *          its cell has; `depth` (6) cell spaces in one another; every step with something dirty
 *          checks; one again already at 0.8 x factor, so that a cell at the border does not change
 *          in each step. len = (V / N)^(1/D), cells per axis rounded up.
 * Surfaces  [1], figure 3: facets at rest that are longer than the largest other box are entered
 *          only into the leaves that they come near (`conformal`; draft.conformal/1), which are
 *          found by halving blocks of cells (space/surface.c). No cell counts their centroids.
 * Deviations  The domain is not given by the user but follows the boxes: outliers beyond a quarter
 *          of the range of the middle 7/8 are outside and lie in the rim; when a tenth of the boxes
 *          has drifted out, or their number has doubled or halved, the space is made again. Parent
 *          cells are not smaller than `smallest` mean sides: otherwise 1 000 boxes would lie in 30
 *          cells each. [1] asks whether a surface meets a cell; here a cell counts as met within
 *          the largest side of the other boxes, because each pair is reported from one cell. No
 *          locks: mapping is serial (the copying of corners is not), the search is parallel.
 * Limits   Boxes that all overlap are compared with each other, and a large box lies in every leaf
 *          under it. Fewer cells than asked for when the domain is flat.
 */
#include "space/space.h"

#define KEEPS 0.8      /* [-] share of the factor below which a refined cell is merged */
#define MOST_SPLIT 32u /* children per axis */

typedef struct settings {
    int64_t cells; // parent cells; 0: chosen by dimension
    double smallest, factor;
    int64_t target, least, depth;
    int32_t refine, conformal;
} settings;

static double power(const space *s, double x)
{
    return s->axes == 2 ? x * x : x * x * x;
}

static int outdated(space *s)
{
    return s->present > 2 * s->built + 16 || 2 * (uint64_t)s->present + 16 < s->built ||
           s->outside > s->outside_built + s->present / 10 + 4;
}

/* Finds the sides of the domain; a flat one is a cell wide. */
static int32_t build(space *s)
{
    const settings *c = s->config;
    const double cells = c->cells ? (double)c->cells : s->axes == 2 ? 1000.0 : 10000.0;
    double volume = 1.0, side[3] = {0.0, 0.0, 0.0};
    uint32_t n[3] = {1, 1, 1}, wide = 0;
    space_split how;
    for (uint32_t k = 0; k < s->axes; k++) {
        side[k] = s->hi[k] - s->lo[k];
        if (!(side[k] > 0.0 && side[k] < HUGE_VAL))
            continue;
        volume *= side[k];
        wide++;
    }
    if (!wide)
        return SCREE_OK;
    double len = wide == 3   ? cbrt(volume / cells)
                 : wide == 2 ? sqrt(volume / cells)
                             : volume / cells;
    const double least = c->smallest * s->mean_side;
    len = len > least ? len : least;
    for (uint32_t k = 0; k < s->axes; k++) {
        const double count = side[k] / len;
        n[k] = count > 1.0 ? count < cells ? (uint32_t)count + 1 : (uint32_t)cells : 1;
    }
    if ((double)n[0] * n[1] * n[2] > 8.0 * cells + 8.0) // volumes may over- or underflow
        n[0] = n[1] = n[2] = s->axes == 2 ? 8 : 4;
    scree_space_grid(s, n, &how);
    return how.n[0] * how.n[1] * how.n[2] > 1 ? scree_space_cut(s, 0, &how) : SCREE_OK;
}

static int refine(space *s, uint32_t cell, space_split *how)
{
    const settings *c = s->config;
    const space_cell *v = &s->cells[cell];
    uint32_t n = 2;
    if (!c->refine || v->up == SCREE_NONE || v->depth > c->depth || v->centroids <= c->target ||
        !(v->centroids > power(s, c->factor) * v->fill))
        return 0;
    // Each child gets the target number of boxes, but is not smaller than a mean extent.
    while (n < MOST_SPLIT && power(s, n + 1.0) * (double)c->target <= v->centroids &&
           power(s, n + 1.0) * v->fill <= v->centroids)
        n++;
    scree_space_regrid(s, cell, n, how);
    return how->n[0] * how->n[1] * how->n[2] > 1;
}

static int merge(const space *s, uint32_t cell)
{
    const settings *c = s->config;
    const space_cell *v = &s->cells[cell];
    return v->centroids < c->least || !(v->centroids > power(s, KEEPS * c->factor) * v->fill);
}

static const space_method method = {"cell_space", 1, outdated, build, refine, merge};

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const settings *c = config;
    const int32_t status = scree_space_create(host, config, &method, instance);
    if (status == SCREE_OK && c->conformal)
        ((space *)*instance)->service = host->get_service(host->ctx, SCREE_DRAFT_CONFORMAL);
    return status;
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = scree_space_destroy,
    .init = scree_space_init,
    .step_init = scree_space_step_init,
    .find_neighbors = scree_space_find_neighbors,
    .find_objects = scree_space_find_objects,
    .bytes = scree_space_bytes,
};

SCREE_INT_PARAM(settings, cells, 0, 0, 0, 10000000, "parent cells; 0: 1 000 in 2D, 10 000 in 3D");
SCREE_REAL_PARAM(settings, smallest, "-", 0, 2, 0, 1000,
                 "side of a parent cell, at least, over the mean side of the boxes; 0: any");
SCREE_BOOL_PARAM(settings, refine, 0, 1, "crowded cells become cell spaces of their own");
SCREE_BOOL_PARAM(settings, conformal, 0, 1,
                 "surfaces at rest are entered only into cells that they come near");
SCREE_INT_PARAM(settings, target, 0, 10, 1, 1000000,
                "centroids in a cell above which it may be refined, and per child then");
SCREE_REAL_PARAM(settings, factor, "-", 0, 2, 1, 100,
                 "side of a cell over that of a mean extent above which it may be refined");
SCREE_INT_PARAM(settings, least, 0, 2, 0, 1000000,
                "centroids in a refined cell below which it is one cell again");
SCREE_INT_PARAM(settings, depth, 0, 6, 1, 20, "cell spaces in one another, at most");
static const scree_param *const params[] = {&param_cells,  &param_smallest, &param_refine,
                                            &param_target, &param_factor,   &param_least,
                                            &param_depth,  &param_conformal};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "cell_space",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "PFC's cell space: cells that refine and coarsen by themselves",
    .summary = "Boxes are entered into the cells that they meet; crowded cells that are large for "
               "their boxes become cell spaces of their own, and one cell again when they empty. "
               "Only boxes that moved are mapped again.",
    .citation = "Itasca Consulting Group: PFC documentation, Update Spatial Searching Data "
                "Structures; Yao, Z. et al. (2004): Comput. Phys. Commun. 161, 27-35",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = scree_space_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
