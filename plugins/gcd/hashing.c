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
 *          measured there: a term N rows), `clear = touched` only the heads that were used.
 *
 *              X2 (y - 1)   o o o      x  bucket of the box
 *              X1 (y)       o x        o  other buckets looked at
 *
 * Deviations  Rows and buckets are folded like a torus of at least four, so bodies may leave the
 *          domain of the start; there the source's method fails. Lower corners are binned, not
 *          centres, and what is found is tested exactly (closed boxes, without a branch). The
 *          source takes the largest body for the side of a cell; here it is the side with the
 *          fewest expected tests for evenly spread boxes, and larger boxes are compared with
 *          everything. In 3D rows are numbered by y and z, and X2 takes the four earlier rows in
 *          turn. Ranges of rows may be searched side by side: each lane has its own rows X1 and X2
 *          and fills X2 again at its first row. When a row is skipped, X2 is filled when it is due,
 *          so rows two apart never meet.
 *          A row is hashed with copies of its boxes, in the order of its list, and the first box of
 *          a bucket is tested whether it is there or not.
 * As printed  `as_printed = true` takes back what the source does not have. A cell is as wide as
 *          the largest bounding sphere and its grid as large as the domain of the first step, as in
 *          4.2.1.1; centres are binned; all that is in adjacent cells is a candidate. The share of
 *          candidates that overlap falls with the square of the ratio of sizes, and boxes that
 *          leave the domain are in no cell: their pairs are missed, and a line of the log says so
 *          (there the source fails). The host calls init again when bodies come or go; the next
 *          step is the first one then. Where that grid has more rows or columns than N + 1 024 its
 *          cells are wider, as the source allows. find_objects looks at all boxes.
 * Cost     O(N) with touched clearing; 2D hashes each box once, 3D up to five times. 8 bytes per
 *          box and two words per row; a lane has two rows of heads, and 68 bytes per box of the
 *          longest row, twice.
 *
 * Growth beyond N, of discs that nearly touch, 1 600 to 102 400 of them
 *          Instructions per box are the same at every number (460, now 409). Where steps follow
 *          each other without other work the power of N was 1.13 to 1.15: first by mispredicted
 *          branches, as a bucket holds no box, one or two, and a processor that knows the 1 600 of
 *          the last step by heart does not know 6 400 (sixteen arrangements of 1 600, in turn, cost
 *          70 ns per box, one 42; now 39 and 39). Then by waiting for memory: 2.1 misses of a cache
 *          of 2 MiB per box at 102 400. Copies, the test without a branch, more buckets than boxes
 *          and one pass less over upper corners make it 1.02 to 1.04. In the host, which does other
 *          work between steps, it is 1.01 (was 1.02) at three quarters of the cost, by single runs
 *          of 500 steps with the machine idle. 1.6 misses remain: boxes are read to measure them,
 *          to bin them and to compare them, and so many do not fit the cache.
 *
 * Limits   A wide spread of sizes is dealt with in part: with L large boxes the cost is L N, and
 *          the best L grows like N^(1/2), so the whole cost grows like N^(3/2) instead of N^2. With
 *          10 000 balls of ratio 10 it is a tenth of the previous cost and some ten times that of
 *          grid. A lower cost needs a bucket size per size of box, as in gcd/hgrid.
 */
#include <float.h>

#include <scree/gcd_sdk.h>

#define CLASSES 512        /* quarter octaves of the largest side */
#define FAR 0x1p40         /* [cells] largest distance from the origin; farther cells are clamped */
#define SPARE_CELLS 1024.0 /* as printed: rows, and columns, beyond the number of boxes, at most */
#define NEAR 256u          /* boxes gathered before they are compared with a zone */
#define BLOCK 64u          /* tests per block of a large box */
#define CHEAP 0.25         /* [-] cost of such a test over one in a bucket */
#define NONE 0xffffffffu

#define CLEAR_TOUCHED 0
#define CLEAR_FULL 1

