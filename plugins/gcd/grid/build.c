/* SPDX-License-Identifier: Apache-2.0 */
/* The step_init of gcd/grid: size of the cells, the torus, the counting sort (steps 1 to 4 of the
 * essay in grid.c). */
#include "grid.h"

/* ---- step_init: sizes ---- */

static uint32_t size_class(double side)
{
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    int64_t c = (int64_t)(bits >> 50) - (1023 * 4 - CLASSES / 2);
    return (uint32_t)(c < 0 ? 0 : c >= CLASSES ? CLASSES - 1 : c);
}

static int32_t measure(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const grid *g = user;
    const scree_boxes *b = &g->boxes;
    stats *s = &g->lane[lane];
    for (uint64_t i = begin; i < end; i++) {
        double side = 0.0;
        if (scree_box_empty(b, (uint32_t)i))
            continue;
        for (uint32_t k = 0; k < g->axes; k++) {
            double lo = b->lo[k][i], d = b->hi[k][i] - lo;
            side = side > d ? side : d;
            s->lo[k] = s->lo[k] < lo ? s->lo[k] : lo;
            s->hi[k] = s->hi[k] > lo ? s->hi[k] : lo;
        }
        uint32_t c = size_class(side);
        s->count[c]++;
        s->largest[c] = s->largest[c] > side ? s->largest[c] : side;
    }
    return SCREE_OK;
}

static void clear_stats(stats *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t k = 0; k < 3; k++) {
        s->lo[k] = HUGE_VAL;
        s->hi[k] = -HUGE_VAL;
    }
}

static void merge_stats(stats *s, const stats *other)
{
    for (uint32_t c = 0; c < CLASSES; c++) {
        s->count[c] += other->count[c];
        s->largest[c] = s->largest[c] > other->largest[c] ? s->largest[c] : other->largest[c];
    }
    for (uint32_t k = 0; k < 3; k++) {
        s->lo[k] = s->lo[k] < other->lo[k] ? s->lo[k] : other->lo[k];
        s->hi[k] = s->hi[k] > other->hi[k] ? s->hi[k] : other->hi[k];
    }
}

static double power(const grid *g, double side)
{
    return g->axes == 2 ? side * side : side * side * side;
}

/* Nanoseconds for cells that take the boxes of class `cut` and below, `n` of them, of volume `v`;
 * no class beyond `top` has any. */
static double estimate(const grid *g, const stats *s, uint32_t cut, uint32_t top, double n,
                       double v)
{
    const double test = 2.0, row = 10.0, sweep = 5.0; // [ns] measured
    const double packed = 1.5; // [-] volume of grown boxes in a dense packing, per volume
    const double side = s->largest[cut], cells = g->axes == 2 ? 4.5 : 13.5;
    const double density = v > 0.0 ? packed * n / v : 0.0;
    double met = cells * density * power(g, side);
    double cost = n * test * (met < n / 2 ? met : n / 2), others = 0.0, length = 0.0;
    for (uint32_t c = cut + 1; c <= top; c++) {
        if (!s->count[c])
            continue;
        double wide = s->largest[c] / side + 2.0, rows = g->axes == 2 ? wide : wide * wide;
        met = density * power(g, side * wide);
        cost += s->count[c] * (row * (rows < n ? rows : n) + test * (met < n ? met : n));
        others += s->count[c];
        length += s->count[c] * s->largest[c];
        v += s->count[c] * power(g, s->largest[c]);
    }
    // Swept along x: a share 2 (mean side) / (side of the domain) of the pairs is looked at.
    double domain = g->axes == 2 ? sqrt(v / packed) : cbrt(v / packed);
    double share = 2.0 * length / domain < others ? 2.0 * length / domain : others;
    return cost + sweep * others * share / 2;
}

/* The largest side that goes into a cell [m], by the cheapest class. */
static double choose_reach(const grid *g, const stats *s)
{
    double n = 0.0, v = 0.0, best = HUGE_VAL, reach = 0.0;
    uint32_t top = CLASSES - 1;
    while (top > 0 && !s->count[top])
        top--;
    for (uint32_t c = 0; c <= top; c++) {
        double side = s->largest[c];
        if (!s->count[c] || !(side <= 0x1p500))
            continue;
        n += s->count[c];
        v += s->count[c] * power(g, side);
        double cost = estimate(g, s, c, top, n, v);
        if (cost <= best) {
            best = cost;
            reach = side;
        }
    }
    return reach;
}

/* ---- step_init: the torus ---- */

/* Lower corners of SAMPLES boxes spread over the slots, sorted; 0 when all slots are empty. */
static int sample(const scree_boxes *b, uint32_t axis, double s[SAMPLES])
{
    for (uint32_t m = 0; m < SAMPLES; m++) {
        uint64_t i = (uint64_t)m * b->n / SAMPLES, tried = 0;
        for (; tried < b->n && scree_box_empty(b, (uint32_t)i); tried++)
            i = i + 1 < b->n ? i + 1 : 0;
        if (tried == b->n)
            return 0;
        double x = b->lo[axis][i];
        uint32_t at = m;
        for (; at > 0 && s[at - 1] > x; at--)
            s[at] = s[at - 1];
        s[at] = x;
    }
    return 1;
}

