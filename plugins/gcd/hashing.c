/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by hashing: lists of one axis, then of the other, row by row.
 *
 * Sources  Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 4.2, and
 *          section 6 for the two ways of clearing.
 * Taken    Array-based linked lists of Y in step_init; two rows of X buckets, filled from one Y
 *          list each. A box is matched with the later boxes of its bucket and with the previous
 *          bucket in X1, and with three adjacent buckets in X2; then the two are exchanged.
 *          `clear = full` empties all heads and the N long lists for each row (the first version
 *          measured there: a term N rows), `clear = touched` the heads that were used alone.
 *
 *              X2 (y - 1)   o o o      x  bucket of the box
 *              X1 (y)       o x        o  other buckets looked at
 *
 * Deviations  Rows and buckets are folded like a torus of at least four, so bodies may leave the
 *          domain of the start; there the source's method fails. Lower corners are binned, not
 *          centres, and what is found is tested exactly (closed boxes, without a branch). Buckets
 *          hold the bulk of the boxes: where few (at most 2 + sqrt(N) / 2) are over four times as
 *          large as all others these are compared with everything. In 3D rows are numbered by y
 *          and z, and X2 takes the four earlier rows in turn. Ranges of rows may be searched side
 *          by side: each lane has rows X1 and X2 of its own, X2 is filled anew at its first row.
 *          An X2 of a row that is left out is filled when it is due, so rows two apart never meet.
 * Cost     O(N) with touched clearing; 2D hashes each box once, 3D up to five times. 8 bytes per
 *          box and a head per row; a lane has 8 bytes per box and two rows of heads beside it.
 * Limits   A wide spread of sizes is not mended: over a decade buckets are crowded and the cost
 *          grows like N^2 (35 times that of grid for 10 000 boxes of ratio 10); L large ones cost
 *          L N.
 */
#include <scree/sdk.h>

#define CLASSES 512 /* quarter octaves of the largest side */
#define ROOM 2048u  /* pairs per reserve */
#define FAR 0x1p40  /* cells, either way */
#define NONE 0xffffffffu

#define CLEAR_TOUCHED 0
#define CLEAR_FULL 1

typedef struct settings {
    int32_t clear; // CLEAR_*
} settings;

typedef struct hashing {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes; // of the last step_init
    uint32_t axes, n_large, rows, bits[3];
    double inv, limit; // [1/m] 1 / side of a cell; [m] largest side in a bucket
    uint64_t count[CLASSES];
    double largest[CLASSES];
    uint64_t room[4]; // of: head, next, bucket, large
    uint32_t *head;   // per row: first slot
    uint32_t *next;   // per slot: next of its row
    uint32_t *bucket; // per slot: of the x axis
    uint32_t *large;  // slots
} hashing;

/* A row of X buckets, of a lane. */
typedef struct x_row {
    uint32_t *head, *next;
    uint32_t row; // NONE: empty
} x_row;

typedef struct output {
    const hashing *grid;
    scree_pair_sink *sink;
    scree_pair *out;
    uint64_t used, room;
} output;

static int64_t cell_of(const hashing *g, double x)
{
    double c = x * g->inv;
    c = c < FAR ? c : FAR;
    c = c > -FAR ? c : -FAR;
    int64_t whole = (int64_t)c;
    return whole - (c < (double)whole);
}

static uint32_t fold(const hashing *g, uint32_t axis, int64_t cell)
{
    return (uint32_t)cell & ((1u << g->bits[axis]) - 1);
}

static double side_of(const hashing *g, uint32_t i)
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

static uint64_t measure(hashing *g, double lo[3], double hi[3])
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
        for (uint32_t k = 0; k < g->axes; k++) {
            double x = g->boxes.lo[k][i];
            lo[k] = lo[k] < x ? lo[k] : x;
            hi[k] = hi[k] > x ? hi[k] : x;
        }
    }
    return n;
}

