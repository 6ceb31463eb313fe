/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by a hierarchy of boxes over their order along a Morton curve, built
 * again in linear time.
 *
 * Sources  [1] Lauterbach, C., Garland, M., Sengupta, S., Luebke, D. and Manocha, D. (2009):
 *          Computer Graphics Forum 28, 375-384 (LBVH: sort by Morton code, then build). [2] Karras,
 *          T. (2012): Proc. High Performance Graphics, 33-37 (all nodes in parallel). [3] Kamel, I.
 *          and Faloutsos, C. (1993): Proc. CIKM, 490-499 (packed R-tree: full nodes along a curve).
 * Idea     Boxes whose middles are near on the curve are near in space, so eight successive boxes
 *          make a node, eight nodes make a node above, and so on. Places are computed: nodes have no
 *          pointers, and the eight children of a node lie side by side for a vector test.
 *
 *              level 2  | 0               | 1 ...        node k: children 8 k to 8 k + 7
 *              level 1  | 0 | 1 | ... | 7 | 8 | ...
 *              level 0  | 8 boxes | 8 boxes | ...        sorted by Morton code
 *
 * Steps    1. Codes of the middles within the extent of all: 11 bits per axis (2D: 16), or with
 *             `code = fine` 21 (32). Radix sort, 11 bits a pass.
 *          2. Level 0: corners as floats relative to the lowest corner; rounding is monotone, so
 *             boxes that overlap or touch still do. Levels above: unions, from below, in parallel.
 *          3. Pivots: groups of eight sorted boxes. The union of a group goes down the tree, but
 *             never into nodes that lie before it on the curve: each pair of groups is met once,
 *             from its first group. There 8 boxes are tested against 8, but only boxes of the first
 *             group that reach the union of the second.
 * Cost     O(N) to build, O(N log N) and the pairs to search. Memory: 60 bytes per box.
 * Deviations  [1] and [2] split where the highest bit of the codes changes and make binary trees;
 *          here nodes are cut by count [3]: shallower by a factor of three, no pointers, and full
 *          vectors. The price is groups that straddle a jump of the curve.
 * Limits   A box that is much larger than its neighbours widens all unions above it. Far outliers
 *          cost resolution: more pairs and a worse order, never a missed pair.
 */
#include <scree/gcd_sdk.h>

#include "sorting/radix.h"

#define WIDTH 8u
#define LEVELS 13u
#define STACK (WIDTH * LEVELS)

enum { COARSE, FINE };

typedef struct settings {
    int32_t code;
} settings;

typedef struct item {
    uint64_t key;
    uint32_t id, unused;
} item;

typedef struct lbvh {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes;
    double first[3], scale[3]; // [m] lowest corner, [1/m] cells of the code
    double cells;              // cells per axis
    uint32_t n, top;           // sorted boxes; the highest level, of at most eight nodes
    uint32_t level;            // the level that is being built
    uint32_t digits;           // digits of the code
    uint64_t start[LEVELS], count[LEVELS]; // nodes of a level, in lo and hi
    uint64_t room[8];
    item *items, *spare;
    float *lo[3], *hi[3];
} lbvh;

typedef struct span {
    float lo[3], hi[3];
} span;

/* ---- step_init ---- */

static void measure_boxes(lbvh *t)
{
    const scree_boxes *b = &t->boxes;
    const int fine = t->config->code == FINE, flat = b->dimension == 2;
    const uint32_t bits = flat ? (fine ? 32 : 16) : (fine ? 21 : 11);
    t->cells = (double)(UINT64_C(1) << bits);
    t->digits = fine ? MOST_DIGITS : MOST_DIGITS / 2;
    for (uint32_t k = 0; k < 3; k++) {
        double last;
        scree_boxes_range(b, k, &t->first[k], &last);
        t->scale[k] = last > t->first[k] ? t->cells / (last - t->first[k]) : 0.0;
    }
}