/* Sizes of the torus: the whole range of cells if that many fit, else what the bulk of the boxes
 * needs, else less; folded axes are odd, so that fields do not alias. */
static void choose_torus(grid *g, const double bulk[3])
{
    const double least = g->config->search == SEARCH_WINDOW ? 5 : 3;
    double limit = 2.0 * g->boxes.n + 128.0, want[3] = {1, 1, 1}, product = 1.0;
    limit = limit < 0xfffffff0u ? limit : 0xfffffff0u;
    for (uint32_t k = 0; k < g->axes; k++) {
        want[k] = (double)(g->last[k] - g->first[k]) + 2.0;
        want[k] = want[k] > least ? want[k] : least;
        product *= want[k];
    }
    if (product > limit) {
        product = 1.0;
        for (uint32_t k = 0; k < g->axes; k++) {
            double cells = 1.5 * bulk[k] * g->scale / UNIT + 2.0;
            want[k] = cells < want[k] ? (cells > least ? cells : least) : want[k];
            product *= want[k];
        }
    }
    while (product > limit) {
        uint32_t k = want[0] >= want[1] && want[0] >= want[2] ? 0 : want[1] >= want[2] ? 1 : 2;
        double less = want[k] / 1.25 > least ? want[k] / 1.25 : least;
        product *= less / want[k];
        want[k] = less;
    }
    for (uint32_t k = 0; k < 3; k++) {
        g->dim[k] = (uint32_t)want[k];
        if (k < g->axes && (double)g->dim[k] < (double)(g->last[k] - g->first[k]) + 2.0)
            g->dim[k] -= (g->dim[k] & 1u) == 0 && g->dim[k] > least;
    }
    g->n_cells = g->dim[0] * g->dim[1] * g->dim[2];
}

/* Cell size, origin, range of cells, torus. */
static void lay_out(grid *g, const stats *s)
{
    const int window = g->config->search == SEARCH_WINDOW;
    const double ratio = window ? 2.0 / LAMBDA : 1.0; // reach / cell
    double reach = g->config->cell > 0.0 ? g->config->cell * ratio : choose_reach(g, s);
    double sorted[SAMPLES], bulk[3] = {0, 0, 0}, least = 0x1p-900;
    for (uint32_t k = 0; k < 3; k++) {
        g->origin[k] = 0.0;
        g->first[k] = g->last[k] = 0;
        if (k >= g->axes || !sample(&g->boxes, k, sorted))
            continue;
        g->origin[k] = sorted[SAMPLES / 2];
        bulk[k] = sorted[SAMPLES - 2] - sorted[1];
        double spread = sorted[3 * SAMPLES / 4] - sorted[SAMPLES / 4];
        least = least > spread * 0x1p-36 ? least : spread * 0x1p-36;
    }
    reach = reach > least ? reach : least;
    g->scale = (UNIT - 2) / (reach / ratio); // two units for floor and rounding
    g->reach = window ? (int64_t)((UNIT - 2) * ratio) + 2 : UNIT;
    for (uint32_t k = 0; k < g->axes && s->lo[k] <= s->hi[k]; k++) {
        int64_t lo = to_units(s->lo[k], g->origin[k], g->scale);
        int64_t hi = to_units(s->hi[k], g->origin[k], g->scale);
        g->first[k] = (lo > -FAR ? lo : -FAR) >> BITS;
        g->last[k] = (hi < FAR ? hi : FAR) >> BITS;
    }
    choose_torus(g, bulk);
}

/* ---- step_init: the sort ---- */

static int32_t find_cells(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const grid *g = user;
    (void)lane;
    for (uint64_t i = begin; i < end; i++) {
        int64_t lo[3], hi[3];
        uint32_t cell = EMPTY;
        if (!scree_box_empty(&g->boxes, (uint32_t)i)) {
            cell = OVERSIZED;
            if (box_units(g, (uint32_t)i, lo, hi))
                cell = (fold(g, lo[2] >> BITS, 2) * g->dim[1] + fold(g, lo[1] >> BITS, 1)) *
                           g->dim[0] +
                       fold(g, lo[0] >> BITS, 0);
        }
        g->pos[i] = cell;
    }
    return SCREE_OK;
}

/* Counting sort: pos becomes the place of each box. */
static void sort_cells(grid *g)
{
    const uint32_t n = g->boxes.n;
    uint32_t sum = 0;
    memset(g->start, 0, ((uint64_t)g->n_cells + 1) * sizeof *g->start);
    for (uint32_t i = 0; i < n; i++)
        if (g->pos[i] < OVERSIZED)
            g->start[g->pos[i] + 1]++;
    for (uint64_t c = 1; c < (uint64_t)g->n_cells + 1; c++) { // start[c + 1]: next place in cell c
        uint32_t count = g->start[c];
        g->start[c] = sum;
        sum += count;
    }
    g->n_sorted = sum;
    g->n_large = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (g->pos[i] < OVERSIZED)
            g->pos[i] = g->start[g->pos[i] + 1]++;
        else
            g->n_large += g->pos[i] == OVERSIZED;
    }
}

