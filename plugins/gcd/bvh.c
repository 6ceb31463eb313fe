/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by a dynamic tree of boxes with fat leaves; the cost follows the moved
 * boxes.
 *
 * Sources  [1] Catto, E. (2019): Dynamic bounding volume hierarchies, Game Developers Conference
 *          (fat leaves, descent by surface, pairs of moved leaves). [2] Kopta, D., Ize, T.,
 *          Spjut, J., Brunvand, E., Davis, A. and Kensler, A. (2012): Fast, effective BVH updates
 *          for animated scenes, Proc. I3D, 197-204 (rotations). [3] Smits, B. (1998): Efficiency
 *          issues for ray tracing, J. Graphics Tools 3 (2), 1-14 (preorder with skip pointers).
 * Idea     A binary tree whose leaf i is box i, grown by `margin` of its mean side: a box that
 *          stays inside its leaf costs one test. A box that leaves is taken out and entered again
 *          where the surface of the tree grows least; on the way up a child and a grandchild change
 *          places where that makes the surface smaller [2].
 * Steps    1. The moved boxes (all, without a list) are held against their leaves; boxes that have
 *             left, came or went are the *strays*, and a leaf four times too large is one too.
 *          2. More strays than the share `rebuild` of the slots: the tree is built again, from
 *             the top, by halving the centres' extent on its longest axis (by the median where that
 *             leaves less than an eighth on one side, so that depth is bounded). Otherwise each
 *             is removed and inserted; a tree that has become too deep is built again.
 *          3. *Kept pairs.* Pairs of leaves that overlap are kept [1]; boxes that overlap are among
 *             them as long as each is inside its leaf. Once they would have saved the cost of
 *             finding them, all are found as in 5, with leaves in place of boxes. Strays later
 *             lose their pairs, and ask the tree for new ones. A pivot is a piece of this list,
 *             whose pairs are reported if their boxes overlap. None are kept when the tree is
 *             built again, or where a box has more than 32 on average.
 *          4. Without them, or where it costs less, few moved boxes: a pivot is one of them, which
 *             asks the tree. The lower of two moved boxes finds the other.
 *          5. Many: the tree is laid out in preorder with skip pointers [3], subtrees of height up
 *             to 3 as one run of boxes side by side; bounds are of the boxes as they are, not of
 *             the fat ones. A pivot is a place of this list: a run looks at the places after it, so
 *             each pair is met once, without a stack:
 *
 *                  place   0   1   2   3   4   5   6      run 3 looks at 4, 5, ...;  from 5 it
 *                          A   B  [b] [c]  D  [d] [e]     goes on at 6, whether it was met or not;
 *                  skip    7   4   3   4   7   6   7      from D, not met, at 7
 *
 *             Boxes of runs that are met are gathered, those outside of the run's bounds left out,
 *             and compared with each box of the run: no branch to mispredict.
 *          Only boxes that truly overlap are emitted, in either way.
 *
 * Cost     Nothing moved: nothing. m moved: O(m log N); a moved box of 100 000 that are strewn over
 *         memory costs five times what one costs when all move (waiting for memory, above all:
 *         nodes are looked at oldest first, long after they were asked for). All: O(N log N) with
 *         a small constant, or a test per kept pair while boxes stay inside their leaves; no
 *         dependence on the ratio of sizes. Memory: 192 bytes per box for the tree, 176 for the
 *         list, 24 for building, 9 for marks, 8 per kept pair; all kept (grow only). A crowd keeps
 *         no pairs, but holds the room of the search that found too many: up to 384 bytes per box
 *         and 96 KiB.
 *
 * Deviations  [1] asks the tree for the pairs of moved leaves in each step; here, of strays. [1]
 *         balances heights or searches for the best sibling; here the descent is greedy. [2]
 *         rotates the whole tree per frame, here the path of an insertion.
 *
 * Limits   Bounding spheres are not looked at: pairs of boxes whose spheres are apart come as
 *         well.
 */
