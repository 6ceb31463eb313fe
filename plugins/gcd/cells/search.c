/* SPDX-License-Identifier: Apache-2.0 */
/* Searches in cells: within a level, for larger boxes in a level, and for oversized boxes (steps 5
 * and 6 of the essay in grid.c). */
#include <scree/gcd_sdk.h>

#include "cells.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* ---- where pairs go ---- */

typedef struct output {
    const cells *grid;
    scree_pairs to;
} output;

/* Makes room for n pairs and for those written beyond them. */
static inline int32_t make_room(output *o, uint64_t n)
{
    return scree_pairs_room(&o->to, n + PAD);
}

/* ---- runs of entries ---- */

typedef struct run {
    uint32_t at[2]; // first entry, and one behind the last
} run;

/* A box as entries are compared with it: in the fields of `sign`, and by its ball. `scan` and
 * `scan_two` append (box, ids[j]) for the entries j that it touches; up to PAD pairs beyond the
 * result are written. */
#ifdef __AVX2__
typedef struct probe {
    __m256i hi, minus_lo, sign, ball, box;
} probe;

static inline probe probe_of(uint64_t lo, uint64_t hi, uint64_t sign, uint64_t ball, uint32_t box)
{
    return (probe){_mm256_set1_epi64x((long long)hi), _mm256_set1_epi64x(-(long long)lo),
                   _mm256_set1_epi64x((long long)sign), _mm256_set1_epi64x((long long)ball),
                   _mm256_set1_epi32((int)box)};
}

static inline __m256i load(const void *from)
{
    return _mm256_loadu_si256(from);
}

/* Mask of the touched entries among the four from j on. Balls touch where x^2 + y^2 + z^2 - (sum of
 * radii)^2 < 0. */
static inline __attribute__((always_inline)) uint32_t touched(const cells *g, const probe *q,
                                                              int balls, uint32_t j)
{
    const __m256i d = _mm256_or_si256(_mm256_sub_epi64(q->hi, load(g->lo + j)),
                                      _mm256_add_epi64(q->minus_lo, load(g->hi + j)));
    __m256i hit = _mm256_cmpeq_epi64(_mm256_and_si256(d, q->sign), _mm256_setzero_si256());
    if (balls) {
        const __m256i signs = _mm256_set1_epi64x((long long)0xffff000100010001);
        const __m256i c = _mm256_sub_epi16(q->ball, load(g->balls + j));
        const __m256i sum = _mm256_madd_epi16(c, _mm256_sign_epi16(c, signs));
        hit = _mm256_and_si256(hit, _mm256_add_epi32(sum, _mm256_shuffle_epi32(sum, 0xb1)));
    }
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(hit));
}

/* The pairs of the bits of a mask, whose eight lanes have these ids. */
static inline uint64_t append(const cells *g, const probe *q, uint32_t mask, __m256i names,
                              scree_pair *out)
{
    const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)g->order[mask]));
    names = _mm256_permutevar8x32_epi32(names, order);
    _mm256_storeu_si256((__m256i *)out, _mm256_unpacklo_epi32(q->box, names));
    _mm256_storeu_si256((__m256i *)(out + 4), _mm256_unpackhi_epi32(q->box, names));
    return (uint64_t)__builtin_popcount(mask);
}

/* Tests at most eight entries. */
static inline __attribute__((always_inline)) uint64_t
scan(const cells *g, const probe *q, int balls, uint32_t first, uint32_t n, scree_pair *out)
{
    const uint32_t mask = touched(g, q, balls, first) | touched(g, q, balls, first + 4) << 4;
    return append(g, q, mask & ((1u << n) - 1), load(g->ids + first), out);
}

/* Tests two runs of at most four entries. */
static inline __attribute__((always_inline)) uint64_t
scan_two(const cells *g, const probe *q, int balls, run a, run b, scree_pair *out)
{
    const uint32_t in_a = touched(g, q, balls, a.at[0]) & ((1u << (a.at[1] - a.at[0])) - 1);
    const uint32_t in_b = touched(g, q, balls, b.at[0]) & ((1u << (b.at[1] - b.at[0])) - 1);
    const __m128i of_a = _mm_loadu_si128((const void *)(g->ids + a.at[0]));
    const __m128i of_b = _mm_loadu_si128((const void *)(g->ids + b.at[0]));
    return append(g, q, in_a | in_b << 4,
                  _mm256_inserti128_si256(_mm256_castsi128_si256(of_a), of_b, 1), out);
}

