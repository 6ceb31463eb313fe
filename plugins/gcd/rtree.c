/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by an R-tree: entered box by box, or packed.
 *
 * Sources  [1] Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 4.3.1.
 *          [2] Guttman, A. (1984): R-trees: a dynamic index structure for spatial searching, Proc.
 *          SIGMOD, 47-57 (insertion; linear and quadratic split). [3] Beckmann, N., Kriegel, H.-P.,
 *          Schneider, R. and Seeger, B. (1990): The R*-tree, Proc. SIGMOD, 322-331 (split by
 *          margin and overlap, choice of a leaf by overlap). [4] Leutenegger, S., Lopez, M. and
 *          Edgington, J. (1997): STR: a simple and efficient algorithm for R-tree packing, Proc.
 *          ICDE, 497-506.
 * Idea     A balanced tree, up to 16 entries to a node, each entry is a box and its contents. A
 *          search for a box begins at the root and follows all entries that it overlaps.
 * Steps    1. `update = rebuild` [1]: in every step the tree is made again in an arena. `build`:
 *             linear, quadratic [2] and rstar [3] enter the boxes one by one and differ in how a
 *             full node is split; str [4] cuts the centres into tiles of 16 and packs them, then
 *             the nodes, level by level.
 *          2. `update = refit`: the tree stays and its boxes are brought up to date from the leaves
 *             up; it is made again when boxes come, or the leaves' sides have grown by `worn`.
 *          3. Pivots are nodes; pivots above the leaves have no work. `query = box` [1]: each box
 *             of a leaf asks the tree and keeps matches of a higher number. `query = leaf`: the
 *             leaf asks once, for leaves that come later in the arena; their boxes that overlap its
 *             bounds are gathered and compared with each of its own, side by side.
 *
 * Cost     O(N log N). Entered one by one, making the tree costs far more than searching it.
 *         Memory: some 90 bytes per box entered one by one, the arena for full splits 170,
 *         packed 110.
 *
 * Deviations  [1] frees the tree in every step, here the arena is kept. [1] searches with the boxes
 *         of bounding discs, here the boxes themselves are used. [1] does not say which split it
 *         uses. [3] takes a share of a full node out and enters it again; that pays only when a
 *         tree lives long, and is left out here. [4] sorts; tiles need only to be cut, by
 *         selection. [2] takes entries out; nothing is taken out here, an emptied slot stays as an
 *         empty entry until the next build.
 *
 * Limits   Bounding spheres are not looked at. Building is not parallel, searching is.
 */
#include "rtree/params.h"

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    (void)flags;
    scree_rtree_clear(instance, boxes);
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    rtree *t = instance;
    (void)moved;
    (void)n_moved;
    scree_boxes_keep(&t->boxes, boxes);
    const int32_t status = scree_rtree_update(t);
    *n_pivots = t->n_nodes;
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    return scree_rtree_find(instance, first, last, sink);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    entry e = {.id = 0};
    memcpy(e.lo, zone->lo, sizeof e.lo);
    memcpy(e.hi, zone->hi, sizeof e.hi);
    return scree_rtree_objects(instance, zone, &e, sink);
}

static void destroy(void *instance)
{
    if (instance)
        scree_rtree_free(instance);
    free(instance);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    rtree *t = calloc(1, sizeof *t);
    if (!t)
        return host->fail(host->ctx, SCREE_E_MEMORY, "rtree: out of memory");
    t->host = host;
    t->config = config;
    *instance = t;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    return sizeof(rtree) + scree_rtree_bytes(instance);
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

static const scree_param *const params[] = {&param_build, &param_update, &param_query, &param_worn};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "rtree",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "R-tree, entered box by box or packed",
    .summary =
        "A balanced tree with up to 16 boxes to a node, made again in every step or brought up to "
        "date. Entered box by box it is Perkins' RTreeSearch, with Guttman's splits or that of "
        "the R*-tree; packed, it is made in a fraction of the time. Any mix of sizes.",
    .citation = "Perkins, E. (1999): thesis, MIT, section 4.3; Guttman, A. (1984): R-trees, Proc. "
                "SIGMOD, 47-57; Beckmann, N. et al. (1990): The R*-tree, Proc. SIGMOD, 322-331; "
                "Leutenegger, S. et al. (1997): STR, Proc. ICDE, 497-506",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
