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
 * Idea     A balanced tree, up to 16 entries to a node, each entry a box and what lies in it. A box
 *          is searched for from the root, along all entries that it overlaps.
 * Steps    1. `update = rebuild` [1]: in every step the tree is made anew in an arena. `build`:
 *             linear, quadratic [2] and rstar [3] enter the boxes one by one and differ in how a
 *             full node is split; str [4] cuts the centres into tiles of 16 and packs them, then
 *             the nodes, level by level.
 *          2. `update = refit`: the tree stays and its boxes are brought up to date from the leaves
 *             up; it is made anew when boxes come, or the leaves' sides have grown by `worn`.
 *          3. Pivots are nodes; those above leaves have no work. `query = box` [1]: each box of a
 *             leaf asks the tree and keeps matches of a higher number. `query = leaf`: the leaf
 * asks once, for leaves that come later in the arena; their boxes that overlap its bounds are
 * gathered and compared with each of its own, side by side.
 *
 * Cost     O(N log N). Entered one by one, making the tree costs far more than searching it.
 *         Memory: some 90 bytes per box entered one by one, the arena for full splits 170,
 *         packed 110.
 *
 * Deviations  [1] frees the tree in every step, here the arena is kept. [1] asks with the boxes of
 *         bounding discs, here with the boxes. [1] does not say which split it uses. [3] takes a
 *         share of a full node out and enters it again; that pays when a tree lives long, and is
 *         left out. [4] sorts; tiles need only to be cut, by selection. [2] takes entries out;
 *         nothing is taken out here, an emptied slot stays as an empty entry until the next
 *         build.
 *
 * Limits   Bounding spheres are not looked at. Building is not parallel, searching is.
 */
#include "rtree/rtree.h"

#define STACK (HIGHEST * MOST)
#define ROOM 4096u /* pairs per reserve */
#define NEAR 256u  /* boxes gathered before they are compared */

/* ---- a step ---- */

static int32_t make_buffers(rtree *t, uint32_t n)
{
    // each node but the root has at least LEAST entries, or is the last of a packed level
    const uint64_t nodes = (uint64_t)n / (LEAST - 1) + 2 * HIGHEST;
    const uint64_t packed = (uint64_t)n / (MOST - 1) + 2 * HIGHEST;
    const int str = t->config->build == BUILD_STR;
    if (scree_grow(&t->nodes, &t->room[0], str ? packed : nodes, sizeof *t->nodes) &&
        scree_grow(&t->entries, &t->room[1], str ? n : 0, sizeof *t->entries) &&
        scree_grow(&t->entered, &t->room[2], n, sizeof *t->entered))
        return SCREE_OK;
    return scree_failf(t->host, SCREE_E_MEMORY, "rtree: out of memory for %u boxes", n);
}

static double sides_of(const node *p)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (uint32_t e = 0; e < MOST; e++) {
            lo = scree_min(lo, p->lo[k][e]);
            hi = scree_max(hi, p->hi[k][e]);
        }
        sum += hi > lo ? hi - lo : 0.0;
    }
    return sum;
}

static double sides_of_leaves(const rtree *t)
{
    double sum = 0.0;
    for (uint32_t at = 0; at < t->n_nodes; at++)
        sum += t->nodes[at].level ? 0.0 : sides_of(&t->nodes[at]);
    return sum;
}

static int32_t build(rtree *t)
{
    const scree_boxes *b = &t->boxes;
    const int str = t->config->build == BUILD_STR;
    const int32_t status = make_buffers(t, b->n);
    if (status != SCREE_OK)
        return status;
    t->n = b->n;
    t->n_nodes = t->n_entered = 0;
    if (!str)
        t->root = new_node(t, 0);
    for (uint32_t i = 0; i < b->n; i++) {
        t->entered[i] = !scree_box_empty(b, i);
        if (t->entered[i] && str)
            t->entries[t->n_entered] = box_entry(b, i);
        else if (t->entered[i])
            scree_rtree_insert(t, i);
        t->n_entered += t->entered[i];
    }
    if (str && t->n_entered)
        scree_rtree_pack(t, t->n_entered);
    t->n_nodes = t->n_entered ? t->n_nodes : 0;
    t->sides = t->config->update == UPDATE_REFIT ? sides_of_leaves(t) : 0.0;
    return SCREE_OK;
}

static int has_come(const rtree *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (!t->entered[i] && !scree_box_empty(&t->boxes, i))
            return 1;
    return 0;
}

/* Brings the entries below `at` up to date; at most HIGHEST deep. */
static void refit(rtree *t, uint32_t at)
{
    node *p = &t->nodes[at];
    for (uint32_t e = 0; e < p->n; e++) {
        if (p->level)
            refit(t, p->id[e]);
        const entry now = p->level ? bounds_of(t, p->id[e]) : box_entry(&t->boxes, p->id[e]);
        put(p, e, &now);
    }
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    rtree *t = instance;
    (void)flags;
    t->boxes = *boxes;
    t->axes = boxes->dimension;
    t->n = t->n_nodes = t->n_entered = 0;
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    rtree *t = instance;
    int32_t status = SCREE_OK;
    (void)moved;
    (void)n_moved;
    t->boxes = *boxes;
    if (t->config->update == UPDATE_REBUILD || boxes->n != t->n || !t->n_nodes || has_come(t)) {
        status = build(t);
    } else {
        refit(t, t->root);
        if (sides_of_leaves(t) > t->config->worn * t->sides)
            status = build(t);
    }
    *n_pivots = t->n_nodes;
    return status;
}