/* Lanes are stored in the order 0 1 4 5, then 2 3 6 7. */
void scree_cells_order(uint8_t order[256][PAD])
{
    static const uint8_t lane[PAD] = {0, 1, 4, 5, 2, 3, 6, 7};
    for (uint32_t mask = 0; mask < 256; mask++) {
        uint32_t n = 0;
        memset(order[mask], 0, PAD);
        for (uint8_t entry = 0; entry < PAD; entry++)
            if (mask >> entry & 1)
                order[mask][lane[n++]] = entry;
    }
}
#else
typedef struct probe {
    uint64_t lo, hi, sign, ball;
    uint32_t box;
} probe;

static inline probe probe_of(uint64_t lo, uint64_t hi, uint64_t sign, uint64_t ball, uint32_t box)
{
    return (probe){lo, hi, sign, ball, box};
}

static inline int balls_touch(uint64_t a, uint64_t b)
{
    int64_t d[4];
    for (uint32_t k = 0; k < 4; k++)
        d[k] = (int16_t)((a >> 16 * k) - (b >> 16 * k));
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - d[3] * d[3] < 0;
}

static inline uint64_t scan(const cells *g, const probe *q, int balls, uint32_t first, uint32_t n,
                            scree_pair *out)
{
    uint64_t found = 0, kept = 0;
    for (uint32_t j = first; j < first + n; j++) {
        out[found].b = j;
        found += (((q->hi - g->lo[j]) | (g->hi[j] - q->lo)) & q->sign) == 0;
    }
    for (uint64_t h = 0; h < found; h++) {
        const uint32_t j = out[h].b;
        out[kept] = (scree_pair){q->box, g->ids[j]};
        kept += !balls || balls_touch(q->ball, g->balls[j]);
    }
    return kept;
}

static inline uint64_t scan_two(const cells *g, const probe *q, int balls, run a, run b,
                                scree_pair *out)
{
    uint64_t n = scan(g, q, balls, a.at[0], a.at[1] - a.at[0], out);
    return n + scan(g, q, balls, b.at[0], b.at[1] - b.at[0], out + n);
}

void scree_cells_order(uint8_t order[256][PAD])
{
    memset(order, 0, 256 * PAD);
}
#endif

/* Keeps exactly the pairs of boxes of different levels whose spheres touch. */
static uint64_t keep_far_spheres(const cells *g, scree_pair *pairs, uint64_t n)
{
    const scree_boxes *b = &g->boxes;
    uint64_t kept = 0;
    for (uint64_t h = 0; h < n; h++) {
        const uint32_t i = pairs[h].a, j = pairs[h].b;
        double dx = b->centre[0][i] - b->centre[0][j], dy = b->centre[1][i] - b->centre[1][j];
        double dz = b->centre[2][i] - b->centre[2][j], reach = b->radius[i] + b->radius[j];
        pairs[kept] = (scree_pair){i, j};
        kept += dx * dx + dy * dy + dz * dz <= reach * reach * (1.0 + 1e-12);
    }
    return kept;
}

/* ---- within a level ---- */

/* Entry p of a level. Its fourth field has the opposite sign, because its radius is added to
 * others'. */
static inline probe probe_at(const cells *g, uint32_t p, int balls)
{
    uint64_t ball = balls ? g->balls[p] : 0;
    ball = (ball & 0xffffffffffff) | (0 - (ball >> 48)) << 48;
    return probe_of(g->lo[p], g->hi[p], SIGN, ball, g->ids[p]);
}

/* Searches a run of any length. */
static int32_t scan_long(output *o, const probe *q, int balls, run r)
{
    int32_t status = SCREE_OK;
    for (uint32_t j = r.at[0]; j < r.at[1] && status == SCREE_OK; j += PAD) {
        status = make_room(o, 0);
        if (status == SCREE_OK)
            o->to.used += scan(o->grid, q, balls, j, r.at[1] - j < PAD ? r.at[1] - j : PAD,
                               o->to.out + o->to.used);
    }
    return status;
}