static int32_t copy_sorted(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const grid *g = user;
    const scree_boxes *b = &g->boxes;
    (void)lane;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t p = g->pos[i];
        int64_t lo[3], hi[3], c[3] = {0, 0, 0};
        if (p >= OVERSIZED)
            continue;
        box_units(g, (uint32_t)i, lo, hi);
        g->spans[p] = (span){pack(lo), pack(hi) | GUARD};
        g->ids[p] = (uint32_t)i;
        if (!g->spheres)
            continue;
        for (uint32_t k = 0; k < g->axes; k++)
            c[k] = to_units(b->centre[k][i], g->origin[k], g->scale);
        g->centres[p] = pack(c);
        // Two units more for the rounding; beyond 8 cells no pair of binned boxes is apart.
        double r = b->radius[i] * g->scale;
        g->radii[p] = r < 8.0 * UNIT ? (uint32_t)r + 3u : 8u * UNIT;
    }
    return SCREE_OK;
}

static int grow_boxes(grid *g)
{
    uint64_t n = (uint64_t)g->boxes.n + PAD;
    return scree_grow(&g->pos, &g->room[0], n, sizeof *g->pos) &&
           scree_grow(&g->spans, &g->room[2], n, sizeof *g->spans) &&
           scree_grow(&g->centres, &g->room[3], n, sizeof *g->centres) &&
           scree_grow(&g->radii, &g->room[4], n, sizeof *g->radii) &&
           scree_grow(&g->ids, &g->room[5], n, sizeof *g->ids);
}

/* Oversized boxes by their lower end on x (heap sort: in place, no memory of its own). */
static void sift_down(uint32_t *large, const double *lo, uint32_t at, uint32_t n)
{
    const uint32_t top = large[at];
    for (uint32_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && lo[large[child + 1]] > lo[large[child]];
        if (!(lo[large[child]] > lo[top]))
            break;
        large[at] = large[child];
        at = child;
    }
    large[at] = top;
}

static void sort_large(grid *g)
{
    const double *lo = g->boxes.lo[0];
    uint32_t n = g->n_large;
    for (uint32_t i = n / 2; i-- > 0;)
        sift_down(g->large, lo, i, n);
    while (n > 1) {
        uint32_t last = g->large[--n];
        g->large[n] = g->large[0];
        g->large[0] = last;
        sift_down(g->large, lo, 0, n);
    }
}

/* The oversized in 2^19 units to the domain, so that fields never wrap: rough, and monotone too. */
static void copy_large(grid *g, const stats *s)
{
    const double most = 0x1p19 - 1.0;
    for (uint32_t l = 0; l < g->n_large; l++) {
        int64_t lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
        for (uint32_t k = 0; k < g->axes; k++) {
            double scale = most / (s->hi[k] - s->lo[k]);
            double a = (g->boxes.lo[k][g->large[l]] - s->lo[k]) * scale;
            double z = (g->boxes.hi[k][g->large[l]] - s->lo[k]) * scale;
            int useful = scale > 0.0 && scale < 0x1p900;
            lo[k] = useful ? (int64_t)(a < most ? a : most) : 0;
            hi[k] = useful ? (int64_t)(z < most ? z : most) : 0;
        }
        g->large_spans[l] = (span){pack(lo), pack(hi) | GUARD};
    }
}

int32_t scree_grid_build(grid *g)
{
    const scree_host *host = g->host;
    const uint32_t n = g->boxes.n;
    g->n_sorted = g->n_large = 0;
    if (!grow_boxes(g))
        return host->fail(host->ctx, SCREE_E_MEMORY, "grid: out of memory for the boxes");
    for (uint32_t l = 0; l < host->lanes; l++)
        clear_stats(&g->lane[l]);
    host->parallel_for(host->ctx, 0, n, GRAIN, measure, g);
    for (uint32_t l = 1; l < host->lanes; l++)
        merge_stats(&g->lane[0], &g->lane[l]);
    lay_out(g, &g->lane[0]);
    if (!scree_grow(&g->start, &g->room[1], (uint64_t)g->n_cells + 1, sizeof *g->start))
        return host->fail(host->ctx, SCREE_E_MEMORY, "grid: out of memory for the cells");
    host->parallel_for(host->ctx, 0, n, GRAIN, find_cells, g);
    sort_cells(g);
    if (!scree_grow(&g->large, &g->room[6], g->n_large, sizeof *g->large) ||
        !scree_grow(&g->large_spans, &g->room[7], g->n_large, sizeof *g->large_spans))
        return host->fail(host->ctx, SCREE_E_MEMORY, "grid: out of memory for oversized boxes");
    for (uint32_t i = 0, found = 0; found < g->n_large; i++)
        if (g->pos[i] == OVERSIZED)
            g->large[found++] = i;
    sort_large(g);
    copy_large(g, &g->lane[0]);
    host->parallel_for(host->ctx, 0, n, GRAIN, copy_sorted, g);
    return SCREE_OK;
}