/* The largest side, but for a few boxes that are far larger than all others. */
static void choose_cell(hashing *g, uint64_t n)
{
    const double few = 2.0 + 0.5 * sqrt((double)n);
    double beyond = 0.0;
    uint32_t top = NONE;
    g->limit = 0.0;
    for (uint32_t c = CLASSES; c-- > 0;) {
        if (!g->count[c])
            continue;
        if (top == NONE || (beyond <= few && c + 8 < top))
            g->limit = g->largest[c];
        top = c;
        beyond += (double)g->count[c];
    }
    double inv = 1.0 / (g->limit * 1.01);
    g->inv = inv < 0x1p600 ? inv > 0x1p-1030 ? inv : 0x1p-1030 : 0x1p600;
}

static void choose_torus(hashing *g, uint64_t n, const double lo[3], const double hi[3])
{
    double left[3] = {0, 0, 0};
    uint32_t bits = 2 * g->axes, target = bits;
    while (target < 28 && (1ull << target) < n)
        target++;
    for (uint32_t k = 0; k < 3; k++) {
        g->bits[k] = k < g->axes ? 2 : 0;
        if (k < g->axes && n)
            left[k] = (double)(cell_of(g, hi[k]) - cell_of(g, lo[k]) + 1) / 4;
    }
    for (; bits < target; bits++) {
        uint32_t at = left[1] > left[0] ? 1 : 0;
        at = left[2] > left[at] ? 2 : at;
        if (left[at] <= 1.0)
            break;
        g->bits[at]++;
        left[at] /= 2;
    }
    g->rows = 1u << (g->bits[1] + g->bits[2]);
}