/* ---- search ---- */

typedef struct output {
    const rtree *tree;
    scree_pair_sink *sink;
    scree_pair *out;
    uint64_t used, room;
    uint32_t n; // of the boxes gathered
    uint32_t ids[NEAR + MOST];
    double lo[3][NEAR + MOST], hi[3][NEAR + MOST];
} output;

static int32_t make_room(output *o, uint64_t n)
{
    int32_t status = SCREE_OK;
    if (o->room - o->used >= n)
        return SCREE_OK;
    if (o->used)
        status = o->sink->commit(o->sink, o->used);
    o->used = 0;
    o->room = ROOM;
    return status == SCREE_OK ? o->sink->reserve(o->sink, o->room, &o->out) : status;
}

static void test_axis(uint32_t n, SCREE_IN lo, SCREE_IN hi, double a, double b,
                      uint64_t *SCREE_RESTRICT hit)
{
    for (uint32_t k = 0; k < n; k++)
        hit[k] &= (uint64_t)((lo[k] <= b) & (a <= hi[k]));
}

/* hit[e] = 1 for each entry of p that overlaps; places that are not in use overlap nothing. */
static void test_node(const node *p, const entry *e, uint64_t hit[MOST])
{
    for (uint32_t k = 0; k < MOST; k++)
        hit[k] = 1;
    for (uint32_t k = 0; k < 3; k++)
        test_axis(MOST, p->lo[k], p->hi[k], e->lo[k], e->hi[k], hit);
}

/* Pushes the children of p that overlap e; of leaves, those from `least` on. */
static uint32_t push_children(const node *p, const entry *e, uint32_t least, uint32_t *stack,
                              uint32_t top)
{
    uint64_t hit[MOST];
    const uint32_t from = p->level == 1 ? least : 0;
    test_node(p, e, hit);
    for (uint32_t k = 0; k < p->n; k++) {
        stack[top] = p->id[k];
        top += (uint32_t)hit[k] & (p->id[k] >= from);
    }
    return top;
}

/* As in [1]: each box asks from the root, and keeps matches of a higher number. */
static int32_t search_box(output *o, const entry *e)
{
    const rtree *t = o->tree;
    uint32_t stack[STACK], top = 0;
    int32_t status = SCREE_OK;
    stack[top++] = t->root;
    while (top && status == SCREE_OK) {
        const node *p = &t->nodes[stack[--top]];
        uint64_t hit[MOST];
        if (p->level) {
            top = push_children(p, e, 0, stack, top);
            continue;
        }
        status = make_room(o, MOST);
        if (status != SCREE_OK)
            break;
        test_node(p, e, hit);
        for (uint32_t k = 0; k < p->n; k++) {
            o->out[o->used] = (scree_pair){e->id, p->id[k]};
            o->used += hit[k] & (p->id[k] > e->id);
        }
    }
    return status;
}

static void gather(output *o, const node *p, const entry *bounds)
{
    uint64_t hit[MOST];
    uint32_t n = o->n;
    test_node(p, bounds, hit);
    for (uint32_t k = 0; k < p->n; k++) {
        o->ids[n] = p->id[k];
        for (uint32_t axis = 0; axis < 3; axis++) {
            o->lo[axis][n] = p->lo[axis][k];
            o->hi[axis][n] = p->hi[axis][k];
        }
        n += (uint32_t)hit[k];
    }
    o->n = n;
}

/* Each box of the leaf with what was gathered. */
static int32_t pair_gathered(output *o, const node *leaf)
{
    uint64_t hit[NEAR + MOST];
    const uint32_t n = o->n;
    int32_t status = SCREE_OK;
    for (uint32_t e = 0; e < leaf->n && status == SCREE_OK; e++) {
        status = make_room(o, n);
        if (status != SCREE_OK)
            break;
        for (uint32_t k = 0; k < n; k++)
            hit[k] = 1;
        for (uint32_t k = 0; k < 3; k++)
            test_axis(n, o->lo[k], o->hi[k], leaf->lo[k][e], leaf->hi[k][e], hit);
        for (uint32_t k = 0; k < n; k++) {
            o->out[o->used] = (scree_pair){leaf->id[e], o->ids[k]};
            o->used += hit[k];
        }
    }
    o->n = 0;
    return status;
}

static int32_t pair_own(output *o, const node *leaf)
{
    uint64_t hit[MOST];
    int32_t status = make_room(o, (uint64_t)MOST * MOST);
    for (uint32_t e = 0; e < leaf->n && status == SCREE_OK; e++) {
        const entry one = take(leaf, e);
        test_node(leaf, &one, hit);
        for (uint32_t k = e + 1; k < leaf->n; k++) {
            o->out[o->used] = (scree_pair){one.id, leaf->id[k]};
            o->used += hit[k];
        }
    }
    return status;
}

