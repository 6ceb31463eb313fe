/* SPDX-License-Identifier: Apache-2.0 */
/* The search in cells: within a level, of larger boxes in a level, of oversized ones (steps 5 and 6
 * of the essay in grid.c). */
#include "cells.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* ---- where pairs go ---- */

typedef struct output {
    const cells *grid;
    scree_pair_sink *sink;
    scree_pair *out;
    uint64_t used, room;
} output;

/* Room for n pairs and what is written beyond them. */
static inline int32_t make_room(output *o, uint64_t n)
{
    int32_t status = SCREE_OK;
    n += PAD;
    if (o->room - o->used >= n)
        return SCREE_OK;
    if (o->used)
        status = o->sink->commit(o->sink, o->used);
    o->used = 0;
    o->room = n > 4096 ? n : 4096;
    return status == SCREE_OK ? o->sink->reserve(o->sink, o->room, &o->out) : status;
}

/* ---- runs of entries ---- */

/* Appends (i, ids[j]), or (i, j) without ids, for the entries j of [first, last) that overlap `own`
 * in the fields of `sign`; up to PAD pairs beyond the result are written. */
#ifdef __AVX2__
static inline __m256i apart(const span *spans, __m256i lo, __m256i hi, __m256i sign)
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)spans);
    const __m256i b = _mm256_loadu_si256((const __m256i *)(spans + 2));
    const __m256i los = _mm256_unpacklo_epi64(a, b), his = _mm256_unpackhi_epi64(a, b);
    const __m256i d = _mm256_or_si256(_mm256_sub_epi64(hi, los), _mm256_sub_epi64(his, lo));
    return _mm256_cmpeq_epi64(_mm256_and_si256(d, sign), _mm256_setzero_si256());
}

/* Of a mask, bit b stands for the entry that `apart` leaves in its place. */
static const uint8_t entry_of_bit[8] = {0, 2, 1, 3, 4, 6, 5, 7};
static const uint8_t first_bits[9] = {0x00, 0x01, 0x05, 0x07, 0x0f, 0x1f, 0x5f, 0x7f, 0xff};

static inline uint64_t scan(const cells *g, span own, uint64_t sign, uint32_t i,
                            const uint32_t *ids, uint32_t first, uint32_t last, scree_pair *out)
{
    const __m256i lo = _mm256_set1_epi64x((long long)own.lo);
    const __m256i hi = _mm256_set1_epi64x((long long)own.hi);
    const __m256i signs = _mm256_set1_epi64x((long long)sign), self = _mm256_set1_epi32((int)i);
    uint64_t n = 0;
    uint32_t j = first;
    do { // an empty run is masked like any other: most are short, and no branch tells
        const uint32_t left = last - j < PAD ? last - j : PAD;
        const __m256i near = apart(g->spans + j, lo, hi, signs);
        const __m256i far = apart(g->spans + j + 4, lo, hi, signs);
        const uint32_t mask = ((uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(near)) |
                               (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(far)) << 4) &
                              first_bits[left];
        const __m256i order =
            _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)g->order[mask]));
        const __m256i names =
            ids ? _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(ids + j)), order)
                : _mm256_add_epi32(order, _mm256_set1_epi32((int)j));
        _mm256_storeu_si256((__m256i *)(out + n), _mm256_unpacklo_epi32(self, names));
        _mm256_storeu_si256((__m256i *)(out + n + 4), _mm256_unpackhi_epi32(self, names));
        n += (uint64_t)__builtin_popcount(mask);
        j += PAD;
    } while (j < last);
    return n;
}

/* The same for two runs at once, which are rarely longer than four. */
static inline uint64_t scan_two(const cells *g, span own, uint32_t i, const uint32_t *ids,
                                const uint32_t a[2], const uint32_t b[2], scree_pair *out)
{
    static const uint8_t bits[5] = {0x0, 0x1, 0x5, 0x7, 0xf};
    const __m256i lo = _mm256_set1_epi64x((long long)own.lo);
    const __m256i hi = _mm256_set1_epi64x((long long)own.hi);
    const __m256i signs = _mm256_set1_epi64x((long long)SIGN), self = _mm256_set1_epi32((int)i);
    const uint32_t n_a = a[1] - a[0], n_b = b[1] - b[0];
    const __m256i near = apart(g->spans + a[0], lo, hi, signs);
    const __m256i far = apart(g->spans + b[0], lo, hi, signs);
    const uint32_t mask =
        ((uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(near)) & bits[n_a < 4 ? n_a : 4]) |
        ((uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(far)) & bits[n_b < 4 ? n_b : 4]) << 4;
    const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)g->order[mask]));
    const __m256i each =
        ids ? _mm256_inserti128_si256(
                  _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(ids + a[0]))),
                  _mm_loadu_si128((const __m128i *)(ids + b[0])), 1)
            : _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3),
                               _mm256_inserti128_si256(_mm256_set1_epi32((int)a[0]),
                                                       _mm_set1_epi32((int)b[0]), 1));
    const __m256i names = _mm256_permutevar8x32_epi32(each, order);
    _mm256_storeu_si256((__m256i *)out, _mm256_unpacklo_epi32(self, names));
    _mm256_storeu_si256((__m256i *)(out + 4), _mm256_unpackhi_epi32(self, names));
    uint64_t n = (uint64_t)__builtin_popcount(mask);
    if (n_a > 4)
        n += scan(g, own, SIGN, i, ids, a[0] + 4, a[1], out + n);
    if (n_b > 4)
        n += scan(g, own, SIGN, i, ids, b[0] + 4, b[1], out + n);
    return n;
}

