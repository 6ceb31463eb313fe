/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by an R-tree over the whole numbers of DESS.
 *
 * Sources  [1] Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 7.1 (the
 *          idea, without details), 5.1 (ranks), 4.3 (the tree). [2] For sorting, splits and
 *          packing: the papers of gcd/dess and gcd/rtree.
 * Idea     Sorting the ends of all boxes turns them into boxes of whole numbers, the ranks of their
 *          ends. Two boxes overlap if and only if their ranks do (ties: lower ends first), so any
 *          search in space can search among these. Nodes take half the memory of those with
 *          coordinates, and one comparison serves twice as many entries.
 * Steps    1. The ends of each axis are sorted and ranked, as in gcd/dess.
 *          2. The tree is made of the ranks and searched, as in gcd/rtree: from the same source
 *             files.
 *          3. find_objects: a binary search in the sorted ends turns a zone into ranks, too.
 *
 * Cost     Sorting, as in gcd/dess, then O(N log N). Memory in 3D: 30 bytes per box for the packed
 *          tree and 32 for packing it, 24 for the ranks, 96 for the sorted ends.
 *
 * The open question of section 7.1: does it save memory and time over a tree of coordinates, and
 *          does it grow more slowly than gcd/dess? In dense packings of balls the tree of whole
 *          numbers takes half the memory of a tree of coordinates, and its search takes less time;
 *          the sorted ends take more memory than that saves, and in motion sorting takes more time
 *          than that gains. It scales better than gcd/dess, as gcd/dess_stripe does in less time.
 *          docs/explanation/contact-detection.md has all three, and the command.
 *
 * Deviations  Ranks are dense where boxes are: to the tree all boxes seem evenly spread. Volumes,
 *         by which splits are chosen, are products of ranks, made in floating point (in 3D they
 *         exceed 64 bits); searches use only whole numbers.
 *
 * Limits   Bounding spheres are not looked at. 2^30 boxes.
 */
#define RTREE_RANKS
#include "rtree/params.h"
#include "sorting/params.h"

typedef struct rank_settings {
    settings tree; // first, because the tree reads its parameters here
    int32_t sort;  // SORT_*
    int32_t unused;
} rank_settings;

typedef struct dess_rtree {
    rtree tree;
    const rank_settings *config;
    sorting ends;
} dess_rtree;

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    dess_rtree *self = instance;
    (void)moved;
    (void)n_moved;
    scree_boxes_keep(&self->tree.boxes, boxes);
    self->ends.heap = self->config->sort == SORT_HEAP;
    int32_t status = scree_sorting_update(&self->ends, boxes);
    if (status == SCREE_OK)
        status = scree_sorting_rank(&self->ends);
    for (uint32_t r = 0; r < 2 * self->ends.axes; r++)
        self->tree.rank[r / 2][r % 2] = self->ends.rank[r / 2][r % 2];
    if (status == SCREE_OK)
        status = scree_rtree_update(&self->tree);
    *n_pivots = self->tree.n_nodes;
    return status;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    dess_rtree *self = instance;
    (void)flags;
    scree_sorting_clear(&self->ends);
    scree_rtree_clear(&self->tree, boxes);
    return SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const dess_rtree *self = instance;
    return scree_rtree_find(&self->tree, first, last, sink);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const dess_rtree *self = instance;
    entry e = {.id = 0};
    for (uint32_t k = 0; k < self->ends.axes; k++) {
        e.lo[k] = (coord)scree_sorting_before(&self->ends, k, zone->lo[k]);
        e.hi[k] = (coord)scree_sorting_upto(&self->ends, k, 0, zone->hi[k]) - 1;
    }
    return scree_rtree_objects(&self->tree, zone, &e, sink);
}

/* ---- the plugin ---- */

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    dess_rtree *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "dess_rtree: out of memory");
    self->config = config;
    self->tree.host = self->ends.host = host;
    self->tree.config = &self->config->tree;
    self->ends.both = self->ends.pieces = 1;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    dess_rtree *self = instance;
    if (!self)
        return;
    scree_rtree_free(&self->tree);
    scree_sorting_free(&self->ends);
    free(self);
}

static uint64_t bytes(void *instance)
{
    const dess_rtree *self = instance;
    return sizeof *self + scree_sorting_bytes(&self->ends) + scree_rtree_bytes(&self->tree);
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = destroy,
    .init = init,
    .step_init = step_init,
    .find_neighbors = find_neighbors,
    .find_objects = find_objects,
    .bytes = bytes,
};

SCREE_CHOICE_PARAM(rank_settings, sort, SCREE_PARAM_LIVE, "insertion",
                   "how the ends are sorted: insertion, or heap", &choice_insertion, &choice_heap);
static const scree_param *const params[] = {&param_build, &param_update, &param_query, &param_worn,
                                            &param_sort};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "dess_rtree",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "R-tree over the ranks of the ends of boxes (Perkins' future work)",
    .summary = "The ends of all boxes are sorted on each axis, as in gcd/dess; an R-tree, as in "
               "gcd/rtree, "
               "holds and searches their ranks, whole numbers. Exact, of any sizes.",
    .citation = "Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 7.1",
    .config_size = sizeof(rank_settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
