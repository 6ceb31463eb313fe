/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by a quadtree (2D) or octree (3D) whose leaves hold the boxes they meet.
 *
 * Sources  [1] O'Connor, R. M. (1996): A distributed discrete element modeling environment, MIT,
 *          2.2 (k-ary trees; motion tracking, there for adaptive grids and BSP trees). [2] Samet,
 *          H. (1984): The quadtree and related hierarchical data structures, ACM Comput. Surv. 16,
 *          187-260.
 * Taken    Space is halved along all axes at once until a cell holds few boxes; only occupied
 *          cells take memory for boxes; a box that spans several cells is entered into each. The
 *          tree is kept until boxes have moved past a threshold.
 * Idea     Leaves are small where boxes are dense or small, and large elsewhere.
 *
 *          +-------+---+---+      the pair (a, b) spans three leaves; it belongs to the one that
 *          |       |   | a |      holds the larger of the two lower corners, axis by axis
 *          |       +---+-aab
 *          |       |   | bbb      [space/space.h]
 *          +-------+---+---+
 *
 * Steps    1. When more than `share` of the boxes are further than `threshold` mean sides from
 *             where they were: the domain is a cube around them (without a few outliers), and
 *             every leaf with more than `capacity` boxes that are smaller than its halves is cut
 *             in 4 or 8, down to `depth` levels.
 *          2. Otherwise the cells stay, and boxes are entered into them again, or, given a
 *             list, only the moved ones.
 *          3. Pivots are leaves, or the leaves of few moved boxes.
 * Cost     O(N log N) to make the tree, and a walk of its height per box to map into it. Some 2 to
 *          5 entries of 56 bytes per box (2D: 40), three times that while it is made; 40 bytes per
 *          cell.
 * Deviations  The source does not treat pairs that meet in several cells. Its threshold counts for
 *          each single object (`share` 0): then one fast particle causes the tree to be made again
 *          and again.
 * Limits   Boxes that all overlap are compared with each other. A box lies in every leaf under it.
 */
#include "space/params.h"

typedef struct settings {
    space_drift drift;
    int64_t capacity, depth;
} settings;

/* The root is cut like any other leaf, once boxes are in it. */
static int32_t build(space *s)
{
    double wide = 0.0;
    for (uint32_t k = 0; k < s->axes; k++)
        wide = scree_max(wide, s->hi[k] - s->lo[k]);
    for (uint32_t k = 0; k < s->axes; k++) {
        const double middle = 0.5 * s->lo[k] + 0.5 * s->hi[k];
        s->lo[k] = middle - 0.5 * wide;
        s->hi[k] = middle + 0.5 * wide;
    }
    return SCREE_OK;
}

/* Counts entries whose sides are all smaller than half of the cell's. */
static uint32_t count_small(const space *s, const space_cell *v, const space_split *how)
{
    uint32_t n = 0;
    double lo[3], hi[3];
    for (uint32_t at = 0; at < v->count; at++) {
        int small = 1;
        scree_space_entry(s, v, at, lo, hi);
        for (uint32_t k = 0; k < s->axes; k++)
            small &= (hi[k] - lo[k]) * how->inv[k] < 1.0;
        n += (uint32_t)small;
    }
    return n;
}

static int refine(space *s, uint32_t cell, space_split *how)
{
    const settings *c = s->config;
    const space_cell *v = &s->cells[cell];
    const uint32_t two[3] = {2, 2, s->axes == 3 ? 2 : 1};
    if (v->count <= c->capacity || v->depth >= c->depth)
        return 0;
    if (v->up == SCREE_NONE)
        scree_space_grid(s, two, how);
    else
        scree_space_regrid(s, cell, 2, how);
    return how->n[0] * how->n[1] * how->n[2] > 1 && count_small(s, v, how) > c->capacity;
}

static const space_method method = {"orthtree", 0, scree_space_outdated, build, refine, NULL};

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    return scree_space_create(host, config, &method, instance);
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

SCREE_INT_PARAM(settings, capacity, 0, 24, 1, 1000000,
                "boxes in a leaf, small ones against it, above which it is cut");
SCREE_INT_PARAM(settings, depth, 0, 20, 0, 40, "levels below the root, at most");
static const scree_param *const params[] = {&param_capacity, &param_depth, &param_threshold,
                                            &param_share};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "orthtree",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a quadtree or octree, kept while boxes stay near",
    .summary = "Space is halved along all axes until leaves hold few boxes; a box is entered into "
               "each leaf that it meets. The tree is made again when boxes have moved past a "
               "threshold.",
    .citation = "O'Connor, R. M. (1996): A distributed discrete element modeling environment, MIT; "
                "Samet, H. (1984): ACM Comput. Surv. 16, 187-260",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = scree_space_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