/* Puts one, or two, zero bits between the bits of x. */
static uint64_t part_by_one(uint64_t x)
{
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

static uint64_t part_by_two(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

static int32_t find_codes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const lbvh *t = user;
    const scree_boxes *b = &t->boxes;
    (void)lane;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t id = t->items[i].id;
        uint64_t c[3];
        for (uint32_t k = 0; k < 3; k++) {
            const double middle = 0.5 * b->lo[k][id] + 0.5 * b->hi[k][id];
            const double at = (middle - t->first[k]) * t->scale[k];
            c[k] = (uint64_t)scree_max(scree_min(at, t->cells - 1.0), 0.0);
        }
        t->items[i].key = b->dimension == 2
                              ? part_by_one(c[0]) | part_by_one(c[1]) << 1
                              : part_by_two(c[0]) | part_by_two(c[1]) << 1 | part_by_two(c[2]) << 2;
    }
    return SCREE_OK;
}

static void sort_items(lbvh *t)
{
    item *from = t->items;
    if (!radix_sort(from, t->spare, t->n, sizeof *from, sizeof from->key, t->digits))
        return;
    t->items = t->spare;
    t->spare = from;
}

/* Copies the sorted boxes, followed by boxes that overlap nothing. */
static int32_t copy_boxes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const lbvh *t = user;
    (void)lane;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t id = i < t->n ? t->items[i].id : 0;
        for (uint32_t k = 0; k < 3; k++) {
            t->lo[k][i] = i < t->n ? scree_to_float(t->boxes.lo[k][id], t->first[k]) : HUGE_VALF;
            t->hi[k][i] = i < t->n ? scree_to_float(t->boxes.hi[k][id], t->first[k]) : -HUGE_VALF;
        }
    }
    return SCREE_OK;
}

static int32_t unite_nodes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const lbvh *t = user;
    const uint64_t from = t->start[t->level - 1], to = t->start[t->level];
    (void)lane;
    for (uint64_t i = begin; i < end; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint64_t first = from + WIDTH * i;
            float lo = HUGE_VALF, hi = -HUGE_VALF;
            if (i < t->count[t->level])
                for (uint64_t c = first; c < first + WIDTH; c++) {
                    lo = lo < t->lo[k][c] ? lo : t->lo[k][c];
                    hi = hi > t->hi[k][c] ? hi : t->hi[k][c];
                }
            t->lo[k][to + i] = lo;
            t->hi[k][to + i] = hi;
        }
    return SCREE_OK;
}

static uint64_t whole_groups(uint64_t n)
{
    return (n + WIDTH - 1) / WIDTH * WIDTH;
}

/* Sets the places of all levels; returns the number of nodes, including those that fill up
 * groups. */
static uint64_t lay_levels(lbvh *t)
{
    uint64_t end = whole_groups(t->n);
    t->start[0] = 0;
    t->count[0] = t->n;
    t->top = 0;
    do {
        t->top++;
        t->start[t->top] = end;
        t->count[t->top] = (t->count[t->top - 1] + WIDTH - 1) / WIDTH;
        end += whole_groups(t->count[t->top]);
    } while (t->count[t->top] > WIDTH);
    return end;
}

static int32_t build(lbvh *t)
{
    const scree_host *host = t->host;
    const uint64_t n = lay_levels(t);
    int grown = 1;
    for (uint32_t k = 0; k < 3 && grown; k++)
        grown = scree_grow(&t->lo[k], &t->room[2 + k], n, sizeof **t->lo) &&
                scree_grow(&t->hi[k], &t->room[5 + k], n, sizeof **t->hi);
    if (!grown)
        return host->fail(host->ctx, SCREE_E_MEMORY, "lbvh: out of memory");
    int32_t status = host->parallel_for(host->ctx, 0, whole_groups(t->n), 4096, copy_boxes, t);
    for (t->level = 1; t->level <= t->top && status == SCREE_OK; t->level++)
        status = host->parallel_for(host->ctx, 0, whole_groups(t->count[t->level]), 1024,
                                    unite_nodes, t);
    return status;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    lbvh *t = instance;
    const scree_host *host = t->host;
    const uint64_t room = (uint64_t)boxes->n + 1;
    (void)moved;
    (void)n_moved;
    scree_boxes_keep(&t->boxes, boxes);
    t->n = 0;
    if (!scree_grow(&t->items, &t->room[0], room, sizeof *t->items) ||
        !scree_grow(&t->spare, &t->room[1], room, sizeof *t->spare))
        return host->fail(host->ctx, SCREE_E_MEMORY, "lbvh: out of memory");
    measure_boxes(t);
    for (uint32_t i = 0; i < boxes->n; i++) {
        t->items[t->n].id = i;
        t->n += !scree_box_empty(boxes, i);
    }
    int32_t status = host->parallel_for(host->ctx, 0, t->n, 4096, find_codes, t);
    if (status != SCREE_OK)
        return status;
    sort_items(t);
    status = build(t);
    *n_pivots = t->count[1];
    return status;
}