static void fill_rows(hashing *g)
{
    memset(g->head, 0xff, g->rows * sizeof *g->head);
    g->n_large = 0;
    for (uint32_t i = 0; i < g->boxes.n; i++) {
        if (scree_box_empty(&g->boxes, i))
            continue;
        if (side_of(g, i) > g->limit) {
            g->large[g->n_large++] = i;
            continue;
        }
        uint32_t row = fold(g, 1, cell_of(g, g->boxes.lo[1][i]));
        if (g->axes == 3)
            row |= fold(g, 2, cell_of(g, g->boxes.lo[2][i])) << g->bits[1];
        g->bucket[i] = fold(g, 0, cell_of(g, g->boxes.lo[0][i]));
        g->next[i] = g->head[row];
        g->head[row] = i;
    }
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    hashing *g = instance;
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    (void)moved;
    (void)n_moved;
    g->boxes = *boxes;
    g->axes = boxes->dimension;
    g->rows = g->n_large = 0;
    uint64_t n = measure(g, lo, hi);
    choose_cell(g, n);
    choose_torus(g, n, lo, hi);
    uint64_t few = 3 + (uint64_t)(0.5 * sqrt((double)n));
    if (!scree_grow(&g->head, &g->room[0], g->rows, sizeof *g->head) ||
        !scree_grow(&g->next, &g->room[1], boxes->n, sizeof *g->next) ||
        !scree_grow(&g->bucket, &g->room[2], boxes->n, sizeof *g->bucket) ||
        !scree_grow(&g->large, &g->room[3], few, sizeof *g->large)) {
        g->rows = 0;
        return g->host->fail(g->host->ctx, SCREE_E_MEMORY, "hashing: out of memory");
    }
    fill_rows(g);
    *n_pivots = (uint64_t)g->rows + g->n_large;
    return SCREE_OK;
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

static int32_t test(output *o, uint32_t i, uint32_t j)
{
    int32_t status = make_room(o, 1);
    if (status != SCREE_OK)
        return status;
    o->out[o->used] = (scree_pair){i, j};
    o->used += (uint64_t)scree_boxes_overlap(&o->grid->boxes, i, j);
    return SCREE_OK;
}

static int32_t test_list(output *o, uint32_t i, const uint32_t *next, uint32_t j)
{
    int32_t status = SCREE_OK;
    for (; j != NONE && status == SCREE_OK; j = next[j])
        status = test(o, i, j);
    return status;
}

static void clear_row(const hashing *g, x_row *x)
{
    if (g->config->clear == CLEAR_FULL) {
        memset(x->head, 0xff, sizeof *x->head << g->bits[0]);
        memset(x->next, 0xff, g->boxes.n * sizeof *x->next);
    } else if (x->row != NONE) {
        for (uint32_t i = g->head[x->row]; i != NONE; i = g->next[i])
            x->head[g->bucket[i]] = NONE;
    }
    x->row = NONE;
}

static void hash_row(const hashing *g, x_row *x, uint32_t row)
{
    if (x->row == row)
        return;
    clear_row(g, x);
    for (uint32_t i = g->head[row]; i != NONE; i = g->next[i]) {
        x->next[i] = x->head[g->bucket[i]];
        x->head[g->bucket[i]] = i;
    }
    x->row = row;
}

/* Row x1 against the three adjacent buckets of row x2. */
static int32_t match_rows(output *o, const x_row *x1, const x_row *x2)
{
    const hashing *g = o->grid;
    int32_t status = SCREE_OK;
    for (uint32_t i = g->head[x1->row]; i != NONE && status == SCREE_OK; i = g->next[i])
        for (int64_t d = -1; d <= 1 && status == SCREE_OK; d++)
            status = test_list(o, i, x2->next, x2->head[fold(g, 0, g->bucket[i] + d)]);
    return status;
}

static int32_t match_own(output *o, const x_row *x1)
{
    const hashing *g = o->grid;
    int32_t status = SCREE_OK;
    for (uint32_t i = g->head[x1->row]; i != NONE && status == SCREE_OK; i = g->next[i]) {
        status = test_list(o, i, x1->next, x1->next[i]);
        if (status == SCREE_OK)
            status = test_list(o, i, x1->next, x1->head[fold(g, 0, (int64_t)g->bucket[i] - 1)]);
    }
    return status;
}

/* The row before comes first: it is in x2 already when rows are searched in turn. */
static int32_t search_row(output *o, x_row x[2], uint32_t row)
{
    const hashing *g = o->grid;
    static const int32_t shift[4][2] = {{-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const int64_t y = row & ((1u << g->bits[1]) - 1), z = row >> g->bits[1];
    int32_t status = SCREE_OK;
    if (g->head[row] == NONE)
        return SCREE_OK;
    hash_row(g, &x[0], row);
    status = match_own(o, &x[0]);
    for (uint32_t k = 0; k < (g->axes == 3 ? 4u : 1u) && status == SCREE_OK; k++) {
        uint32_t other = fold(g, 1, y + shift[k][0]) | fold(g, 2, z + shift[k][1]) << g->bits[1];
        if (g->head[other] == NONE)
            continue;
        hash_row(g, &x[1], other);
        status = match_rows(o, &x[0], &x[1]);
    }
    const x_row swap = x[0];
    x[0] = x[1];
    x[1] = swap;
    return status;
}

static int32_t search_large(output *o, uint32_t l)
{
    const hashing *g = o->grid;
    int32_t status = SCREE_OK;
    for (uint32_t r = 0; r < g->rows && status == SCREE_OK; r++)
        status = test_list(o, g->large[l], g->next, g->head[r]);
    for (uint32_t m = l + 1; m < g->n_large && status == SCREE_OK; m++)
        status = test(o, g->large[l], g->large[m]);
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const hashing *g = instance;
    const uint64_t dim = 1ull << g->bits[0], n = g->boxes.n;
    output o = {.grid = g, .sink = sink};
    int32_t status = SCREE_OK;
    if (first < last && first < g->rows) {
        uint32_t *memory =
            g->host->scratch(g->host->ctx, sink->lane, 2 * (dim + n) * sizeof *memory);
        if (!memory)
            return g->host->fail(g->host->ctx, SCREE_E_MEMORY, "hashing: out of memory");
        memset(memory, 0xff, 2 * dim * sizeof *memory);
        uint32_t *next = memory + 2 * dim;
        x_row x[2] = {{memory, next, NONE}, {memory + dim, next + n, NONE}};
        for (; first < last && first < g->rows && status == SCREE_OK; first++)
            status = search_row(&o, x, (uint32_t)first);
    }
    for (; first < last && status == SCREE_OK; first++)
        status = search_large(&o, (uint32_t)(first - g->rows));
    return status == SCREE_OK && o.used ? sink->commit(sink, o.used) : status;
}

/* ---- find_objects ---- */

static int32_t look_at(const hashing *g, const scree_region *region, uint32_t i,
                       scree_index_sink *sink)
{
    uint32_t *out;
    if (!scree_region_overlaps(region, &g->boxes, i))
        return SCREE_OK;
    int32_t status = sink->reserve(sink, 1, &out);
    if (status != SCREE_OK)
        return status;
    out[0] = i;
    return sink->commit(sink, 1);
}

/* The rows under the region, widened by one; each of the torus once. */
static int32_t find_objects(void *instance, const scree_region *region, scree_index_sink *sink)
{
    const hashing *g = instance;
    int64_t at[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    int32_t status = SCREE_OK;
    for (uint32_t k = 1; k < g->axes; k++) {
        const double reach = region->radius * (1.0 + 1e-9), c = region->centre[k];
        const int ball = region->type == SCREE_REGION_BALL;
        at[k] = cell_of(g, ball ? c - reach : region->lo[k]) - 1;
        n[k] = cell_of(g, ball ? c + reach : region->hi[k]) - at[k] + 1;
        n[k] = n[k] < (int64_t)1 << g->bits[k] ? n[k] : (int64_t)1 << g->bits[k];
    }
    for (int64_t z = 0; z < n[2] && g->rows; z++)
        for (int64_t y = 0; y < n[1]; y++) {
            uint32_t row = fold(g, 1, at[1] + y) | fold(g, 2, at[2] + z) << g->bits[1];
            for (uint32_t i = g->head[row]; i != NONE && status == SCREE_OK; i = g->next[i])
                status = look_at(g, region, i, sink);
        }
    for (uint32_t l = 0; l < g->n_large && status == SCREE_OK; l++)
        status = look_at(g, region, g->large[l], sink);
    return status;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    hashing *g = instance;
    if (!g)
        return;
    free(g->head);
    free(g->next);
    free(g->bucket);
    free(g->large);
    free(g);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    hashing *g = calloc(1, sizeof *g);
    if (!g)
        return host->fail(host->ctx, SCREE_E_MEMORY, "hashing: out of memory");
    g->host = host;
    g->config = config;
    *instance = g;
    return SCREE_OK;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    hashing *g = instance;
    (void)flags;
    g->boxes = *boxes;
    g->rows = g->n_large = 0;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const hashing *g = instance;
    return sizeof *g + (g->room[0] + g->room[1] + g->room[2] + g->room[3]) * sizeof *g->head;
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

SCREE_CHOICE_VALUE(touched, CLEAR_TOUCHED, "the heads that were used (Hashing2)");
SCREE_CHOICE_VALUE(full, CLEAR_FULL, "all heads and lists, for each row (Hashing)");
SCREE_CHOICE_PARAM(settings, clear, SCREE_LIVE, "touched",
                   "what is cleared between two rows: touched, or full", &choice_touched,
                   &choice_full);
static const scree_param *const params[] = {&param_clear};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_2D | SCREE_3D,
    .id = "hashing",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "buckets row by row from array-based lists (Perkins)",
    .summary =
        "Boxes are listed by rows, and two rows at a time by buckets of the x axis; a box is "
        "compared with its bucket and the adjacent ones. Clearing as in Perkins' first or "
        "second version.",
    .citation = "Perkins, E. (1999): thesis, MIT, section 4.2",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