/* Stored are lanes 0 1 4 5, then 2 3 6 7. */
void scree_cells_order(uint8_t order[256][PAD])
{
    static const uint8_t lane[PAD] = {0, 1, 4, 5, 2, 3, 6, 7};
    for (uint32_t mask = 0; mask < 256; mask++) {
        uint32_t n = 0;
        memset(order[mask], 0, PAD);
        for (uint8_t entry = 0; entry < PAD; entry++)
            if (mask >> entry_of_bit[entry] & 1) // its own inverse
                order[mask][lane[n++]] = entry;
    }
}
#else
static inline uint64_t scan(const cells *g, span own, uint64_t sign, uint32_t i,
                            const uint32_t *ids, uint32_t first, uint32_t last, scree_pair *out)
{
    const span *SCREE_RESTRICT spans = g->spans;
    uint64_t n = 0;
    for (uint32_t j = first; j < last; j++) {
        uint64_t d = ((own.hi - spans[j].lo) | (spans[j].hi - own.lo)) & sign;
        out[n] = (scree_pair){i, ids ? ids[j] : j};
        n += d == 0;
    }
    return n;
}

static inline uint64_t scan_two(const cells *g, span own, uint32_t i, const uint32_t *ids,
                                const uint32_t a[2], const uint32_t b[2], scree_pair *out)
{
    uint64_t n = scan(g, own, SIGN, i, ids, a[0], a[1], out);
    return n + scan(g, own, SIGN, i, ids, b[0], b[1], out + n);
}

void scree_cells_order(uint8_t order[256][PAD])
{
    memset(order, 0, 256 * PAD);
}
#endif

/* Of pairs of places, those whose spheres touch, as pairs of boxes. */
static uint64_t keep_spheres(const cells *g, scree_pair *pairs, uint64_t n)
{
    uint64_t kept = 0;
    for (uint64_t h = 0; h < n; h++) {
        const uint32_t p = pairs[h].a, j = pairs[h].b;
        const uint64_t d = (g->centres[p] | GUARD) - g->centres[j];
        const int64_t x = field(d, 0), y = field(d, 1), z = field(d, 2);
        const int64_t reach = (int64_t)g->radii[p] + g->radii[j];
        pairs[kept] = (scree_pair){g->ids[p], g->ids[j]};
        kept += x * x + y * y + z * z <= reach * reach;
    }
    return kept;
}

/* The same for pairs of boxes of different levels: exactly. */
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

typedef struct run {
    uint32_t at[2]; // first entry, behind the last one
} run;

/* Entry i, a place or a box, against runs. */
static inline __attribute__((always_inline)) uint64_t scan_runs(const cells *g, span own,
                                                                uint32_t i, const uint32_t *ids,
                                                                const run *runs, uint32_t n,
                                                                scree_pair *out)
{
    uint64_t found = 0;
    uint32_t k = 0;
    for (; k + 1 < n; k += 2)
        found += scan_two(g, own, i, ids, runs[k].at, runs[k + 1].at, out + found);
    if (k < n)
        found += scan(g, own, SIGN, i, ids, runs[k].at[0], runs[k].at[1], out + found);
    return found;
}

/* Entry p against runs of its own level. */
static inline __attribute__((always_inline)) int32_t
search_runs(output *o, const cells *g, uint32_t p, const run *runs, uint32_t n)
{
    const span own = g->spans[p];
    uint64_t total = (uint64_t)n * PAD;
    for (uint32_t k = 0; k < n; k++)
        total += runs[k].at[1] - runs[k].at[0];
    int32_t status = make_room(o, total);
    if (status != SCREE_OK)
        return status;
    scree_pair *out = o->out + o->used;
    if (g->spheres)
        o->used += keep_spheres(g, out, scan_runs(g, own, p, NULL, runs, n, out));
    else
        o->used += scan_runs(g, own, g->ids[p], g->ids, runs, n, out);
    return SCREE_OK;
}