static inline __attribute__((always_inline)) int32_t search_run(output *o, const probe *q,
                                                                int balls, run r)
{
    if (r.at[1] - r.at[0] > PAD)
        return scan_long(o, q, balls, r);
    int32_t status = make_room(o, 0);
    if (status == SCREE_OK)
        o->to.used += scan(o->grid, q, balls, r.at[0], r.at[1] - r.at[0], o->to.out + o->to.used);
    return status;
}

/* Searches two runs, which are rarely longer than four. */
static inline __attribute__((always_inline)) int32_t search_two(output *o, const probe *q,
                                                                int balls, run a, run b)
{
    if (a.at[1] - a.at[0] > 4 || b.at[1] - b.at[0] > 4) {
        int32_t status = search_run(o, q, balls, a);
        return status == SCREE_OK ? search_run(o, q, balls, b) : status;
    }
    int32_t status = make_room(o, 0);
    if (status == SCREE_OK)
        o->to.used += scan_two(o->grid, q, balls, a, b, o->to.out + o->to.used);
    return status;
}

/* Searches the later half of the neighbouring cells, in a grid whose borders are empty: all entries
 * take the same steps. */
static inline __attribute__((always_inline)) int32_t
search_plane(output *o, const level *v, int balls, uint32_t begin, uint32_t end)
{
    const cells *g = o->grid;
    const uint32_t row = v->dim[0], *start = starts(g);
    int32_t status = SCREE_OK;
    for (uint32_t p = begin; p < end && status == SCREE_OK; p++) {
        const uint32_t *s = start + g->cell[p];
        const probe q = probe_at(g, p, balls);
        status = search_two(o, &q, balls, (run){{p + 1, s[2]}}, (run){{s[row - 1], s[row + 2]}});
    }
    return status;
}

static inline __attribute__((always_inline)) int32_t
search_space(output *o, const level *v, int balls, uint32_t begin, uint32_t end)
{
    const cells *g = o->grid;
    const uint32_t row = v->dim[0], plane = row * v->dim[1], *start = starts(g);
    int32_t status = SCREE_OK;
    for (uint32_t p = begin; p < end && status == SCREE_OK; p++) {
        const uint32_t *s = start + g->cell[p], *up = s + plane, *back = up - row;
        const probe q = probe_at(g, p, balls);
        status = search_two(o, &q, balls, (run){{p + 1, s[2]}}, (run){{s[row - 1], s[row + 2]}});
        if (status == SCREE_OK)
            status =
                search_two(o, &q, balls, (run){{*(back - 1), back[2]}}, (run){{*(up - 1), up[2]}});
        if (status == SCREE_OK)
            status = search_run(o, &q, balls, (run){{up[row - 1], up[row + 2]}});
    }
    return status;
}

static int32_t search_near(output *o, const level *v, uint32_t begin, uint32_t end)
{
    if (o->grid->axes == 2)
        return v->balls ? search_plane(o, v, 1, begin, end) : search_plane(o, v, 0, begin, end);
    return v->balls ? search_space(o, v, 1, begin, end) : search_space(o, v, 0, begin, end);
}

/* Adds cells from x + a to x + b of a row of a torus; both are less than a turn away. */
static void add_row(const cells *g, const level *v, uint32_t row, int32_t x, int32_t a, int32_t b,
                    run *runs, uint32_t *n)
{
    const int32_t m = (int32_t)v->dim[0];
    const uint32_t *start = starts(g) + v->base + (uint64_t)row * v->dim[0];
    int32_t first = x + a, last = x + b;
    if (first < 0) {
        runs[(*n)++] = (run){{start[first + m], start[m]}};
        first = 0;
    }
    if (last >= m) {
        runs[(*n)++] = (run){{start[0], start[last - m + 1]}};
        last = m - 1;
    }
    runs[(*n)++] = (run){{start[first], start[last + 1]}};
}

/* Searches the later half of the window of cells from lo to hi around an entry's cell, in any
 * grid. */
