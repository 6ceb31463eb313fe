/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by a hierarchy of grids: each box lies in the grid of its own size.
 *
 * Sources  Krijgsman, D., Ogarko, V. and Luding, S. (2014): Optimal parameters for a hierarchical
 *          grid data structure for contact detection in arbitrarily polydisperse particle systems,
 *          Comp. Part. Mech. 1, 357-372.
 *          The method as it is commonly known; the paper itself was not at hand.
 * Taken    Levels with cells of their own, a box in the level whose cell is the smallest that holds
 *          it, search from small to large: within a level the later half of the neighbouring cells,
 *          in each coarser level the cells under the box. The families of cell sizes: geometric,
 *          linear, equal numbers of boxes per level.
 * Idea     A small box never looks for larger ones in cells of its own size, and a large one never
 *          looks at the many small ones under it: both do the same work at any ratio of sizes.
 *
 *          level 1   |     o     |     x     |     .     |    x  the box's cell, o looked at by the
 *          level 0   |  .  |  .  |  x  |  o  |  .  |  .  |       half stencil and under the box
 *
 * Steps    1. Largest sides by quarter octaves; `distribution` and `levels` cut them into levels.
 *          2. Lower corners are binned. Cells are 1 % wider than the largest side of their level,
 *             and numbers beyond 2^40 are cut off there: rounding is monotone and its error below
 *             that 1 %, so boxes that touch lie at most one cell apart, however large coordinates.
 *          3. A level's cells are folded like a torus of 2^a x 2^b x 2^c cells, each factor at
 *             least 4: three neighbours are never one cell, so a pair cannot be met twice.
 *          4. One counting sort by (level, z, y, x). Corners are copied in that order.
 *          5. Pivots: chunks of 64 sorted boxes. A pair belongs to the box of the finer level, in
 *             one level to the one in whose later half the other lies. The test is exact (closed
 *             boxes) and free of branches; a level of at most 16 boxes is tested as a whole.
 * Cost     O(N L) with L levels in use, 56 bytes per box (2D: 40) and 1 to 2 cells of 4 bytes, kept
 *          from step to step. Memory of L x 64 cells beside it.
 * Deviations  Cell sizes follow the boxes of each step, not a distribution that is known before.
 *          By default levels are two octaves wide: a guess, not tuned.
 *          Boxes, not spheres, are binned, by corner and not by centre: the corner spares the sum
 *          of two half sides. The torus replaces the hash, so that rows stay contiguous.
 * Limits   Needles and plates are as large as their longest side. Sizes beyond 128 octaves are cut
 *          off: all smaller ones are one class, all larger ones another.
 */
#include <scree/sdk.h>

#define CLASSES 512 /* quarter octaves of the largest side */
#define MAX_LEVELS 32
#define CHUNK 64u  /* sorted boxes per pivot */
#define BLOCK 256u /* pairs per look at the room that is left */
#define ROOM 2048u /* pairs per reserve */
#define FEW 16u    /* a level of so many is tested as a whole */
#define FAR 0x1p40 /* cells, either way */
#define EMPTY 0xffffffffu

#define BY_RATIO 0
#define BY_WIDTH 1
#define BY_NUMBER 2

typedef struct settings {
    int32_t distribution; // BY_*
    int64_t levels;       // 0: by the ratio of sizes
} settings;

typedef struct level {
    double inv;           // [1/m] 1 / side of a cell
    double lo[3], hi[3];  // [m] of the lower corners
    uint64_t count;       // boxes
    uint32_t base;        // first cell
    uint32_t bits[3];     // of the torus
    uint32_t first, last; // sorted boxes
} level;