typedef struct settings {
    int32_t clear; // CLEAR_*
    int32_t as_printed;
} settings;

typedef struct hashing {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes; // boxes of the last step_init
    uint32_t axes, n_large, rows, bits[3];
    double inv, limit; // [1/m] 1 / side of a cell; [m] largest side in a bucket
    double origin[3];  // [m] as printed: lowest centre of the first step; else 0
    int64_t cells[3];  // as printed: cells of the first step
    int alike;         // no slot is empty, no box is large
    int laid_out;      // as printed: the cells are those of the first step
    int warned;
    uint64_t count[CLASSES];
    double largest[CLASSES];
    uint32_t longest; // boxes of the longest row
    uint64_t room[5]; // of head, next, bucket, large, length
    uint32_t *head;   // per row: first slot
    uint32_t *length; // per row: number of boxes
    uint32_t *next;   // per slot: next slot of its row
    uint32_t *bucket; // per slot: bucket on the x axis; NONE: large or empty
    uint32_t *large;  // slots of large boxes
} hashing;

/* A box in the order in which its row was hashed. */
typedef struct row_box {
    double lo[3], hi[3]; // [m]
    uint32_t id, bucket;
    uint32_t unused[2];
} row_box;

/* A row of X buckets, owned by a lane. Its boxes are numbered from 1; number 0 ends a list and
 * overlaps nothing. */
typedef struct x_row {
    row_box *box;
    uint32_t *head, *next;
    uint32_t n, row; // row: NONE when empty
} x_row;