static int32_t search_window(output *o, const level *v, uint32_t p, const int32_t lo[3],
                             const int32_t hi[3])
{
    const cells *g = o->grid;
    const uint32_t own = g->cell[p], in_level = own - v->base;
    const int32_t my = (int32_t)v->dim[1], mz = (int32_t)v->dim[2];
    const int32_t at[3] = {(int32_t)(in_level % v->dim[0]),
                           (int32_t)(in_level / v->dim[0] % v->dim[1]),
                           (int32_t)(in_level / v->dim[0] / v->dim[1])};
    run runs[2 + 2 * 7 * 4];
    uint32_t n = 1;
    runs[0] = (run){{p + 1, starts(g)[own + 1]}};
    if (hi[0] > 0)
        add_row(g, v, (uint32_t)(at[2] * my + at[1]), at[0], 1, hi[0], runs, &n);
    for (int32_t dz = 0; dz <= hi[2]; dz++) {
        int32_t z = at[2] + dz < mz ? at[2] + dz : at[2] + dz - mz;
        for (int32_t dy = dz ? lo[1] : 1; dy <= hi[1]; dy++) {
            int32_t y = at[1] + dy;
            y += y < 0 ? my : y >= my ? -my : 0;
            add_row(g, v, (uint32_t)(z * my + y), at[0], lo[0], hi[0], runs, &n);
        }
    }
    const probe q = probe_at(g, p, (int)v->balls);
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < n && status == SCREE_OK; k++)
        status = scan_long(o, &q, (int)v->balls, runs[k]);
    return status;
}

static int32_t search_any(output *o, const level *v, uint32_t begin, uint32_t end)
{
    const cells *g = o->grid;
    const int32_t deep = g->axes == 3;
    int32_t lo[3] = {-1, -1, -deep}, hi[3] = {1, 1, deep}, status = SCREE_OK;
    for (uint32_t p = begin; p < end && status == SCREE_OK; p++) {
        const span s = {g->lo[p], g->hi[p]};
        if (g->window)
            for (uint32_t k = 0; k < g->axes; k++) {
                int32_t in_cell = (int32_t)(s.lo >> (21 * k)) & (UNIT - 1);
                lo[k] = (in_cell - (int32_t)v->units) >> BITS;
                hi[k] = (in_cell + field(s.hi - s.lo, k)) >> BITS;
            }
        status = search_window(o, v, p, lo, hi);
    }
    return status;
}

/* ---- larger boxes in a level ---- */

/* Finds the cells of a level whose boxes may overlap [lo, hi], each cell once: the first one and
 * the number along each axis. `a` is the number of the first cell before folding. Returns the
 * number of cells. */
static uint64_t cells_under(const cells *g, const level *v, const double lo[3], const double hi[3],
                            int64_t a[3], uint32_t n[3])
{
    uint64_t all = 1;
    for (uint32_t k = 0; k < 3; k++) {
        const int64_t dim = (int64_t)v->dim[k];
        a[k] = 0;
        n[k] = 1;
        if (k >= g->axes)
            continue;
        int64_t z = (to_units(hi[k], g->origin[k], v->scale) >> BITS) - v->first[k];
        a[k] = ((to_units(lo[k], g->origin[k], v->scale) - v->units) >> BITS) - v->first[k];
        if (!v->folded) {
            a[k] = a[k] > 0 ? a[k] : 0;
            z = z < dim - 1 ? z : dim - 1;
        }
        if (a[k] > z)
            return 0;
        n[k] = (uint32_t)(z - a[k] < dim ? z - a[k] + 1 : dim);
        all *= n[k];
    }
    return all;
}

/* The runs of row number `row`, from 0, in such a block. */
static uint32_t row_of(const cells *g, const level *v, const int64_t a[3], const uint32_t n[3],
                       uint64_t row, run runs[3])
{
    uint32_t at[3] = {0, 0, 0}, count = 0;
    const uint64_t step[3] = {0, row % n[1], row / n[1]};
    for (uint32_t k = 0; k < 3; k++) {
        const int64_t cell = a[k] + (int64_t)step[k],
                      turn = v->folded ? cell % (int64_t)v->dim[k] : cell;
        at[k] = (uint32_t)(turn < 0 ? turn + v->dim[k] : turn);
    }
    add_row(g, v, at[2] * v->dim[1] + at[1], (int32_t)at[0], 0, (int32_t)n[0] - 1, runs, &count);
    return count;
}

static int boxes_meet(const cells *g, uint32_t i, uint32_t j)
{
    scree_pair pair = {i, j};
    return scree_boxes_overlap(&g->boxes, i, j) && (!g->spheres || keep_far_spheres(g, &pair, 1));
}