/* The later half of the neighbouring cells, in a grid whose borders are empty: the same steps for
 * every entry. */
static int32_t search_plane(output *o, const level *v, uint32_t begin, uint32_t end)
{
    const cells *g = o->grid;
    const uint32_t row = v->dim[0], *start = starts(g);
    int32_t status = SCREE_OK;
    for (uint32_t p = begin; p < end && status == SCREE_OK; p++) {
        const uint32_t *s = start + g->cell[p];
        const run runs[2] = {{{p + 1, s[2]}}, {{s[row - 1], s[row + 2]}}};
        status = search_runs(o, g, p, runs, 2);
    }
    return status;
}

static int32_t search_space(output *o, const level *v, uint32_t begin, uint32_t end)
{
    const cells *g = o->grid;
    const uint32_t row = v->dim[0], plane = row * v->dim[1], *start = starts(g);
    int32_t status = SCREE_OK;
    for (uint32_t p = begin; p < end && status == SCREE_OK; p++) {
        const uint32_t *s = start + g->cell[p], *up = s + plane, *back = up - row;
        const run runs[5] = {{{p + 1, s[2]}},
                             {{s[row - 1], s[row + 2]}},
                             {{*(back - 1), back[2]}},
                             {{*(up - 1), up[2]}},
                             {{up[row - 1], up[row + 2]}}};
        status = search_runs(o, g, p, runs, 5);
    }
    return status;
}

/* Adds cells from x + a to x + b of a row of a torus; both less than a turn away. */
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

/* The later half of the window of cells from lo to hi around an entry's, any grid. */
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
    return search_runs(o, g, p, runs, n);
}

static int32_t search_any(output *o, const level *v, uint32_t begin, uint32_t end)
{
    const cells *g = o->grid;
    const int32_t deep = g->axes == 3;
    int32_t lo[3] = {-1, -1, -deep}, hi[3] = {1, 1, deep}, status = SCREE_OK;
    for (uint32_t p = begin; p < end && status == SCREE_OK; p++) {
        const span s = g->spans[p];
        for (uint32_t k = 0; k < g->axes && g->window; k++) {
            int32_t in_cell = (int32_t)(s.lo >> (21 * k)) & (UNIT - 1);
            lo[k] = (in_cell - (int32_t)v->units) >> BITS;
            hi[k] = (in_cell + field(s.hi - s.lo, k)) >> BITS;
        }
        status = search_window(o, v, p, lo, hi);
    }
    return status;
}

/* ---- larger boxes in a level ---- */

/* Cells of a level that may hold boxes which overlap [lo, hi]: the first one and how many along
 * each axis, each cell once; `a` the first one's number before folding. Returns their product. */
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

/* Runs of a row, numbered from 0, of such a block. */
static uint32_t row_of(const cells *g, const level *v, const int64_t a[3], const uint32_t n[3],
                       uint64_t row, run runs[3])
{
    uint32_t at[3] = {0, 0, 0}, count = 0;
    const uint64_t step[3] = {0, row % n[1], row / n[1]};
    for (uint32_t k = 0; k < 3; k++) {
        int64_t cell = (a[k] + (int64_t)step[k]) % (int64_t)v->dim[k];
        at[k] = (uint32_t)(cell < 0 ? cell + v->dim[k] : cell);
    }
    add_row(g, v, at[2] * v->dim[1] + at[1], (int32_t)at[0], 0, (int32_t)n[0] - 1, runs, &count);
    return count;
}

static int boxes_meet(const cells *g, uint32_t i, uint32_t j)
{
    scree_pair pair = {i, j};
    return scree_boxes_overlap(&g->boxes, i, j) && (!g->spheres || keep_far_spheres(g, &pair, 1));
}

/* Box i against those in ids[first .. last), exactly. */
static int32_t test_exact(output *o, uint32_t i, const uint32_t *ids, uint32_t first, uint32_t last)
{
    while (first < last) {
        uint32_t end = last - first < PIECE ? last : first + PIECE;
        int32_t status = make_room(o, end - first);
        if (status != SCREE_OK)
            return status;
        for (; first < end; first++) {
            o->out[o->used] = (scree_pair){i, ids[first]};
            o->used += (uint64_t)boxes_meet(o->grid, i, ids[first]);
        }
    }
    return SCREE_OK;
}