typedef struct hgrid {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes; // of the last step_init
    uint32_t axes, n_levels, n_sorted;
    level levels[MAX_LEVELS];
    uint64_t count[CLASSES];
    double largest[CLASSES];
    uint8_t level_of[CLASSES];
    // Capacities of: key, start, ids, corners.
    uint64_t room[4];
    uint32_t *key;   // per slot: cell, EMPTY
    uint32_t *start; // per cell: first sorted box, one more
    uint32_t *ids;   // per sorted box: slot
    double *corners; // 2 axes arrays of n: lo x y (z), hi x y (z)
    const double *lo[3], *hi[3];
} hgrid;

typedef struct output {
    const hgrid *grid;
    scree_pair_sink *sink;
    scree_pair *out;
    uint64_t used, room;
} output;

/* ---- cells ---- */

static int64_t cell_of(const level *v, double x)
{
    double c = x * v->inv;
    c = c < FAR ? c : FAR;
    c = c > -FAR ? c : -FAR;
    int64_t whole = (int64_t)c;
    return whole - (c < (double)whole);
}

static uint32_t torus(const level *v, const int64_t at[3])
{
    uint32_t cell = 0;
    for (uint32_t k = 3; k-- > 0;)
        cell = cell << v->bits[k] | ((uint32_t)at[k] & ((1u << v->bits[k]) - 1));
    return v->base + cell;
}

static double side_of(const hgrid *g, uint32_t i)
{
    double side = 0.0;
    for (uint32_t k = 0; k < g->axes; k++) {
        double d = g->boxes.hi[k][i] - g->boxes.lo[k][i];
        side = side > d ? side : d;
    }
    return side;
}

static uint32_t size_class(double side)
{
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    int64_t c = (int64_t)(bits >> 50) - (1023 * 4 - CLASSES / 2);
    return (uint32_t)(c < 0 ? 0 : c >= CLASSES ? CLASSES - 1 : c);
}

/* ---- step_init ---- */

static uint64_t measure(hgrid *g)
{
    uint64_t n = 0;
    memset(g->count, 0, sizeof g->count);
    memset(g->largest, 0, sizeof g->largest);
    for (uint32_t i = 0; i < g->boxes.n; i++) {
        if (scree_box_empty(&g->boxes, i))
            continue;
        double side = side_of(g, i);
        uint32_t c = size_class(side);
        g->largest[c] = g->largest[c] > side ? g->largest[c] : side;
        g->count[c]++;
        n++;
    }
    return n;
}

/* Level of class c of [low, high], when `before` of n boxes are smaller and there are `levels`. */
static uint32_t choose_level(const hgrid *g, uint32_t c, uint32_t low, uint32_t high,
                             uint32_t levels, double before, double n)
{
    double share = (double)(c - low) / (double)(high - low + 1);
    if (g->config->distribution == BY_NUMBER)
        share = before / n;
    if (g->config->distribution == BY_WIDTH)
        share = g->largest[high] > 0.0 && g->largest[high] <= 0x1p1000
                    ? g->largest[c] / g->largest[high]
                    : share;
    uint32_t v = (uint32_t)(share * levels);
    return v < levels ? v : levels - 1;
}