/* Tests box i exactly against the boxes in ids[first .. last). */
static int32_t test_exact(output *o, uint32_t i, const uint32_t *ids, uint32_t first, uint32_t last)
{
    while (first < last) {
        uint32_t end = last - first < PIECE ? last : first + PIECE;
        int32_t status = make_room(o, end - first);
        if (status != SCREE_OK)
            return status;
        for (; first < end; first++) {
            o->to.out[o->to.used] = (scree_pair){i, ids[first]};
            o->to.used += (uint64_t)boxes_meet(o->grid, i, ids[first]);
        }
    }
    return SCREE_OK;
}

/* Tests a box, in the fields of `sign`, against entries of a finer level. */
static int32_t scan_run(output *o, uint32_t i, span own, uint64_t sign, uint32_t first,
                        uint32_t last)
{
    const cells *g = o->grid;
    const probe q = probe_of(own.lo, own.hi, sign, 0, i);
    while (first < last) {
        const uint32_t end = last - first < PIECE ? last : first + PIECE;
        int32_t status = make_room(o, end - first);
        if (status != SCREE_OK)
            return status;
        scree_pair *hits = o->to.out + o->to.used;
        uint64_t n = 0;
        for (; first < end; first += PAD)
            n += scan(g, &q, 0, first, end - first < PAD ? end - first : PAD, hits + n);
        o->to.used += g->spheres ? keep_far_spheres(g, hits, n) : n;
        first = end;
    }
    return SCREE_OK;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Packs a corner as those of boxes, counted from the first cell of a level. */
static uint64_t pack_from(const level *v, int64_t x, int64_t y, int64_t z)
{
    return pack(x + v->first[0] * UNIT, y + v->first[1] * UNIT, z + v->first[2] * UNIT);
}

typedef struct query {
    int64_t lo[3], hi[3]; // [units] from the first cell of the level
    int64_t a[3];         // [cells] first
    uint32_t n[3];
} query;

/* One row of the cells under a box: the two cells where boxes may end before it, those between,
 * whose boxes it covers along x, and the one in which it ends. It is cut off where the row's boxes
 * do not show it, so that no field reaches further than it can. */
static int32_t scan_row(output *o, const level *v, uint32_t i, const query *q, int64_t y, int64_t z)
{
    const cells *g = o->grid;
    const uint32_t *s = starts(g) + v->base + ((uint64_t)z * v->dim[1] + (uint64_t)y) * v->dim[0];
    const int64_t a = q->a[0], end = a + q->n[0];
    const int64_t lower = end - a <= 3 ? end : a + 2, upper = end - 1 > lower ? end - 1 : lower;
    const int64_t lx = larger(q->lo[0], a * UNIT), hx = smaller(q->hi[0], end * UNIT);
    const int64_t ly = larger(q->lo[1], y * UNIT), hy = smaller(q->hi[1], (y + 1) * UNIT);
    const int64_t lz = larger(q->lo[2], z * UNIT), hz = smaller(q->hi[2], (z + 1) * UNIT);
    const int64_t at = smaller(hx, lower * UNIT);
    const span left = {pack_from(v, lx, ly, lz), pack_from(v, at, hy, hz) | GUARD};
    const span right = {pack_from(v, upper * UNIT, ly, lz), pack_from(v, hx, hy, hz) | GUARD};
    int32_t status = scan_run(o, i, left, SIGN, s[a], s[lower]);
    if (status == SCREE_OK && lower < upper)
        status = scan_run(o, i, left, SIGN & ~FIELD, s[lower], s[upper]);
    return status == SCREE_OK ? scan_run(o, i, right, SIGN, s[upper], s[end]) : status;
}

/* Searches box i in a level whose cells are as long as its boxes and not a torus. */
static int32_t search_rows(output *o, const level *v, uint32_t i)
{
    const cells *g = o->grid;
    query q = {.n = {1, 1, 1}};
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < g->axes; k++) {
        const int64_t from = v->first[k] * UNIT, last = (int64_t)v->dim[k] - 1;
        q.lo[k] = to_units(g->boxes.lo[k][i], g->origin[k], v->scale) - from;
        q.hi[k] = to_units(g->boxes.hi[k][i], g->origin[k], v->scale) - from;
        const int64_t z = smaller(q.hi[k] >> BITS, last);
        q.a[k] = larger((q.lo[k] - v->units) >> BITS, 0);
        if (q.a[k] > z)
            return SCREE_OK;
        q.n[k] = (uint32_t)(z - q.a[k] + 1);
    }
    for (uint32_t z = 0; z < q.n[2]; z++)
        for (uint32_t y = 0; y < q.n[1] && status == SCREE_OK; y++)
            status = scan_row(o, v, i, &q, q.a[1] + y, q.a[2] + z);
    return status;
}

