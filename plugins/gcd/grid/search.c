/* SPDX-License-Identifier: Apache-2.0 */
/* The search of gcd/grid among the sorted boxes: stencil and window (step 5 of the essay in
 * grid.c). */
#include "grid.h"

/* Turns places into box numbers. */
static uint64_t keep_boxes(uint32_t n, const scree_pair *SCREE_RESTRICT hits,
                           const uint32_t *SCREE_RESTRICT ids, scree_pair *SCREE_RESTRICT out)
{
    for (uint32_t h = 0; h < n; h++)
        out[h] = (scree_pair){ids[hits[h].a], ids[hits[h].b]};
    return n;
}

/* The same, without the pairs whose spheres are apart. */
static uint64_t keep_spheres(uint32_t n, const scree_pair *SCREE_RESTRICT hits,
                             const uint32_t *SCREE_RESTRICT ids,
                             const uint64_t *SCREE_RESTRICT centres,
                             const uint32_t *SCREE_RESTRICT radii, scree_pair *SCREE_RESTRICT out)
{
    uint64_t kept = 0;
    for (uint32_t h = 0; h < n; h++) {
        const uint32_t p = hits[h].a, j = hits[h].b;
        const uint64_t d = (centres[p] | GUARD) - centres[j];
        const int64_t x = field(d, 0), y = field(d, 1), z = field(d, 2);
        const int64_t reach = (int64_t)radii[p] + radii[j];
        out[kept] = (scree_pair){ids[p], ids[j]};
        kept += x * x + y * y + z * z <= reach * reach;
    }
    return kept;
}

static int32_t flush_hits(output *o)
{
    const grid *g = o->grid;
    int32_t status = make_room(o, o->n_hits);
    if (status != SCREE_OK || !o->n_hits)
        return status;
    if (g->spheres)
        o->used += keep_spheres(o->n_hits, o->hits, g->ids, g->centres, g->radii, o->out + o->used);
    else
        o->used += keep_boxes(o->n_hits, o->hits, g->ids, o->out + o->used);
    o->n_hits = 0;
    return SCREE_OK;
}

static int32_t test_run(output *o, uint32_t p, uint32_t first, uint32_t last)
{
    const grid *g = o->grid;
    const span own = g->spans[p];
    int32_t status = SCREE_OK;
    while (first < last && status == SCREE_OK) {
        uint32_t end = last - first < HITS ? last : first + HITS;
        o->n_hits = scan_run(g->spans, own, p, first, end, o->hits, o->n_hits);
        first = end;
        if (o->n_hits >= HITS)
            status = flush_hits(o);
    }
    return status;
}

/* The later half of the window of cells from lo to hi around cell `at`, without the own cell. */
static void add_half(const grid *g, runs *r, const int32_t at[3], const int32_t lo[3],
                     const int32_t hi[3])
{
    const int32_t my = (int32_t)g->dim[1], mz = (int32_t)g->dim[2];
    r->n = 0;
    if (hi[0] > 0)
        add_row(g, r, (uint32_t)(at[2] * my + at[1]), at[0], 1, hi[0]);
    for (int32_t dz = 0; dz <= hi[2]; dz++) {
        int32_t z = at[2] + dz < mz ? at[2] + dz : at[2] + dz - mz;
        for (int32_t dy = dz ? lo[1] : 1; dy <= hi[1]; dy++) {
            int32_t y = at[1] + dy;
            y += y < 0 ? my : y >= my ? -my : 0;
            add_row(g, r, (uint32_t)(z * my + y), at[0], lo[0], hi[0]);
        }
    }
}

/* What a cell looks at, in one piece: its own entries, then those of its runs. Runs are short and
 * of any length; copied eight entries at a time and scanned as one they cost no mispredicted branch
 * each (measured: find_neighbors 127 to 92 ns per box). */
typedef struct nearby {
    uint32_t n;
    uint32_t place[NEARBY + PAD];
    span spans[NEARBY + PAD];
} nearby;

static void copy_run(nearby *to, const span *SCREE_RESTRICT spans, uint32_t first, uint32_t last)
{
    for (uint32_t at = first, n = to->n; at < last; at += PAD, n += PAD) {
        memcpy(&to->spans[n], &spans[at], PAD * sizeof *spans);
        for (uint32_t k = 0; k < PAD; k++)
            to->place[n + k] = at + k;
    }
    to->n += last - first;
}