/* Levels in use, numbered from the finest; their cell sizes. */
static void choose_levels(hgrid *g, uint64_t n)
{
    uint32_t low = 0, high = CLASSES - 1, last = EMPTY;
    double before = 0.0;
    g->n_levels = 0;
    if (!n)
        return;
    while (!g->count[low])
        low++;
    while (!g->count[high])
        high--;
    uint32_t levels = (uint32_t)g->config->levels;
    if (!levels)
        levels = (high - low) / 8 + 1 < MAX_LEVELS ? (high - low) / 8 + 1 : MAX_LEVELS;
    for (uint32_t c = low; c <= high; c++) {
        if (!g->count[c])
            continue;
        uint32_t v = choose_level(g, c, low, high, levels, before, (double)n);
        if (v != last)
            g->levels[g->n_levels++] = (level){.lo = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                               .hi = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        last = v;
        level *own = &g->levels[g->n_levels - 1];
        double inv = 1.0 / (g->largest[c] * 1.01);
        own->inv = inv < 0x1p600 ? inv > 0x1p-1030 ? inv : 0x1p-1030 : 0x1p600;
        own->count += g->count[c];
        g->level_of[c] = (uint8_t)(g->n_levels - 1);
        before += (double)g->count[c];
    }
}

static void choose_torus(const hgrid *g, level *v)
{
    double left[3] = {0, 0, 0};
    uint32_t bits = 0, target = 2 * g->axes;
    while (target < 28 && (1ull << target) < v->count)
        target++;
    for (uint32_t k = 0; k < g->axes; k++) {
        left[k] = (double)(cell_of(v, v->hi[k]) - cell_of(v, v->lo[k]) + 1) / 4;
        v->bits[k] = 2;
        bits += 2;
    }
    for (; bits < target; bits++) {
        uint32_t at = left[1] > left[0] ? 1 : 0;
        at = left[2] > left[at] ? 2 : at;
        if (left[at] <= 1.0)
            break;
        v->bits[at]++;
        left[at] /= 2;
    }
}

/* Levels of the slots and the range of their corners; then the tori. Returns the cells. */
static uint64_t place_levels(hgrid *g)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; i < g->boxes.n; i++) {
        g->key[i] = EMPTY;
        if (scree_box_empty(&g->boxes, i))
            continue;
        g->key[i] = g->level_of[size_class(side_of(g, i))];
        level *v = &g->levels[g->key[i]];
        for (uint32_t k = 0; k < g->axes; k++) {
            double lo = g->boxes.lo[k][i];
            v->lo[k] = v->lo[k] < lo ? v->lo[k] : lo;
            v->hi[k] = v->hi[k] > lo ? v->hi[k] : lo;
        }
    }
    for (uint32_t l = 0; l < g->n_levels; l++) {
        level *v = &g->levels[l];
        choose_torus(g, v);
        v->base = (uint32_t)cells;
        cells += 1ull << (v->bits[0] + v->bits[1] + v->bits[2]);
    }
    return cells;
}

static int32_t find_cells(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    hgrid *g = user;
    (void)lane;
    for (uint64_t i = begin; i < end; i++) {
        int64_t at[3] = {0, 0, 0};
        if (g->key[i] == EMPTY)
            continue;
        const level *v = &g->levels[g->key[i]];
        for (uint32_t k = 0; k < g->axes; k++)
            at[k] = cell_of(v, g->boxes.lo[k][i]);
        g->key[i] = torus(v, at);
    }
    return SCREE_OK;
}

/* `start` counts one cell ahead, so that after the placing it holds the first box of each cell. */
static void sort_boxes(hgrid *g, uint64_t cells)
{
    memset(g->start, 0, (cells + 2) * sizeof *g->start);
    for (uint32_t i = 0; i < g->boxes.n; i++)
        if (g->key[i] != EMPTY)
            g->start[g->key[i] + 2]++;
    for (uint64_t c = 2; c < cells + 2; c++)
        g->start[c] += g->start[c - 1];
    for (uint32_t i = 0; i < g->boxes.n; i++)
        if (g->key[i] != EMPTY)
            g->ids[g->start[g->key[i] + 1]++] = i;
    for (uint32_t l = 0; l < g->n_levels; l++) {
        level *v = &g->levels[l];
        v->first = g->start[v->base];
        v->last = v->first + (uint32_t)v->count;
    }
}

static int32_t copy_corners(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    hgrid *g = user;
    (void)lane;
    for (uint32_t k = 0; k < g->axes; k++) {
        double *lo = g->corners + (uint64_t)k * g->n_sorted;
        double *hi = lo + (uint64_t)g->axes * g->n_sorted;
        for (uint64_t s = begin; s < end; s++) {
            lo[s] = g->boxes.lo[k][g->ids[s]];
            hi[s] = g->boxes.hi[k][g->ids[s]];
        }
    }
    return SCREE_OK;
}