/* Pairs box i with all boxes of a level that are shorter. */
static int32_t search_level(output *o, const level *v, uint32_t i)
{
    const cells *g = o->grid;
    const scree_boxes *b = &g->boxes;
    const double lo[3] = {b->lo[0][i], b->lo[1][i], b->lo[2][i]};
    const double hi[3] = {b->hi[0][i], b->hi[1][i], b->hi[2][i]};
    int64_t a[3];
    uint32_t n[3];
    run runs[3];
    int32_t status = SCREE_OK;
    if (!v->folded && !g->window)
        return search_rows(o, v, i);
    const uint64_t under = cells_under(g, v, lo, hi, a, n);
    if (under > 4 * (uint64_t)(v->end - v->begin) + 64)
        return test_exact(o, i, g->ids, v->begin, v->end);
    if (under)
        for (uint64_t row = 0; row < (uint64_t)n[1] * n[2]; row++) {
            const uint32_t n_runs = row_of(g, v, a, n, row, runs);
            for (uint32_t k = 0; k < n_runs && status == SCREE_OK; k++)
                status = test_exact(o, i, g->ids, runs[k].at[0], runs[k].at[1]);
        }
    return status;
}

/* ---- oversized boxes ---- */

/* The list is sorted by lower end: finds the first box that begins beyond the end of number l. */
static uint32_t sweep_end(const cells *g, uint32_t l)
{
    const double end = g->boxes.hi[0][g->large[l]];
    uint32_t in = l, out = g->n_large;
    while (out - in > 1) {
        uint32_t mid = in + (out - in) / 2;
        if (g->boxes.lo[0][g->large[mid]] <= end)
            in = mid;
        else
            out = mid;
    }
    return out;
}

static int32_t search_large(output *o, uint32_t l)
{
    const cells *g = o->grid;
    const uint32_t i = g->large[l], end = sweep_end(g, l);
    const span own = g->large_spans[l];
    int32_t status = make_room(o, end - l);
    if (status == SCREE_OK)
        for (uint32_t j = l + 1; j < end; j++) {
            const span other = g->large_spans[j];
            if ((((own.hi - other.lo) | (other.hi - own.lo)) & SIGN) ||
                !boxes_meet(g, i, g->large[j]))
                continue;
            o->to.out[o->to.used++] = (scree_pair){i, g->large[j]};
        }
    for (uint32_t k = 0; k < g->n_levels && status == SCREE_OK; k++)
        status = search_level(o, &g->level[k], i);
    return status;
}

/* ---- all of them ---- */

static int32_t search_sorted(output *o, uint32_t begin, uint32_t end)
{
    const cells *g = o->grid;
    int32_t status = SCREE_OK;
    for (uint32_t l = 0; l < g->n_levels && status == SCREE_OK; l++) {
        const level *v = &g->level[l];
        const uint32_t from = begin > v->begin ? begin : v->begin, to = end < v->end ? end : v->end;
        if (from >= to)
            continue;
        status = (v->folded || g->window ? search_any : search_near)(o, v, from, to);
        if (l > 0)
            for (uint32_t p = from; p < to; p++)
                for (uint32_t k = 0; k < l && status == SCREE_OK; k++)
                    status = search_level(o, &g->level[k], g->ids[p]);
    }
    return status;
}

int32_t scree_cells_find_neighbors(void *instance, uint64_t first, uint64_t last,
                                   scree_pair_sink *sink)
{
    const cells *g = instance;
    const uint64_t chunks = pivots_of(g->n_sorted);
    output o = {.grid = g, .to.sink = sink};
    int32_t status = SCREE_OK;
    if (first < last && first < chunks) {
        uint64_t end = (last < chunks ? last : chunks) * CHUNK;
        status = search_sorted(&o, (uint32_t)(first * CHUNK),
                               (uint32_t)(end < g->n_sorted ? end : g->n_sorted));
    }
    for (uint64_t k = first > chunks ? first : chunks; k < last && status == SCREE_OK; k++)
        status = search_large(&o, (uint32_t)(k - chunks));
    return scree_pairs_finish(&o.to, status);
}