/* ---- search ---- */

static span span_at(const lbvh *t, uint64_t at)
{
    span s;
    for (uint32_t k = 0; k < 3; k++) {
        s.lo[k] = t->lo[k][at];
        s.hi[k] = t->hi[k][at];
    }
    return s;
}

/* hit[c] = 1 where one of eight boxes overlaps s; returns how many overlap. */
static uint32_t test_eight(const float *SCREE_RESTRICT lx, const float *SCREE_RESTRICT ly,
                           const float *SCREE_RESTRICT lz, const float *SCREE_RESTRICT hx,
                           const float *SCREE_RESTRICT hy, const float *SCREE_RESTRICT hz,
                           const span *s, uint32_t *SCREE_RESTRICT hit)
{
    const float ax = s->lo[0], ay = s->lo[1], az = s->lo[2];
    const float bx = s->hi[0], by = s->hi[1], bz = s->hi[2];
    uint32_t n = 0;
    for (uint32_t c = 0; c < WIDTH; c++) {
        hit[c] = (uint32_t)((lx[c] <= bx) & (ax <= hx[c]) & (ly[c] <= by) & (ay <= hy[c]) &
                            (lz[c] <= bz) & (az <= hz[c]));
        n += hit[c];
    }
    return n;
}

static uint32_t test_group(const lbvh *t, uint64_t at, const span *s, uint32_t *hit)
{
    return test_eight(t->lo[0] + at, t->lo[1] + at, t->lo[2] + at, t->hi[0] + at, t->hi[1] + at,
                      t->hi[2] + at, s, hit);
}

/* Pairs of boxes of group a with those of group b, which is a itself or a later one. */
static void pair_groups(const lbvh *t, uint64_t a, uint64_t b, scree_pairs *o)
{
    const span all = span_at(t, t->start[1] + b);
    uint32_t near[WIDTH], who[WIDTH], n = 0, hit[WIDTH];
    test_group(t, WIDTH * a, &all, near);
    for (uint32_t k = 0; k < WIDTH; k++) {
        who[n] = k;
        n += near[k];
    }
    for (uint32_t k = 0; k < n; k++) {
        const span own = span_at(t, WIDTH * a + who[k]);
        const uint32_t id = t->items[WIDTH * a + who[k]].id;
        if (!test_group(t, WIDTH * b, &own, hit))
            continue;
        for (uint32_t c = a == b ? who[k] + 1 : 0; c < WIDTH && WIDTH * b + c < t->n; c++) {
            o->out[o->used] = (scree_pair){id, t->items[WIDTH * b + c].id};
            o->used += hit[c];
        }
    }
}

/* Levels and groups of eight nodes that are still to be looked at. */
typedef struct stack {
    uint32_t n, level[STACK];
    uint64_t group[STACK];
} stack;

static void push_hits(stack *s, uint32_t level, uint64_t first, const uint32_t *hit)
{
    for (uint64_t c = 0; c < WIDTH; c++) {
        s->group[s->n] = first + c;
        s->level[s->n] = level;
        s->n += hit[c];
    }
}