static int32_t build(hgrid *g)
{
    const scree_host *host = g->host;
    uint64_t n = measure(g);
    g->n_sorted = (uint32_t)n;
    choose_levels(g, n);
    int grown = scree_grow(&g->key, &g->room[0], g->boxes.n, sizeof *g->key) &&
                scree_grow(&g->ids, &g->room[2], n, sizeof *g->ids) &&
                scree_grow(&g->corners, &g->room[3], 2 * g->axes * n, sizeof *g->corners);
    uint64_t cells = grown ? place_levels(g) : 0;
    if (!grown || !scree_grow(&g->start, &g->room[1], cells + 2, sizeof *g->start)) {
        g->n_sorted = g->n_levels = 0;
        return host->fail(host->ctx, SCREE_E_MEMORY, "hgrid: out of memory");
    }
    for (uint32_t k = 0; k < g->axes && n; k++) {
        g->lo[k] = g->corners + k * n;
        g->hi[k] = g->lo[k] + g->axes * n;
    }
    int32_t status = host->parallel_for(host->ctx, 0, g->boxes.n, 4096, find_cells, g);
    if (status != SCREE_OK)
        return status;
    sort_boxes(g, cells);
    return host->parallel_for(host->ctx, 0, n, 4096, copy_corners, g);
}

/* ---- find_neighbors ---- */

static int32_t make_room(output *o, uint64_t n)
{
    if (o->used + n <= o->room)
        return SCREE_OK;
    int32_t status = o->used ? o->sink->commit(o->sink, o->used) : SCREE_OK;
    o->used = 0;
    o->room = ROOM;
    return status == SCREE_OK ? o->sink->reserve(o->sink, ROOM, &o->out) : status;
}

/* Sorted box s against the sorted boxes [first, last). */
static int32_t test_run(output *o, uint32_t s, uint32_t first, uint32_t last)
{
    const hgrid *g = o->grid;
    const uint32_t i = g->ids[s], solid = g->axes == 3, z = solid ? 2 : 0;
    const double *lx = g->lo[0], *ly = g->lo[1], *lz = g->lo[z];
    const double *hx = g->hi[0], *hy = g->hi[1], *hz = g->hi[z];
    const double ax = lx[s], ay = ly[s], az = lz[s], bx = hx[s], by = hy[s], bz = hz[s];
    while (first < last) {
        uint32_t end = last - first < BLOCK ? last : first + BLOCK;
        int32_t status = make_room(o, end - first);
        if (status != SCREE_OK)
            return status;
        scree_pair *out = o->out;
        uint64_t used = o->used;
        for (; first < end; first++) {
            out[used] = (scree_pair){i, g->ids[first]};
            used += (uint64_t)((lx[first] <= bx) & (ax <= hx[first]) & (ly[first] <= by) &
                               (ay <= hy[first]) & (lz[first] <= bz) & (az <= hz[first]));
        }
        o->used = used;
    }
    return SCREE_OK;
}

/* Sorted boxes in the cells x to x + wide - 1 of the row of `at`, folded: one run or two. */
static uint32_t row_runs(const hgrid *g, const level *v, const int64_t at[3], uint32_t wide,
                         uint32_t first[2], uint32_t last[2])
{
    const uint32_t dim = 1u << v->bits[0], cell = torus(v, at), x = (uint32_t)at[0] & (dim - 1);
    const uint32_t here = wide < dim - x ? wide : dim - x;
    first[0] = g->start[cell];
    last[0] = g->start[cell + here];
    first[1] = g->start[cell - x];
    last[1] = g->start[cell - x + wide - here];
    return wide > here ? 2 : 1;
}

static int32_t test_row(output *o, uint32_t s, const level *v, const int64_t at[3], uint32_t wide)
{
    uint32_t first[2], last[2], n = row_runs(o->grid, v, at, wide, first, last);
    int32_t status = SCREE_OK;
    for (uint32_t r = 0; r < n && status == SCREE_OK; r++)
        status = test_run(o, s, first[r], last[r]);
    return status;
}