#include "bvh/bvh.h"

/* ---- a step ---- */

/* A tree without leaves over n slots. */
static void clear_tree(bvh *t, uint32_t n)
{
    t->n = n;
    t->n_leaves = 0;
    t->root = t->unused = SCREE_NONE;
    t->changed = 1;
    t->now = 0;
    for (uint64_t i = 0; i < 2 * (uint64_t)n; i++)
        t->nodes[i] = (node){.parent = ABSENT, .child = {SCREE_NONE, SCREE_NONE}};
    for (uint32_t at = 2 * n; at-- > n + 1;) {
        t->nodes[at - 1].child[0] = t->unused;
        t->unused = at - 1;
    }
    memset(t->stamp, 0, n * sizeof *t->stamp);
    memset(t->is_dirty, 0, n);
    scree_bvh_forget(t);
    t->saved = 0.0;
    t->stale = 1;
}

/* Nodes and tight boxes begin on lines of memory; their contents are lost. */
static int make_lines(bvh *t, uint64_t n)
{
    if (n <= t->room[0])
        return 1;
    free(t->nodes);
    free(t->tight);
    t->nodes = aligned_alloc(LINE, 2 * n * sizeof *t->nodes);
    t->tight = aligned_alloc(LINE, n * sizeof *t->tight);
    t->room[0] = t->nodes && t->tight ? n : 0;
    return t->room[0] == n;
}

static int32_t make_buffers(bvh *t, uint32_t n)
{
    int good = make_lines(t, n) && scree_grow(&t->items, &t->room[1], n, sizeof *t->items) &&
               scree_grow(&t->strays, &t->room[2], n, sizeof *t->strays) &&
               scree_grow(&t->ids, &t->room[3], n, sizeof *t->ids) &&
               scree_grow(&t->places, &t->room[4], 2 * (uint64_t)n, sizeof *t->places) &&
               scree_grow(&t->is_dirty, &t->room[5], n, sizeof *t->is_dirty) &&
               scree_grow(&t->dirty, &t->room[6], n, sizeof *t->dirty) &&
               scree_grow(&t->stamp, &t->room[7], n, sizeof *t->stamp);
    uint64_t m = t->m;
    for (uint32_t k = 0; k < 6; k++) {
        m = t->m;
        good = good && scree_grow(&t->corner[k], &m, n, sizeof *t->corner[k]);
    }
    if (!good)
        return scree_failf(t->host, SCREE_E_MEMORY, "bvh: out of memory for %u boxes", n);
    t->m = m;
    clear_tree(t, n);
    return SCREE_OK;
}

/* Has the box left its leaf, appeared, disappeared or shrunk? */
static int is_stray(const bvh *t, uint32_t i)
{
    const scree_boxes *b = &t->boxes;
    const node *leaf = &t->nodes[i];
    const int was = leaf->parent != ABSENT;
    double side = 0.0, fat = 0.0;
    int fits = 1;
    if (!scree_bvh_here(t, i))
        return was;
    for (uint32_t k = 0; k < 3; k++) {
        fits &= (leaf->lo[k] <= b->lo[k][i]) & (b->hi[k][i] <= leaf->hi[k]);
        side += b->hi[k][i] - b->lo[k][i];
        fat += leaf->hi[k] - leaf->lo[k];
    }
    fits &= !(fat > TOO_LARGE * (1.0 + 2.0 * t->config->margin) * side);
    return !was | !fits;
}

/* Is the tree deeper than any that build() makes? */
static int too_deep(const bvh *t)
{
    uint32_t limit = 16;
    for (uint32_t n = t->n; n; n >>= 1)
        limit += 6;
    return t->root != SCREE_NONE && t->nodes[t->root].height > limit;
}