static int32_t search_group(const lbvh *t, uint64_t group, scree_pairs *o)
{
    const span all = span_at(t, t->start[1] + group);
    stack s = {.n = 1, .level = {t->top}};
    int32_t status = SCREE_OK;
    while (s.n && status == SCREE_OK) {
        const uint32_t level = s.level[--s.n];
        const uint64_t first = WIDTH * s.group[s.n];
        if (level == 0) {
            status = scree_pairs_room(o, WIDTH * WIDTH + 1); // one pair is written behind the last
            if (status == SCREE_OK)
                pair_groups(t, group, s.group[s.n], o);
            continue;
        }
        const uint64_t before = group >> (3 * (level - 1)); // nodes that lie before the group
        uint32_t hit[WIDTH];
        test_group(t, t->start[level] + first, &all, hit);
        for (uint64_t c = 0; c < WIDTH; c++)
            hit[c] &= first + c >= before;
        push_hits(&s, level - 1, first, hit);
    }
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const lbvh *t = instance;
    scree_pairs o = {sink, NULL, 0, 0};
    int32_t status = SCREE_OK;
    for (uint64_t g = first; g < last && status == SCREE_OK; g++)
        status = search_group(t, g, &o);
    return scree_pairs_finish(&o, status);
}

static int32_t look_at(const lbvh *t, const scree_zone *zone, uint64_t group,
                       scree_index_sink *sink)
{
    uint32_t ids[WIDTH], n = 0;
    for (uint64_t i = WIDTH * group; i < WIDTH * (group + 1) && i < t->n; i++)
        ids[n++] = t->items[i].id;
    return scree_objects_of(&t->boxes, zone, ids, n, sink);
}

static span span_of(const lbvh *t, const scree_zone *zone)
{
    span s = {{-3e38f, -3e38f, -3e38f}, {3e38f, 3e38f, 3e38f}};
    for (uint32_t k = 0; k < t->boxes.dimension; k++) {
        s.lo[k] = scree_to_float(zone->lo[k], t->first[k]);
        s.hi[k] = scree_to_float(zone->hi[k], t->first[k]);
    }
    return s;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const lbvh *t = instance;
    const span all = span_of(t, zone);
    stack s = {.n = t->n > 0, .level = {t->top}};
    int32_t status = SCREE_OK;
    while (s.n && status == SCREE_OK) {
        const uint32_t level = s.level[--s.n];
        const uint64_t group = s.group[s.n];
        uint32_t hit[WIDTH];
        if (level == 0) {
            status = look_at(t, zone, group, sink);
            continue;
        }
        test_group(t, t->start[level] + WIDTH * group, &all, hit);
        push_hits(&s, level - 1, WIDTH * group, hit);
    }
    return status;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    lbvh *t = instance;
    if (!t)
        return;
    for (uint32_t k = 0; k < 3; k++) {
        free(t->lo[k]);
        free(t->hi[k]);
    }
    free(t->items);
    free(t->spare);
    free(t);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    lbvh *t = calloc(1, sizeof *t);
    if (!t)
        return host->fail(host->ctx, SCREE_E_MEMORY, "lbvh: out of memory");
    t->host = host;
    t->config = config;
    *instance = t;
    return SCREE_OK;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    lbvh *t = instance;
    (void)flags;
    scree_boxes_keep(&t->boxes, boxes);
    t->n = 0;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const lbvh *t = instance;
    uint64_t sum = sizeof *t;
    for (uint32_t k = 0; k < 8; k++)
        sum += t->room[k] * (k < 2 ? sizeof(item) : sizeof(float));
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

SCREE_CHOICE_VALUE(coarse, COARSE, "11 bits per axis, 16 in 2D: half the sorting");
SCREE_CHOICE_VALUE(fine, FINE, "21 bits per axis, 32 in 2D: for far outliers");
SCREE_CHOICE_PARAM(settings, code, SCREE_PARAM_LIVE, "coarse",
                   "resolution of the Morton code: coarse, or fine", &choice_coarse, &choice_fine);
static const scree_param *const params[] = {&param_code};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "lbvh",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "hierarchy of boxes along a Morton curve, built again in each step",
    .summary = "Boxes are sorted by the Morton code of their middles; eight that follow each other "
               "make a node, eight nodes the next. Mixed sizes and any domain.",
    .citation = "Lauterbach, C. et al. (2009): Computer Graphics Forum 28, 375-384; Karras, T. "
                "(2012): Proc. High Performance Graphics, 33-37",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