/* The later half: the rest of the own cell, the next one, and the rows after it. */
static int32_t search_own(output *o, uint32_t s, const level *v)
{
    const hgrid *g = o->grid;
    int64_t c[3] = {0, 0, 0};
    if (v->count <= FEW)
        return test_run(o, s, s + 1, v->last);
    for (uint32_t k = 0; k < g->axes; k++)
        c[k] = cell_of(v, g->lo[k][s]);
    int32_t status = test_run(o, s, s + 1, g->start[torus(v, c) + 1]);
    const int64_t next[3] = {c[0] + 1, c[1], c[2]};
    if (status == SCREE_OK)
        status = test_row(o, s, v, next, 1);
    const int64_t planes = g->axes == 3;
    for (int64_t dz = 0; dz <= planes; dz++)
        for (int64_t dy = dz ? -1 : 1; dy <= 1 && status == SCREE_OK; dy++) {
            const int64_t at[3] = {c[0] - 1, c[1] + dy, c[2] + dz};
            status = test_row(o, s, v, at, 3);
        }
    return status;
}

/* The cells of a coarser level under the box: two or three per axis. */
static int32_t search_coarser(output *o, uint32_t s, const level *v)
{
    const hgrid *g = o->grid;
    int64_t a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    int32_t status = SCREE_OK;
    if (v->count <= FEW)
        return test_run(o, s, v->first, v->last);
    for (uint32_t k = 0; k < g->axes; k++) {
        a[k] = cell_of(v, g->lo[k][s]) - 1;
        b[k] = cell_of(v, g->hi[k][s]);
    }
    for (int64_t z = a[2]; z <= b[2]; z++)
        for (int64_t y = a[1]; y <= b[1] && status == SCREE_OK; y++) {
            const int64_t at[3] = {a[0], y, z};
            status = test_row(o, s, v, at, (uint32_t)(b[0] - a[0] + 1));
        }
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const hgrid *g = instance;
    const uint64_t end = last * CHUNK < g->n_sorted ? last * CHUNK : g->n_sorted;
    output o = {.grid = g, .sink = sink};
    int32_t status = SCREE_OK;
    uint32_t own = 0;
    for (uint64_t s = first * CHUNK; s < end && status == SCREE_OK; s++) {
        while (s >= g->levels[own].last)
            own++;
        status = search_own(&o, (uint32_t)s, &g->levels[own]);
        for (uint32_t l = own + 1; l < g->n_levels && status == SCREE_OK; l++)
            status = search_coarser(&o, (uint32_t)s, &g->levels[l]);
    }
    return status == SCREE_OK && o.used ? sink->commit(sink, o.used) : status;
}

/* ---- find_objects ---- */