static void enter_strays(bvh *t)
{
    t->changed |= t->n_strays > 0;
    for (uint32_t s = 0; s < t->n_strays; s++) {
        const uint32_t i = t->strays[s];
        scree_bvh_mark(t, i);
        if (t->nodes[i].parent != ABSENT)
            scree_bvh_remove(t, i);
        if (!scree_bvh_here(t, i))
            continue;
        scree_bvh_fatten(t, i);
        scree_bvh_insert(t, i);
        if (too_deep(t)) // building enters the remaining strays
            break;
    }
    if (too_deep(t))
        scree_bvh_build(t);
}

/* `whole`: slots that are not listed may be new or gone as well. */
static void update(bvh *t, int whole)
{
    const uint32_t m = whole ? t->n : t->n_moved;
    t->n_strays = 0;
    for (uint32_t s = 0; s < m; s++) {
        const uint32_t i = whole ? s : t->moved[s];
        t->strays[t->n_strays] = i;
        t->n_strays += (uint32_t)is_stray(t, i);
    }
    if ((double)t->n_strays > t->config->rebuild * t->boxes.n)
        scree_bvh_build(t);
    else
        enter_strays(t);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    bvh *t = instance;
    (void)flags;
    scree_boxes_keep(&t->boxes, boxes);
    t->axes = boxes->dimension;
    t->n = t->n_leaves = 0;
    t->root = SCREE_NONE;
    t->changed = 1; // the list is made again even when the next step has no box
    scree_bvh_forget(t);
    t->saved = 0.0;
    t->way = BY_LIST;
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    bvh *t = instance;
    int32_t status = SCREE_OK;
    int whole = !moved || boxes->n < t->boxes.n;
    scree_boxes_keep(&t->boxes, boxes);
    t->moved = moved;
    t->n_moved = n_moved;
    t->all = !moved;
    *n_pivots = 0;
    if (moved && n_moved == 0 && boxes->n <= t->n)
        return SCREE_OK;
    if (boxes->n > t->n) { // with room for more when they grow in number
        const uint64_t n = boxes->n + (t->n ? boxes->n / 4ull : 0ull);
        t->n = 0;
        whole = 1;
        status = make_buffers(t, n < UINT32_MAX / 2 ? (uint32_t)n : boxes->n);
    }
    if (status != SCREE_OK)
        return status;
    if (++t->now == 0) { // so that no old stamp looks new
        memset(t->stamp, 0, t->n * sizeof *t->stamp);
        t->now = 1;
    }
    update(t, whole);
    scree_bvh_choose(t);
    if (t->way == BY_LIST)
        status = scree_bvh_make_list(t, 0);
    *n_pivots = t->way == BY_LIST   ? t->n_places
                : t->way == BY_TREE ? n_moved
                                    : (t->n_pairs + PIECE - 1) / PIECE;
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const bvh *t = instance;
    if (t->way == BY_PAIRS)
        return scree_bvh_search_kept(t, first, last, sink);
    return t->way == BY_LIST ? scree_bvh_search_list(t, first, last, sink)
                             : scree_bvh_search_tree(t, first, last, sink);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const bvh *t = instance;
    uint32_t stack[DEEPEST], leaves[NEAR], top = 0, n = 0;
    int32_t status = SCREE_OK;
    if (t->root != SCREE_NONE)
        stack[top++] = t->root;
    while (top && status == SCREE_OK) {
        const uint32_t at = stack[--top];
        const node *p = &t->nodes[at];
        int apart = 0;
        for (uint32_t k = 0; k < 3; k++)
            apart |= (p->lo[k] > zone->hi[k]) | (zone->lo[k] > p->hi[k]);
        if (apart)
            continue;
        if (p->height) {
            stack[top++] = p->child[1];
            stack[top++] = p->child[0];
            continue;
        }
        leaves[n++] = at;
        if (n == NEAR) {
            status = scree_objects_of(&t->boxes, zone, leaves, n, sink);
            n = 0;
        }
    }
    return status == SCREE_OK ? scree_objects_of(&t->boxes, zone, leaves, n, sink) : status;
}