static inline int64_t cell_of(const hashing *g, double x, double origin)
{
    double c = (x - origin) * g->inv;
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

/* Chooses the side of a cell with the fewest expected tests for evenly spread boxes. A few boxes
 * that are far larger than all others have no influence. Returns the number of boxes that are too
 * large. */
static uint64_t choose_cell(hashing *g, uint64_t n, const double lo[3], const double hi[3])
{
    const double few = 2.0 + 0.5 * sqrt((double)n), buckets = g->axes == 3 ? 14.0 : 5.0;
    double least = HUGE_VAL;
    uint64_t beyond = 0, n_large = 0;
    uint32_t top = 0;
    g->limit = 0.0;
    for (uint32_t c = CLASSES; c-- > 0;) {
        const double binned = (double)(n - beyond), side = g->largest[c];
        double cells = 1.0;
        if (!g->count[c])
            continue;
        for (uint32_t k = 0; k < g->axes; k++)
            cells *= scree_max((hi[k] - lo[k]) / side, 1.0);
        if ((double)beyond <= few && c + 8 < top)
            least = HUGE_VAL;
        const double tests =
            CHEAP * (double)beyond * (double)n + binned * binned * scree_min(buckets / cells, 1.0);
        if (tests < least) {
            least = tests;
            g->limit = side;
            n_large = beyond;
        }
        top = c;
        beyond += g->count[c];
    }
    double inv = 1.0 / (g->limit * 1.01);
    g->inv = inv < 0x1p600 ? inv > 0x1p-1030 ? inv : 0x1p-1030 : 0x1p600;
    g->alike = n == g->boxes.n && n_large == 0;
    return n_large;
}

static void choose_torus(hashing *g, uint64_t n, const double lo[3], const double hi[3])
{
    double left[3] = {0, 0, 0};
    uint32_t bits = 2 * g->axes, target = bits;
    while (target < 28 && (1ull << target) < 2 * n)
        target++;
    for (uint32_t k = 0; k < 3; k++) {
        g->bits[k] = k < g->axes ? 2 : 0;
        if (k < g->axes && n)
            left[k] = (double)(cell_of(g, hi[k], 0.0) - cell_of(g, lo[k], 0.0) + 1) / 4;
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

/* As printed: is the box in no cell? */
static int is_outside(const hashing *g, const int64_t cell[3])
{
    int outside = 0;
    for (uint32_t k = 0; k < g->axes; k++)
        outside |= cell[k] < 0 || cell[k] >= g->cells[k];
    return outside;
}

/* `printed` is a constant in each of two copies, so that one costs nothing for the other. */
static inline void fill(hashing *g, const int printed)
{
    const double *const *at = printed ? g->boxes.centre : g->boxes.lo;
    const double x = printed ? g->origin[0] : 0.0, y = printed ? g->origin[1] : 0.0;
    const double z = printed ? g->origin[2] : 0.0;
    uint32_t n_outside = 0;
    memset(g->head, 0xff, g->rows * sizeof *g->head);
    memset(g->length, 0, g->rows * sizeof *g->length);
    g->n_large = g->longest = 0;
    for (uint32_t i = 0; i < g->boxes.n; i++) {
        const int empty = !g->alike && scree_box_empty(&g->boxes, i);
        if (empty || (!g->alike && side_of(g, i) > g->limit)) {
            g->bucket[i] = NONE;
            g->large[g->n_large] = i;
            g->n_large += !empty;
            continue;
        }
        const int64_t cell[3] = {cell_of(g, at[0][i], x), cell_of(g, at[1][i], y),
                                 g->axes == 3 ? cell_of(g, at[2][i], z) : 0};
        if (printed && is_outside(g, cell)) {
            g->bucket[i] = NONE;
            n_outside++;
            continue;
        }
        const uint32_t row = fold(g, 1, cell[1]) | fold(g, 2, cell[2]) << g->bits[1];
        g->bucket[i] = fold(g, 0, cell[0]);
        g->next[i] = g->head[row];
        g->head[row] = i;
        g->length[row]++;
        g->longest = g->longest > g->length[row] ? g->longest : g->length[row];
    }
    if (n_outside && !g->warned)
        scree_logf(g->host, SCREE_LOG_WARNING,
                   "as_printed: %u of %u boxes have left the domain of the first step; their pairs "
                   "are missed (there the thesis' method fails)",
                   n_outside, g->boxes.n);
    g->warned |= n_outside > 0;
}

static void fill_rows(hashing *g)
{
    if (g->config->as_printed)
        fill(g, 1);
    else
        fill(g, 0);
}

/* As printed: cells as wide as the largest box, over the domain of the first step that has boxes,
 * with empty ones behind the last. */
static void lay_out_printed(hashing *g)
{
    const scree_boxes *b = &g->boxes;
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double side = 0.0, most = HUGE_VAL;
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t k = 0; k < g->axes && !scree_box_empty(b, i); k++) {
            const double x = b->centre[k][i], below = x - b->lo[k][i], above = b->hi[k][i] - x;
            side = scree_max(side, 2.0 * scree_max(scree_max(below, above), b->radius[i]));
            lo[k] = scree_min(lo[k], x);
            hi[k] = scree_max(hi[k], x);
        }
    g->laid_out = lo[0] <= hi[0];
    side = side > 0x1p-1000 ? side < 0x1p1000 ? side : 0x1p1000 : 0x1p-1000;
    for (side *= 1.0 + 1e-6; most > b->n + SPARE_CELLS; side *= 2.0) {
        double rows = 1.0, columns = 1.0;
        g->inv = 1.0 / side;
        for (uint32_t k = 0; k < 3; k++) {
            const int used = k < g->axes && g->laid_out;
            const double range = used ? scree_min(hi[k] - lo[k], DBL_MAX) : 0.0;
            const double n = floor(range * g->inv) + 1.0;
            g->origin[k] = used ? lo[k] : 0.0;
            g->cells[k] = n < FAR ? (int64_t)n : (int64_t)FAR;
            rows *= k ? n : 1.0;
            columns = k ? columns : n;
        }
        most = scree_max(rows, columns);
    }
    for (uint32_t k = 0; k < 3; k++) {
        g->bits[k] = k < g->axes ? 2 : 0;
        while (k < g->axes && (int64_t)1 << g->bits[k] < g->cells[k] + 1)
            g->bits[k]++;
    }
    g->rows = 1u << (g->bits[1] + g->bits[2]);
    g->limit = HUGE_VAL;
    g->alike = 0;
}

/* Chooses cells by the current boxes; returns the number of boxes that are too large for them. */
static uint64_t choose_cells(hashing *g)
{
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    const uint64_t n = measure(g, lo, hi), n_large = choose_cell(g, n, lo, hi);
    choose_torus(g, n, lo, hi);
    return n_large;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    hashing *g = instance;
    uint64_t n_large = 0;
    (void)moved;
    (void)n_moved;
    scree_boxes_keep(&g->boxes, boxes);
    g->axes = boxes->dimension;
    g->n_large = 0;
    if (!g->config->as_printed)
        n_large = choose_cells(g);
    else if (!g->laid_out)
        lay_out_printed(g);
    if (!scree_grow(&g->head, &g->room[0], g->rows, sizeof *g->head) ||
        !scree_grow(&g->next, &g->room[1], boxes->n, sizeof *g->next) ||
        !scree_grow(&g->bucket, &g->room[2], boxes->n, sizeof *g->bucket) ||
        !scree_grow(&g->large, &g->room[3], n_large + 1, sizeof *g->large) ||
        !scree_grow(&g->length, &g->room[4], g->rows, sizeof *g->length)) {
        g->rows = 0;
        g->laid_out = 0;
        return g->host->fail(g->host->ctx, SCREE_E_MEMORY, "hashing: out of memory");
    }
    fill_rows(g);
    *n_pivots = (uint64_t)g->rows + g->n_large;
    return SCREE_OK;
}

/* ---- find_neighbors ---- */

static void clear_row(const hashing *g, x_row *x)
{
    if (g->config->clear == CLEAR_FULL) {
        memset(x->head, 0, sizeof *x->head << g->bits[0]);
        memset(x->next, 0, ((uint64_t)g->boxes.n + 1) * sizeof *x->next);
    } else {
        for (uint32_t m = 1; m <= x->n; m++)
            x->head[x->box[m].bucket] = 0;
    }
    x->n = 0;
    x->row = NONE;
}

/* As printed, all that shares a bucket is a candidate: its copy is so large that it overlaps any
 * other. */
static void hash_row(const hashing *g, x_row *x, uint32_t row)
{
    const int printed = g->config->as_printed;
    if (x->row == row)
        return;
    clear_row(g, x);
    for (uint32_t i = g->head[row]; i != NONE; i = g->next[i]) {
        const uint32_t m = ++x->n, bucket = g->bucket[i];
        row_box *box = &x->box[m];
        for (uint32_t k = 0; k < 2; k++) {
            box->lo[k] = printed ? -DBL_MAX : g->boxes.lo[k][i];
            box->hi[k] = printed ? DBL_MAX : g->boxes.hi[k][i];
        }
        box->lo[2] = g->axes == 3 && !printed ? g->boxes.lo[2][i] : 0.0;
        box->hi[2] = g->axes == 3 && !printed ? g->boxes.hi[2][i] : 0.0;
        box->id = i;
        box->bucket = bucket;
        x->next[m] = x->head[bucket];
        x->head[bucket] = m;
    }
    x->row = row;
}

static inline int boxes_overlap(const row_box *a, const row_box *b)
{
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) &
           (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

static int32_t match_list(scree_pairs *o, const row_box *a, const x_row *x, uint32_t m)
{
    int32_t status = SCREE_OK;
    for (; m && status == SCREE_OK; m = x->next[m]) {
        status = scree_pairs_room(o, 1);
        if (status != SCREE_OK)
            break;
        o->out[o->used] = (scree_pair){a->id, x->box[m].id};
        o->used += (uint64_t)boxes_overlap(a, &x->box[m]);
    }
    return status;
}

/* Tests a box against lists of a row. Most lists hold one box or none. The first box is tested even
 * if the list is empty, so that no branch depends on it. */
static inline int32_t match(scree_pairs *o, const row_box *a, const x_row *x, const uint32_t *lists,
                            uint32_t n)
{
    uint32_t rest[3], n_rest = 0;
    int32_t status = scree_pairs_room(o, n);
    if (status != SCREE_OK)
        return status;
    scree_pair *out = o->out;
    uint64_t used = o->used;
    for (uint32_t d = 0; d < n; d++) {
        const row_box *b = &x->box[lists[d]];
        out[used] = (scree_pair){a->id, b->id};
        used += (uint64_t)boxes_overlap(a, b);
        rest[n_rest] = x->next[lists[d]];
        n_rest += rest[n_rest] != 0;
    }
    o->used = used;
    for (uint32_t d = 0; d < n_rest && status == SCREE_OK; d++)
        status = match_list(o, a, x, rest[d]);
    return status;
}

/* Tests row x1 against the three adjacent buckets of row x2. */
static int32_t match_rows(const hashing *g, scree_pairs *o, const x_row *x1, const x_row *x2)
{
    int32_t status = SCREE_OK;
    for (uint32_t m = 1; m <= x1->n && status == SCREE_OK; m++) {
        const int64_t at = x1->box[m].bucket;
        const uint32_t lists[3] = {x2->head[fold(g, 0, at - 1)], x2->head[at],
                                   x2->head[fold(g, 0, at + 1)]};
        status = match(o, &x1->box[m], x2, lists, 3);
    }
    return status;
}

static int32_t match_own(const hashing *g, scree_pairs *o, const x_row *x1)
{
    int32_t status = SCREE_OK;
    for (uint32_t m = 1; m <= x1->n && status == SCREE_OK; m++) {
        const int64_t at = x1->box[m].bucket;
        const uint32_t lists[2] = {x1->next[m], x1->head[fold(g, 0, at - 1)]};
        status = match(o, &x1->box[m], x1, lists, 2);
    }
    return status;
}

/* Tests a row against itself and its lower neighbours. The row before comes first: when rows are
 * searched in order, the previous call has left it in x[1]. */
static int32_t search_row(const hashing *g, scree_pairs *o, x_row x[2], uint32_t row)
{
    static const int32_t shift[4][2] = {{-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const int64_t y = row & ((1u << g->bits[1]) - 1), z = row >> g->bits[1];
    int32_t status = SCREE_OK;
    if (g->head[row] == NONE)
        return SCREE_OK;
    hash_row(g, &x[0], row);
    status = match_own(g, o, &x[0]);
    for (uint32_t k = 0; k < (g->axes == 3 ? 4u : 1u) && status == SCREE_OK; k++) {
        uint32_t other = fold(g, 1, y + shift[k][0]) | fold(g, 2, z + shift[k][1]) << g->bits[1];
        if (g->head[other] == NONE)
            continue;
        hash_row(g, &x[1], other);
        status = match_rows(g, o, &x[0], &x[1]);
    }
    const x_row swap = x[0];
    x[0] = x[1];
    x[1] = swap;
    return status;
}

/* Tests a large box against all boxes in buckets and large boxes of a higher number. */
static int32_t search_large(const hashing *g, scree_pairs *o, uint32_t i)
{
    const scree_boxes *b = &g->boxes;
    for (uint64_t first = 0; first < b->n; first += BLOCK) {
        const uint32_t from = (uint32_t)first, n = b->n - from < BLOCK ? b->n - from : BLOCK;
        uint64_t hit[BLOCK];
        if (!scree_test_slots(b, from, n, i, hit))
            continue;
        const int32_t status = scree_pairs_room(o, n);
        if (status != SCREE_OK)
            return status;
        for (uint32_t j = from; j < from + n; j++) {
            const int mine = (g->bucket[j] != NONE) | (j > i);
            o->out[o->used] = (scree_pair){i, j};
            o->used += hit[j - from] & (uint64_t)mine;
        }
    }
    return SCREE_OK;
}

/* Makes two rows without boxes in the lane's scratch; 0: no memory. */
static int open_rows(const hashing *g, uint32_t lane, x_row x[2])
{
    const uint64_t dim = 1ull << g->bits[0], boxes = (uint64_t)g->longest + 1;
    const uint64_t next = g->config->clear == CLEAR_FULL ? (uint64_t)g->boxes.n + 1 : boxes;
    const uint64_t words = dim + next;
    row_box *box =
        g->host->scratch(g->host->ctx, lane, 2 * (boxes * sizeof *box + words * sizeof(uint32_t)));
    if (!box)
        return 0;
    uint32_t *memory = (uint32_t *)(void *)(box + 2 * boxes);
    memset(memory, 0, 2 * words * sizeof *memory);
    for (uint32_t r = 0; r < 2; r++) {
        x[r] = (x_row){box + r * boxes, memory + r * words, memory + r * words + dim, 0, NONE};
        x[r].box[0] = (row_box){
            {HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0, 0, {0, 0}};
    }
    return 1;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const hashing *g = instance;
    scree_pairs o = {sink, NULL, 0, 0};
    int32_t status = SCREE_OK;
    if (first < last && first < g->rows) {
        x_row x[2];
        if (!open_rows(g, sink->lane, x))
            return g->host->fail(g->host->ctx, SCREE_E_MEMORY, "hashing: out of memory");
        for (; first < last && first < g->rows && status == SCREE_OK; first++)
            status = search_row(g, &o, x, (uint32_t)first);
    }
    for (; first < last && status == SCREE_OK; first++)
        status = search_large(g, &o, g->large[first - g->rows]);
    return scree_pairs_finish(&o, status);
}

/* ---- find_objects ---- */

/* Searches the rows under the zone, widened by one; each row of the torus once. */
static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const hashing *g = instance;
    int64_t at[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    uint32_t ids[NEAR], n_ids = 0;
    int32_t status = SCREE_OK;
    if (g->config->as_printed) // boxes outside of the domain are in no row
        return scree_objects_of_all(&g->boxes, zone, sink);
    for (uint32_t k = 1; k < g->axes; k++) {
        at[k] = cell_of(g, zone->lo[k], 0.0) - 1;
        n[k] = cell_of(g, zone->hi[k], 0.0) - at[k] + 1;
        n[k] = n[k] < (int64_t)1 << g->bits[k] ? n[k] : (int64_t)1 << g->bits[k];
    }
    for (int64_t z = 0; z < n[2] && g->rows; z++)
        for (int64_t y = 0; y < n[1]; y++) {
            uint32_t row = fold(g, 1, at[1] + y) | fold(g, 2, at[2] + z) << g->bits[1];
            for (uint32_t i = g->head[row]; i != NONE && status == SCREE_OK; i = g->next[i]) {
                ids[n_ids++] = i;
                if (n_ids == NEAR) {
                    status = scree_objects_of(&g->boxes, zone, ids, n_ids, sink);
                    n_ids = 0;
                }
            }
        }
    if (status == SCREE_OK)
        status = scree_objects_of(&g->boxes, zone, ids, n_ids, sink);
    if (status != SCREE_OK)
        return status;
    return scree_objects_of(&g->boxes, zone, g->large, g->n_large, sink);
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
    free(g->length);
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
    scree_boxes_keep(&g->boxes, boxes);
    g->rows = g->n_large = 0;
    g->laid_out = 0;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const hashing *g = instance;
    return sizeof *g +
           (g->room[0] + g->room[1] + g->room[2] + g->room[3] + g->room[4]) * sizeof *g->head;
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
SCREE_CHOICE_PARAM(settings, clear, SCREE_PARAM_LIVE, "touched",
                   "what is cleared between two rows: touched, or full", &choice_touched,
                   &choice_full);
SCREE_BOOL_PARAM(settings, as_printed, 0, 0,
                 "as the thesis prints it: cells of the largest box over the domain of the first "
                 "step, candidates not tested. Misses pairs of boxes that leave that domain");
static const scree_param *const params[] = {&param_clear, &param_as_printed};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
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