/* As scan_run, over a copy. */
static uint32_t scan_near(const span *SCREE_RESTRICT spans, const uint32_t *SCREE_RESTRICT place,
                          span own, uint32_t p, uint32_t first, uint32_t last,
                          scree_pair *SCREE_RESTRICT hits, uint32_t n)
{
    for (uint32_t j = first; j < last; j++) {
        uint64_t apart = ((own.hi - spans[j].lo) | (spans[j].hi - own.lo)) & SIGN;
        hits[n] = (scree_pair){p, place[j]};
        n += apart == 0;
    }
    return n;
}

static int32_t test_runs(output *o, const runs *r, uint32_t p, uint32_t end)
{
    int32_t status = test_run(o, p, p + 1, end);
    for (uint32_t k = 0; k < r->n && status == SCREE_OK; k++)
        status = test_run(o, p, r->first[k], r->last[k]);
    return status;
}

/* Entries [first, last) of the cell `at` that ends before `end`. */
static int32_t search_stencil(output *o, const int32_t at[3], uint32_t first, uint32_t last,
                              uint32_t end)
{
    const grid *g = o->grid;
    const int32_t deep = g->axes == 3;
    const int32_t lo[3] = {-1, -1, -deep}, hi[3] = {1, 1, deep};
    int32_t status = SCREE_OK;
    runs r;
    nearby copy;
    copy.n = 0;
    add_half(g, &r, at, lo, hi);
    uint64_t total = end - first;
    for (uint32_t k = 0; k < r.n; k++)
        total += r.last[k] - r.first[k];
    if (total > NEARBY) {
        for (uint32_t p = first; p < last && status == SCREE_OK; p++)
            status = test_runs(o, &r, p, end);
        return status;
    }
    copy_run(&copy, g->spans, first, end);
    for (uint32_t k = 0; k < r.n; k++)
        copy_run(&copy, g->spans, r.first[k], r.last[k]);
    for (uint32_t p = first; p < last && status == SCREE_OK; p++) {
        o->n_hits = scan_near(copy.spans, copy.place, g->spans[p], p, p - first + 1, copy.n,
                              o->hits, o->n_hits);
        if (o->n_hits >= HITS)
            status = flush_hits(o);
    }
    return status;
}

static int32_t search_window(output *o, const int32_t at[3], uint32_t first, uint32_t last,
                             uint32_t end)
{
    const grid *g = o->grid;
    for (uint32_t p = first; p < last; p++) {
        const uint64_t size = g->spans[p].hi - g->spans[p].lo;
        int32_t lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
        runs r;
        for (uint32_t k = 0; k < g->axes; k++) {
            int32_t in_cell = (int32_t)(g->spans[p].lo >> (21 * k)) & (UNIT - 1);
            lo[k] = (in_cell - (int32_t)g->reach) >> BITS;
            hi[k] = (in_cell + field(size, k)) >> BITS;
        }
        add_half(g, &r, at, lo, hi);
        int32_t status = test_runs(o, &r, p, end);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

/* The last cell that starts at or before place p: the one that holds p. */
static uint32_t cell_of(const grid *g, uint32_t p)
{
    uint32_t below = 0, above = g->n_cells;
    while (above - below > 1) {
        uint32_t mid = below + (above - below) / 2;
        if (g->start[mid] <= p)
            below = mid;
        else
            above = mid;
    }
    return below;
}

int32_t scree_grid_search(output *o, uint32_t first, uint32_t last)
{
    const grid *g = o->grid;
    uint32_t cell = cell_of(g, first);
    int32_t at[3] = {(int32_t)(cell % g->dim[0]), (int32_t)(cell / g->dim[0] % g->dim[1]),
                     (int32_t)(cell / g->dim[0] / g->dim[1])};
    while (first < last) {
        uint32_t end = g->start[cell + 1], upto = end < last ? end : last;
        int32_t status = SCREE_OK;
        if (first < upto)
            status = g->config->search == SEARCH_WINDOW ? search_window(o, at, first, upto, end)
                                                        : search_stencil(o, at, first, upto, end);
        if (status != SCREE_OK)
            return status;
        first = upto;
        cell++;
        if (++at[0] == (int32_t)g->dim[0]) {
            at[0] = 0;
            at[2] += ++at[1] == (int32_t)g->dim[1];
            at[1] = at[1] == (int32_t)g->dim[1] ? 0 : at[1];
        }
    }
    return flush_hits(o);
}