/* ---- the tree in pictures ---- */

/* Puts a node and those below it, and adds its leaves to *n. A path has DEEPEST nodes at most. */
static int32_t show(const bvh *t, uint32_t at, uint32_t level, const scree_layout_sink *sink,
                    uint64_t *n)
{
    const node *p = &t->nodes[at];
    scree_layout_cell c = {.kind = SCREE_LAYOUT_NODE, .level = level, .n = !p->height};
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < t->axes; k++) {
        c.lo[k] = p->lo[k];
        c.hi[k] = p->hi[k];
    }
    for (uint32_t k = 0; k < 2 && p->height && status == SCREE_OK; k++)
        status = show(t, p->child[k], level + 1, sink, &c.n);
    *n += c.n;
    return status == SCREE_OK ? sink->put(sink->ctx, &c, 1) : status;
}

static int32_t show_nodes(void *instance, const scree_layout_sink *sink)
{
    const bvh *t = instance;
    uint64_t n = 0;
    return t->root == SCREE_NONE ? SCREE_OK : show(t, t->root, 0, sink, &n);
}

static const scree_layout layout = {.size = sizeof(scree_layout), .cells = show_nodes};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout : NULL;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    bvh *t = instance;
    if (!t)
        return;
    for (uint32_t k = 0; k < 6; k++)
        free(t->corner[k]);
    free(t->nodes);
    free(t->items);
    free(t->strays);
    free(t->tight);
    free(t->ids);
    free(t->places);
    free(t->is_dirty);
    free(t->dirty);
    free(t->stamp);
    free(t->pairs);
    free(t);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    bvh *t = calloc(1, sizeof *t);
    if (!t)
        return host->fail(host->ctx, SCREE_E_MEMORY, "bvh: out of memory");
    t->host = host;
    t->config = config;
    t->root = SCREE_NONE;
    *instance = t;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const bvh *t = instance;
    const size_t each[8] = {2 * sizeof *t->nodes + sizeof *t->tight,
                            sizeof *t->items,
                            sizeof *t->strays,
                            sizeof *t->ids,
                            sizeof *t->places,
                            sizeof *t->is_dirty,
                            sizeof *t->dirty,
                            sizeof *t->stamp};
    uint64_t sum = sizeof *t + t->m * 6 * sizeof(double) + t->pairs_room * sizeof *t->pairs;
    for (uint32_t k = 0; k < 8; k++)
        sum += t->room[k] * each[k];
    return sum;
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

SCREE_REAL_PARAM(settings, margin, "-", 0, 0.1, 0, 10,
                 "by how much of its mean side a leaf is larger than its box, on each side");
SCREE_REAL_PARAM(settings, rebuild, "-", 0, 0.1, 0, 1,
                 "share of the boxes that leave their leaves at once above which the tree is built "
                 "again, and share that has left since pairs were found above which kept pairs "
                 "are forgotten; 0: always, 1: never");
SCREE_BOOL_PARAM(settings, rotate, 0, 1, "nodes change places where that shrinks the tree");
static const scree_param *const params[] = {&param_margin, &param_rebuild, &param_rotate};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .flags = SCREE_CAP_INCREMENTAL,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "bvh",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "dynamic tree of boxes with fat leaves; cost follows what moved",
    .summary =
        "A binary tree of boxes that is updated where a box leaves its leaf, and built again "
        "when many do. Pairs of leaves are kept while boxes stay inside them. Without such pairs "
        "few "
        "moved boxes ask the tree one by one; many are searched in one pass over the tree laid out "
        "as a list. Any mix of sizes.",
    .citation = "Catto, E. (2019): Dynamic bounding volume hierarchies, Game Developers "
                "Conference; Kopta, D. et al. (2012): Fast, effective BVH updates for animated "
                "scenes, Proc. I3D, 197-204",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