static int32_t look_at(const hgrid *g, const scree_region *region, uint32_t first, uint32_t last,
                       scree_index_sink *sink)
{
    while (first < last) {
        uint32_t end = last - first < BLOCK ? last : first + BLOCK, *out;
        uint64_t n = 0;
        int32_t status = sink->reserve(sink, end - first, &out);
        if (status != SCREE_OK)
            return status;
        for (; first < end; first++) {
            out[n] = g->ids[first];
            n += (uint64_t)scree_region_overlaps(region, &g->boxes, g->ids[first]);
        }
        status = sink->commit(sink, n);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

/* First cell under [lo, hi] and how many, each cell of the torus once; returns their product. */
static uint64_t cells_under(const hgrid *g, const level *v, const double lo[3], const double hi[3],
                            int64_t at[3], uint32_t n[3])
{
    uint64_t product = 1;
    for (uint32_t k = 0; k < 3; k++) {
        at[k] = 0;
        n[k] = 1;
        if (k >= g->axes)
            continue;
        at[k] = cell_of(v, lo[k]) - 1;
        int64_t wide = cell_of(v, hi[k]) - at[k] + 1, dim = (int64_t)1 << v->bits[k];
        n[k] = (uint32_t)(wide < 0 ? 0 : wide < dim ? wide : dim);
        product *= n[k];
    }
    return product;
}

static int32_t look_in_level(const hgrid *g, const level *v, const scree_region *region,
                             const double lo[3], const double hi[3], scree_index_sink *sink)
{
    int64_t at[3];
    uint32_t n[3], first[2], last[2];
    int32_t status = SCREE_OK;
    if (cells_under(g, v, lo, hi, at, n) > v->count)
        return look_at(g, region, v->first, v->last, sink);
    for (uint32_t z = 0; z < n[2] && n[0]; z++)
        for (uint32_t y = 0; y < n[1]; y++) {
            const int64_t row[3] = {at[0], at[1] + y, at[2] + z};
            uint32_t runs = row_runs(g, v, row, n[0], first, last);
            for (uint32_t r = 0; r < runs && status == SCREE_OK; r++)
                status = look_at(g, region, first[r], last[r], sink);
        }
    return status;
}

static int32_t find_objects(void *instance, const scree_region *region, scree_index_sink *sink)
{
    const hgrid *g = instance;
    double lo[3], hi[3];
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < 3; k++) {
        double reach = region->radius * (1.0 + 1e-9);
        lo[k] = region->type == SCREE_REGION_BALL ? region->centre[k] - reach : region->lo[k];
        hi[k] = region->type == SCREE_REGION_BALL ? region->centre[k] + reach : region->hi[k];
    }
    for (uint32_t l = 0; l < g->n_levels && status == SCREE_OK; l++)
        status = look_in_level(g, &g->levels[l], region, lo, hi, sink);
    return status;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    hgrid *g = instance;
    if (!g)
        return;
    free(g->key);
    free(g->start);
    free(g->ids);
    free(g->corners);
    free(g);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    hgrid *g = calloc(1, sizeof *g);
    if (!g)
        return host->fail(host->ctx, SCREE_E_MEMORY, "hgrid: out of memory");
    g->host = host;
    g->config = config;
    *instance = g;
    return SCREE_OK;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    hgrid *g = instance;
    (void)flags;
    g->boxes = *boxes;
    g->n_sorted = g->n_levels = 0;
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    hgrid *g = instance;
    (void)moved;
    (void)n_moved;
    g->boxes = *boxes;
    g->axes = boxes->dimension;
    int32_t status = build(g);
    *n_pivots = ((uint64_t)g->n_sorted + CHUNK - 1) / CHUNK;
    return status;
}

static uint64_t bytes(void *instance)
{
    const hgrid *g = instance;
    return sizeof *g + g->room[0] * sizeof *g->key + g->room[1] * sizeof *g->start +
           g->room[2] * sizeof *g->ids + g->room[3] * sizeof *g->corners;
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

SCREE_CHOICE_VALUE(geometric, BY_RATIO, "cells of one level to the next in one ratio");
SCREE_CHOICE_VALUE(linear, BY_WIDTH, "cells of one level to the next by one difference");
SCREE_CHOICE_VALUE(equal, BY_NUMBER, "about as many boxes in each level");
SCREE_CHOICE_PARAM(settings, distribution, SCREE_LIVE, "geometric",
                   "how the sizes of cells are spread over the sizes of boxes", &choice_geometric,
                   &choice_linear, &choice_equal);
SCREE_INT_PARAM(settings, levels, SCREE_LIVE, 0, 0, MAX_LEVELS,
                "levels at most; 0: one for each two octaves of sizes");
static const scree_param *const params[] = {&param_distribution, &param_levels};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_2D | SCREE_3D,
    .id = "hgrid",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a hierarchy of grids, each box in the grid of its size",
    .summary =
        "Boxes are sorted into grids of several cell sizes and look at their neighbours in their "
        "own grid and at the cells under them in the coarser ones: cost hardly depends on the "
        "ratio of sizes.",
    .citation = "Krijgsman, D., Ogarko, V. and Luding, S. (2014): Comp. Part. Mech. 1, 357-372",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