static int32_t search_leaf(output *o, uint32_t at)
{
    const rtree *t = o->tree;
    const node *leaf = &t->nodes[at];
    const entry bounds = bounds_of(t, at);
    uint32_t stack[STACK], top = 0;
    int32_t status = pair_own(o, leaf);
    if (at != t->root)
        stack[top++] = t->root;
    o->n = 0;
    while (top && status == SCREE_OK) {
        const node *p = &t->nodes[stack[--top]];
        if (p->level) {
            top = push_children(p, &bounds, at + 1, stack, top);
            continue;
        }
        gather(o, p, &bounds);
        if (o->n > NEAR)
            status = pair_gathered(o, leaf);
    }
    return status == SCREE_OK ? pair_gathered(o, leaf) : status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const rtree *t = instance;
    output o;
    int32_t status = SCREE_OK;
    o.tree = t;
    o.sink = sink;
    o.used = o.room = 0;
    for (uint64_t at = first; at < last && status == SCREE_OK; at++) {
        const node *p = &t->nodes[at];
        if (p->level)
            continue;
        if (t->config->query == QUERY_LEAF)
            status = search_leaf(&o, (uint32_t)at);
        for (uint32_t e = 0; e < p->n && t->config->query == QUERY_BOX && status == SCREE_OK; e++) {
            const entry one = take(p, e);
            status = search_box(&o, &one);
        }
    }
    return status == SCREE_OK && o.used ? sink->commit(sink, o.used) : status;
}

static int32_t find_objects(void *instance, const scree_region *region, scree_index_sink *sink)
{
    const rtree *t = instance;
    const double reach = region->radius * (1.0 + 1e-9);
    const int ball = region->type == SCREE_REGION_BALL;
    uint32_t stack[STACK], top = 0, *out;
    int32_t status = SCREE_OK;
    entry e = {.id = 0};
    for (uint32_t k = 0; k < 3; k++) {
        e.lo[k] = ball ? region->centre[k] - reach : region->lo[k];
        e.hi[k] = ball ? region->centre[k] + reach : region->hi[k];
    }
    if (t->n_nodes)
        stack[top++] = t->root;
    while (top && status == SCREE_OK) {
        const node *p = &t->nodes[stack[--top]];
        uint64_t n = 0;
        if (p->level) {
            top = push_children(p, &e, 0, stack, top);
            continue;
        }
        status = sink->reserve(sink, MOST, &out);
        if (status != SCREE_OK)
            break;
        for (uint32_t k = 0; k < p->n; k++) {
            out[n] = p->id[k];
            n += (uint64_t)scree_region_overlaps(region, &t->boxes, p->id[k]);
        }
        status = sink->commit(sink, n);
    }
    return status;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    rtree *t = instance;
    if (!t)
        return;
    free(t->nodes);
    free(t->entries);
    free(t->entered);
    free(t);
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
    const rtree *t = instance;
    return sizeof *t + t->room[0] * sizeof *t->nodes + t->room[1] * sizeof *t->entries +
           t->room[2] * sizeof *t->entered;
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

SCREE_CHOICE_VALUE(linear, BUILD_LINEAR, "box by box, Guttman's linear split");
SCREE_CHOICE_VALUE(quadratic, BUILD_QUADRATIC, "box by box, Guttman's quadratic split");
SCREE_CHOICE_VALUE(rstar, BUILD_RSTAR, "box by box, the R*-tree's split and choice of a leaf");
SCREE_CHOICE_VALUE(str, BUILD_STR, "packed, sort-tile-recursive");
SCREE_CHOICE_PARAM(settings, build, 0, "str", "how the tree is made", &choice_linear,
                   &choice_quadratic, &choice_rstar, &choice_str);
SCREE_CHOICE_VALUE(rebuild, UPDATE_REBUILD, "made anew in every step (Perkins)");
SCREE_CHOICE_VALUE(refit, UPDATE_REFIT, "kept, and its boxes brought up to date");
SCREE_CHOICE_PARAM(settings, update, 0, "rebuild", "what becomes of the tree in the next step",
                   &choice_rebuild, &choice_refit);
SCREE_CHOICE_VALUE(leaf, QUERY_LEAF, "a leaf for all its boxes");
SCREE_CHOICE_VALUE(box, QUERY_BOX, "each box for itself (Perkins)");
SCREE_CHOICE_PARAM(settings, query, 0, "leaf", "who asks the tree", &choice_leaf, &choice_box);
SCREE_REAL_PARAM(settings, worn, "-", 0, 1.25, 1, 1e6,
                 "refit: the tree is made anew when the sides of its leaves have grown by this");
static const scree_param *const params[] = {&param_build, &param_update, &param_query, &param_worn};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_2D | SCREE_3D,
    .id = "rtree",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "R-tree, entered box by box or packed",
    .summary =
        "A balanced tree with up to 16 boxes to a node, made anew in every step or brought up to "
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