/* ---- find_objects ---- */

/* Slots that are tested and handed on. */
typedef struct objects {
    const cells *grid;
    const scree_zone *zone;
    scree_index_sink *sink;
    uint32_t n, slot[SCREE_OBJECTS_ROOM];
} objects;

static int32_t give(objects *o)
{
    const uint32_t n = o->n;
    o->n = 0;
    return n ? scree_objects_of(&o->grid->boxes, o->zone, o->slot, n, o->sink) : SCREE_OK;
}

/* Takes the slots of a run, except those that its words show to be apart. */
static int32_t take_run(objects *o, const probe *q, run r)
{
    int32_t status = SCREE_OK;
    for (uint32_t j = r.at[0]; j < r.at[1] && status == SCREE_OK; j += PAD) {
        scree_pair hits[2 * PAD];
        if (o->n + PAD > SCREE_OBJECTS_ROOM)
            status = give(o);
        const uint64_t n = scan(o->grid, q, 0, j, r.at[1] - j < PAD ? r.at[1] - j : PAD, hits);
        for (uint64_t h = 0; h < n; h++)
            o->slot[o->n++] = hits[h].b;
    }
    return status;
}

/* A zone, as it is compared with boxes of a level: only on axes on which no box that overlaps it
 * is longer than half a turn of a field. */
static probe probe_region(const cells *g, const level *v, const double lo[3], const double hi[3])
{
    int64_t a[3] = {0, 0, 0}, z[3] = {0, 0, 0};
    uint64_t sign = 0;
    for (uint32_t k = 0; k < g->axes; k++) {
        a[k] = to_units(lo[k], g->origin[k], v->scale);
        z[k] = to_units(hi[k], g->origin[k], v->scale);
        if (z[k] - a[k] + v->units < 3 * (int64_t)UNIT)
            sign |= 1ull << (19 + 21 * k);
    }
    return probe_of(pack(a[0], a[1], a[2]), pack(z[0], z[1], z[2]) | GUARD, sign, 0, 0);
}

static inline void fetch_run(const cells *g, run r)
{
    __builtin_prefetch(g->lo + r.at[0]);
    __builtin_prefetch(g->hi + r.at[0]);
    __builtin_prefetch(g->ids + r.at[0]);
}

/* Finds the runs of some rows before it searches the first: meanwhile their memory arrives. */
static int32_t look_in_level(objects *o, const level *v, const double lo[3], const double hi[3])
{
    enum { SOME = 16 };
    const cells *g = o->grid;
    int64_t a[3];
    uint32_t n[3], n_runs = 0;
    run runs[SOME + 3];
    int32_t status = SCREE_OK;
    const probe q = probe_region(g, v, lo, hi);
    const uint64_t under = cells_under(g, v, lo, hi, a, n);
    if (under > v->end - v->begin)
        return take_run(o, &q, (run){{v->begin, v->end}});
    const uint64_t rows = under ? (uint64_t)n[1] * n[2] : 0;
    for (uint64_t row = 0; row < rows && status == SCREE_OK; row++) {
        n_runs += row_of(g, v, a, n, row, runs + n_runs);
        if (n_runs < SOME && row + 1 < rows)
            continue;
        for (uint32_t k = 0; k < n_runs; k++)
            fetch_run(g, runs[k]);
        for (uint32_t k = 0; k < n_runs && status == SCREE_OK; k++)
            status = take_run(o, &q, runs[k]);
        n_runs = 0;
    }
    return status;
}

int32_t scree_cells_find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const cells *g = instance;
    objects o; // the slots stay unset
    int32_t status = SCREE_OK;
    o.grid = g;
    o.zone = zone;
    o.sink = sink;
    o.n = 0;
    for (uint32_t l = 0; l < g->n_large && status == SCREE_OK; l++) {
        if (o.n == SCREE_OBJECTS_ROOM)
            status = give(&o);
        o.slot[o.n++] = g->large[l];
    }
    for (uint32_t l = 0; l < g->n_levels && status == SCREE_OK; l++)
        status = look_in_level(&o, &g->level[l], zone->lo, zone->hi);
    return status == SCREE_OK ? give(&o) : status;
}