static int32_t scan_run(output *o, uint32_t i, span own, uint64_t sign, uint32_t first,
                        uint32_t last)
{
    const cells *g = o->grid;
    while (first < last) {
        uint32_t end = last - first < PIECE ? last : first + PIECE;
        int32_t status = make_room(o, (uint64_t)(end - first) + PAD);
        if (status != SCREE_OK)
            return status;
        scree_pair *hits = o->out + o->used;
        uint64_t n = scan(g, own, sign, i, g->ids, first, end, hits);
        o->used += g->spheres ? keep_far_spheres(g, hits, n) : n;
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

/* A corner counted from the first cell of a level, as its boxes are packed. */
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
 * cannot tell, so that no field reaches further than it can. */
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

/* Box i with the boxes of a level whose cells are no torus and as long as its boxes. */
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

/* Box i, which is longer than the boxes of the level, with all of them. */
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
    for (uint64_t row = 0; under && row < (uint64_t)n[1] * n[2]; row++) {
        const uint32_t n_runs = row_of(g, v, a, n, row, runs);
        for (uint32_t k = 0; k < n_runs && status == SCREE_OK; k++)
            status = test_exact(o, i, g->ids, runs[k].at[0], runs[k].at[1]);
    }
    return status;
}

/* ---- oversized boxes ---- */

/* They are sorted by lower end: the first that begins beyond the end of number l. */
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
    for (uint32_t j = l + 1; j < end && status == SCREE_OK; j++) {
        const span other = g->large_spans[j];
        if ((((own.hi - other.lo) | (other.hi - own.lo)) & SIGN) || !boxes_meet(g, i, g->large[j]))
            continue;
        o->out[o->used++] = (scree_pair){i, g->large[j]};
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
        if (v->folded || g->window)
            status = search_any(o, v, from, to);
        else
            status = (g->axes == 2 ? search_plane : search_space)(o, v, from, to);
        for (uint32_t p = from; p < to && l > 0; p++)
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
    output o = {.grid = g, .sink = sink};
    int32_t status = SCREE_OK;
    if (first < last && first < chunks) {
        uint64_t end = (last < chunks ? last : chunks) * CHUNK;
        status = search_sorted(&o, (uint32_t)(first * CHUNK),
                               (uint32_t)(end < g->n_sorted ? end : g->n_sorted));
    }
    for (uint64_t k = first > chunks ? first : chunks; k < last && status == SCREE_OK; k++)
        status = search_large(&o, (uint32_t)(k - chunks));
    return status == SCREE_OK && o.used ? sink->commit(sink, o.used) : status;
}

/* ---- find_objects ---- */

static int32_t look_at(const cells *g, const scree_region *region, const uint32_t *ids,
                       uint32_t first, uint32_t last, scree_index_sink *sink)
{
    while (first < last) {
        uint32_t end = last - first < PIECE ? last : first + PIECE, *out;
        uint64_t n = 0;
        int32_t status = sink->reserve(sink, end - first, &out);
        if (status != SCREE_OK)
            return status;
        for (; first < end; first++) {
            out[n] = ids[first];
            n += (uint64_t)scree_region_overlaps(region, &g->boxes, ids[first]);
        }
        status = sink->commit(sink, n);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static int32_t look_in_level(const cells *g, const level *v, const scree_region *region,
                             const double lo[3], const double hi[3], scree_index_sink *sink)
{
    int64_t a[3];
    uint32_t n[3];
    run runs[3];
    int32_t status = SCREE_OK;
    const uint64_t under = cells_under(g, v, lo, hi, a, n);
    if (under > v->end - v->begin)
        return look_at(g, region, g->ids, v->begin, v->end, sink);
    for (uint64_t row = 0; under && row < (uint64_t)n[1] * n[2]; row++) {
        uint32_t n_runs = row_of(g, v, a, n, row, runs);
        for (uint32_t k = 0; k < n_runs && status == SCREE_OK; k++)
            status = look_at(g, region, g->ids, runs[k].at[0], runs[k].at[1], sink);
    }
    return status;
}

int32_t scree_cells_find_objects(void *instance, const scree_region *region, scree_index_sink *sink)
{
    const cells *g = instance;
    double lo[3], hi[3];
    for (uint32_t k = 0; k < 3; k++) {
        double reach = region->radius * (1.0 + 1e-9);
        lo[k] = region->type == SCREE_REGION_BALL ? region->centre[k] - reach : region->lo[k];
        hi[k] = region->type == SCREE_REGION_BALL ? region->centre[k] + reach : region->hi[k];
    }
    int32_t status = look_at(g, region, g->large, 0, g->n_large, sink);
    for (uint32_t l = 0; l < g->n_levels && status == SCREE_OK; l++)
        status = look_in_level(g, &g->level[l], region, lo, hi, sink);
    return status;
}
