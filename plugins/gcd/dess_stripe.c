/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by double-ended spatial sorting in stripes.
 *
 * Sources  Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 5.2 and the
 *          remarks on StripeSort in section 6.1.
 * Idea     A search of gcd/dess meets all boxes that begin within its target's side on one axis, a
 *          slab of N^(1/2) or N^(2/3). If space is cut into stripes first, on all axes but the last
 *          one, few of them share a stripe, and the number of boxes that a box meets does not grow
 *          with N.
 * Steps    1. The ends of each axis are sorted as in gcd/dess; on an axis each box gets two ranks:
 *             the number of boxes that begin before it, and that of the last box that begins before
 *             it ends. From here on boxes are boxes of whole numbers.
 *          2. Stripes on x (and y in 3D): each stripe has the same number of beginning boxes,
 *             `width` times as many as begin within the side of a mean box. A box is native to the
 *             stripe in which it begins.
 *          3. A stripe (in 3D a cell, stripe by stripe) needs boxes of other stripes as well.
 *             `border` says which:
 *
 *             printed   all later ones that begin before the highest upper end of its natives
 *             reach     all earlier ones that reach into it
 *
 *                   stripe 0   |   stripe 1   |   stripe 2       b begins in 0, ends in 2:
 *                    aaaaa     |     ccc      |                  printed  c and d are members
 *                       bbbbbbb|bbbbbbbbbbbbbb|bbb    ee                  of stripe 0
 *                              |         ddd  |                  reach    b is one of 1 and 2
 *
 *             A pair has two natives, or a native and another box, never two others: with `printed`
 *             a pair belongs to the stripe of the one that begins first, with `reach` to that of
 *             the one that begins last. In 3D the same holds on y.
 *          4. One pass through the sorted ends of the last axis deals its boxes out: each cell has
 *             its members in order, and each member has the end of its matches.
 *          5. Each member is a pivot: a target, with the members that begin within it on the last
 *             axis as its matches, compared by whole numbers, 32 at a time, as in gcd/dess. No
 *             extra test checks that one of the two is native: a target that is not native is
 *             compared with the bounds of its stripe as well.
 *
 * Cost     Sorting as in gcd/dess, near N when little moved, then N. In dense packings of balls
 *          at rest 0.4 of the time of gcd/dess at 10 000, 0.1 at 100 000; 1.2 times gcd/grid with
 *          equal balls, 0.6 to 0.9 of it at sizes 1:10. When all move by 0.01 radii a step,
 *          sorting rules: 0.2 to 0.3 of gcd/dess at 100 000, 4 and 2 times gcd/grid. Memory: 96
 *          bytes per box in 3D for the lists, 28 more, and 32 per membership (2 of them).
 *
 * The growth with N that section 6.1 reports and blames on the border
 *          With equal boxes the printed border is one box wide whatever N is, and costs as much
 *          as the corrected one. But one native as wide as the domain, a floor or a wall, puts all
 *          later boxes into the border of its stripe; and with mixed sizes each stripe has wide
 *          natives; with more boxes they are wider compared with the stripe. `reach` is the remedy:
 *          a wide box is in the stripes that it touches, and does not widen any other border.
 *          Members of stripes per box, 2D (tests/bench/gcd_scaling.c):
 *
 *                                     printed                  reach
 *              N                  400   6 400  102 400     400   6 400  102 400
 *              equal             1.29    1.34     1.36    1.26    1.32     1.32
 *              and one floor     2.07    2.27     2.31    1.27    1.32     1.33
 *              sizes 1:32        2.04    3.16     4.34    1.29    1.33     1.33
 *
 *          The stripe of the floor is searched as in gcd/dess, N^(1/2) matches to a target: time
 *          over that of `reach` 1.2 at 25 600, 1.3 to 1.7 at 102 400; with sizes 1:32 1.3 to 1.5
 *          and 1.4 to 1.7. (His test 1 has a ring of discs and no floor; that walls were among his
 *          boxes is a guess.)
 *
 * Deviations  Lists are not sorted again in each stripe: dealing out of a sorted one keeps the
 *         order. y is cut for all stripes at once. Stripes are `width` boxes wide, not a given
 *         share of N^(1/2). When members exceed `copies` per box (boxes that span everything)
 *         stripes are made wider; in the end one is left, and this is gcd/dess.
 *
 * As printed  `as_printed = true`: boxes are those of bounding spheres, the border is the printed
 *         one, and a stripe has `width` N^(1/2) natives, a cell in 3D `width`^2 N^(1/3). The rule
 *         that reports each pair once is the one above, because the source prints none. Nothing is
 *         missed.
 *
 * Limits   Bounding spheres are not compared. 2^30 boxes.
 */
#include <scree/draft/layout.h>

#include "sorting/params.h"
#include "sorting/ranks.h"

#define BORDER_REACH 0
#define BORDER_PRINTED 1

#define CUT 2u     /* axes that can be cut */
#define FEWEST 2.0 /* natives of a stripe, at least */
#define GRAIN 4096u

typedef struct settings {
    int32_t sort, border; // SORT_*, BORDER_*
    double width;         // [-] width of a stripe, in mean boxes
    double copies;        // [-] members of stripes per box, at most
    int64_t pieces;
    int32_t as_printed, unused;
} settings;

/* Where a box begins and ends on the axes that are cut. */
typedef struct place {
    ranks on[CUT];
} place;

/* One axis that is cut. The box that begins p-th is in stripe p * scale / 2^32. */
typedef struct cut {
    uint64_t scale;
    uint32_t n;        // stripes
    uint32_t *order;   // [box in order] number of the box
    uint32_t *from;    // printed: [box in order, and one more] start of its entries in `border`
    uint32_t *border;  // stripes whose border has the box
    uint32_t *highest; // [stripe] the last box that begins within one of its natives
    double met;        // [-] boxes that begin within the side of a mean box
    uint64_t room[4];
} cut;

typedef struct dess_stripe {
    const scree_host *host;
    const settings *config;
    sorting ends;
    cut cut[CUT];
    uint32_t cuts; // axes that are cut
    uint32_t n;    // boxes that are not empty
    uint32_t cells;
    place *place;               // [slot] ranks on the cut axes
    uint32_t *first;            // [slot + 1] first membership of the box
    uint32_t *cell;             // [membership] cell of which the box is a member
    uint32_t *at;               // [membership] place of the box in the cell
    uint32_t *start;            // [cell + 1] first member of the cell
    uint32_t *filled;           // [cell] members so far
    uint32_t *ids;              // [member] box; the arrays below are by member, too
    uint32_t *last;             // end of its matches
    int32_t *lo[CUT], *hi[CUT]; // its ranks on the cut axes
    uint64_t members;
    uint64_t room[12];
} dess_stripe;

/* ---- places and stripes ---- */

static uint32_t stripe_of(const cut *c, int32_t p)
{
    return (uint32_t)(((uint64_t)(uint32_t)p * c->scale) >> 32);
}

/* The first box of a stripe, by order. */
static int32_t begin_of(const cut *c, uint32_t stripe)
{
    return (int32_t)((((uint64_t)stripe << 32) + c->scale - 1) / c->scale);
}

/* Numbers boxes by their lower ends; an upper end gets the number of the last one before it. */
static int32_t place_axis(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    dess_stripe *self = user;
    (void)lane;
    for (uint64_t k = begin; k < end; k++) {
        const sorted_end *list = self->ends.list[k];
        cut *c = &self->cut[k];
        uint32_t n = 0;
        uint64_t met = 0;
        for (uint32_t at = 0; at < self->ends.n; at++) {
            const uint32_t tag = list[at].tag, i = tag & ~UPPER_END;
            ranks *on = &self->place[i].on[k];
            if (tag & UPPER_END) {
                on->hi = (int32_t)n - 1;
                met += (uint64_t)(on->hi - on->lo);
            } else {
                c->order[n] = i;
                on->lo = (int32_t)n++;
            }
        }
        c->met = n ? (double)met / n : 0.0;
    }
    return SCREE_OK;
}

static void set_stripes(const dess_stripe *self, cut *c, double natives)
{
    const double n = self->n / natives + 0.5;
    c->n = n < 1.0 ? 1 : n > self->n ? self->n : (uint32_t)n;
    c->scale = self->n ? ((uint64_t)c->n << 32) / self->n : 0;
    c->scale = c->scale ? c->scale : 1; // so that an axis without boxes has a scale
    c->n = self->n ? stripe_of(c, (int32_t)self->n - 1) + 1 : 1;
}

/* ---- the printed border ---- */

static int has_printed_border(const dess_stripe *self)
{
    return self->config->border == BORDER_PRINTED || self->config->as_printed;
}

/* Counts the stripes whose border has each box; 0 when the sum exceeds `most`. */
static int list_border(dess_stripe *self, uint32_t k, uint64_t most)
{
    cut *c = &self->cut[k];
    uint64_t sum = 0;
    memset(c->highest, 0, c->n * sizeof *c->highest);
    memset(c->from, 0, ((uint64_t)self->n + 1) * sizeof *c->from);
    for (uint32_t p = 0; p < self->n; p++) {
        const uint32_t s = stripe_of(c, (int32_t)p),
                       hi = (uint32_t)self->place[c->order[p]].on[k].hi;
        c->highest[s] = hi > c->highest[s] ? hi : c->highest[s];
    }
    for (uint32_t s = 0; s + 1 < c->n; s++) {
        const uint32_t end = (uint32_t)begin_of(c, s + 1);
        if (c->highest[s] < end)
            continue;
        sum += c->highest[s] - end + 1;
        c->from[end]++; // one stripe more from here on, modulo 2^32
        c->from[c->highest[s] + 1]--;
    }
    if (sum > most)
        return 0;
    uint32_t in = 0, at = 0;
    for (uint32_t p = 0; p <= self->n; p++) {
        in += c->from[p];
        c->from[p] = at;
        at += p < self->n ? in : 0;
    }
    return 1;
}

/* Fills the lists; `from` is then the end of each list, that is the start of the next one. */
static int32_t fill_border(dess_stripe *self, uint32_t k)
{
    cut *c = &self->cut[k];
    if (!scree_grow(&c->border, &c->room[3], (uint64_t)c->from[self->n] + 1, sizeof *c->border))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "dess_stripe: out of memory");
    for (uint32_t s = 0; s + 1 < c->n; s++)
        for (uint32_t p = (uint32_t)begin_of(c, s + 1); p <= c->highest[s]; p++)
            c->border[c->from[p]++] = s;
    for (uint32_t p = self->n; p > 0; p--)
        c->from[p] = c->from[p - 1];
    c->from[0] = 0;
    return SCREE_OK;
}

/* ---- memberships ---- */

/* Number of stripes of an axis that a box is in. */
static uint32_t stripes_of(const dess_stripe *self, uint32_t k, const place *at)
{
    const cut *c = &self->cut[k];
    const uint32_t p = (uint32_t)at->on[k].lo;
    if (has_printed_border(self))
        return 1 + c->from[p + 1] - c->from[p];
    return stripe_of(c, at->on[k].hi) - stripe_of(c, at->on[k].lo) + 1;
}

/* The m-th stripe of a box; the first is the one to which it is native. */
static uint32_t stripe_at(const dess_stripe *self, uint32_t k, const place *at, uint32_t m)
{
    const cut *c = &self->cut[k];
    const uint32_t own = stripe_of(c, at->on[k].lo);
    if (has_printed_border(self))
        return m ? c->border[c->from[at->on[k].lo] + m - 1] : own;
    return own + m;
}

/* Counts members; UINT64_MAX when the list of a border is too long. */
static uint64_t count_members(dess_stripe *self, uint64_t most)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < self->cuts && has_printed_border(self); k++)
        if (!list_border(self, k, most))
            return UINT64_MAX;
    for (uint32_t i = 0; i < self->ends.n_slots; i++) {
        uint64_t cells = self->ends.used[i];
        for (uint32_t k = 0; k < self->cuts && cells; k++)
            cells *= stripes_of(self, k, &self->place[i]);
        self->first[i] = (uint32_t)sum;
        sum += cells;
        if (sum > most)
            return UINT64_MAX;
    }
    self->first[self->ends.n_slots] = (uint32_t)sum;
    return sum;
}

/* Makes stripes as wide as asked for, or wider when members or cells are too many. */
static int32_t cut_axes(dess_stripe *self)
{
    const double most = scree_min(self->config->copies * self->n + 1.0, (double)MOST_BOXES);
    const double share = self->cuts > 1 ? cbrt(self->n) : sqrt(self->n); // as printed
    double wider = 1.0;
    do {
        double natives[CUT], all = 1.0;
        for (uint32_t k = 0; k < self->cuts; k++) {
            const double met = self->config->as_printed ? self->n / share : self->cut[k].met + 1.0;
            natives[k] = wider * self->config->width * met;
            natives[k] = scree_max(natives[k], FEWEST);
            all *= natives[k];
        }
        // with small boxes far apart: not more cells than boxes
        const double rare = self->cuts > 1 ? FEWEST * FEWEST * self->n / all : 0.0;
        for (uint32_t k = 0; k < self->cuts; k++)
            set_stripes(self, &self->cut[k], natives[k] * (rare > 1.0 ? sqrt(rare) : 1.0));
        self->cells = self->cut[0].n * (self->cuts > 1 ? self->cut[1].n : 1);
        self->members = count_members(self, (uint64_t)most);
        wider *= 2.0;
    } while (self->members == UINT64_MAX);
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < self->cuts && status == SCREE_OK; k++)
        if (has_printed_border(self))
            status = fill_border(self, k);
    return status;
}

/* Lists the cells of each box, and the first member of each cell. */
static void list_cells(dess_stripe *self)
{
    uint32_t m = 0, sum = 0;
    memset(self->filled, 0, self->cells * sizeof *self->filled);
    for (uint32_t i = 0; i < self->ends.n_slots; i++) {
        const place *at = &self->place[i];
        const uint32_t rows = self->ends.used[i] ? stripes_of(self, 0, at) : 0;
        const uint32_t columns = rows && self->cuts > 1 ? stripes_of(self, 1, at) : 1;
        for (uint32_t x = 0; x < rows; x++)
            for (uint32_t y = 0; y < columns; y++) {
                uint32_t c = stripe_at(self, 0, at, x);
                c = self->cuts > 1 ? c * self->cut[1].n + stripe_at(self, 1, at, y) : c;
                self->filled[c]++;
                self->cell[m++] = c;
            }
    }
    for (uint32_t c = 0; c < self->cells; c++) {
        const uint32_t members = self->filled[c];
        self->start[c] = self->filled[c] = sum;
        sum += members;
    }
    self->start[self->cells] = sum;
    for (uint32_t k = 0; k < self->cuts; k++) // read WIDE at a time
        for (uint32_t w = 0; w < WIDE; w++)
            self->lo[k][sum + w] = self->hi[k][sum + w] = 0;
}

/* Deals the boxes out in the order of the last axis. */
static void deal(dess_stripe *self)
{
    const sorted_end *list = self->ends.list[self->cuts];
    for (uint32_t at = 0; at < self->ends.n; at++) {
        const uint32_t tag = list[at].tag, i = tag & ~UPPER_END;
        const uint32_t end = self->first[i + 1];
        if (tag & UPPER_END) {
            for (uint32_t m = self->first[i]; m < end; m++)
                self->last[self->at[m]] = self->filled[self->cell[m]];
            continue;
        }
        for (uint32_t m = self->first[i]; m < end; m++) {
            const uint32_t to = self->filled[self->cell[m]]++;
            self->ids[to] = i;
            self->at[m] = to;
        }
    }
}

static int32_t copy_places(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    dess_stripe *self = user;
    (void)lane;
    for (uint32_t k = 0; k < self->cuts; k++)
        for (uint64_t m = begin; m < end; m++) {
            const ranks on = self->place[self->ids[m]].on[k];
            self->lo[k][m] = on.lo;
            self->hi[k][m] = on.hi;
        }
    return SCREE_OK;
}

/* ---- step_init ---- */

static int32_t no_memory(const dess_stripe *self)
{
    return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "dess_stripe: out of memory");
}

static int32_t make_boxes(dess_stripe *self, uint64_t n)
{
    int room = scree_grow(&self->place, &self->room[0], n, sizeof *self->place) &&
               scree_grow(&self->first, &self->room[1], n + 1, sizeof *self->first);
    for (uint32_t k = 0; k < self->cuts; k++) {
        cut *c = &self->cut[k];
        room = room && scree_grow(&c->order, &c->room[0], n, sizeof *c->order);
        if (has_printed_border(self))
            room = room && scree_grow(&c->from, &c->room[1], n + 2, sizeof *c->from) &&
                   scree_grow(&c->highest, &c->room[2], n + 1, sizeof *c->highest);
    }
    return room ? SCREE_OK : no_memory(self);
}

static int32_t make_members(dess_stripe *self)
{
    const uint64_t n = self->members;
    int room = scree_grow(&self->cell, &self->room[2], n, sizeof *self->cell) &&
               scree_grow(&self->at, &self->room[3], n, sizeof *self->at) &&
               scree_grow(&self->ids, &self->room[4], n, sizeof *self->ids) &&
               scree_grow(&self->last, &self->room[5], n, sizeof *self->last) &&
               scree_grow(&self->start, &self->room[6], self->cells + 1u, sizeof *self->start) &&
               scree_grow(&self->filled, &self->room[7], self->cells, sizeof *self->filled);
    for (uint32_t k = 0; k < self->cuts; k++)
        room = room &&
               scree_grow(&self->lo[k], &self->room[8 + k], n + WIDE, sizeof *self->lo[k]) &&
               scree_grow(&self->hi[k], &self->room[10 + k], n + WIDE, sizeof *self->hi[k]);
    return room ? SCREE_OK : no_memory(self);
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    dess_stripe *self = instance;
    const scree_host *host = self->host;
    (void)moved;
    (void)n_moved;
    self->ends.heap = self->config->sort == SORT_HEAP;
    self->ends.pieces = (uint32_t)self->config->pieces;
    self->cuts = boxes->dimension - 1;
    self->members = 0;
    int32_t status = scree_sorting_update(&self->ends, boxes);
    self->n = self->ends.n / 2;
    if (status == SCREE_OK)
        status = make_boxes(self, boxes->n);
    if (status == SCREE_OK)
        status = host->parallel_for(host->ctx, 0, self->cuts, 1, place_axis, self);
    if (status == SCREE_OK)
        status = cut_axes(self);
    if (status == SCREE_OK)
        status = make_members(self);
    if (status != SCREE_OK)
        return status;
    list_cells(self);
    deal(self);
    *n_pivots = self->members;
    return host->parallel_for(host->ctx, 0, self->members, GRAIN, copy_places, self);
}

/* ---- find_neighbors: no coordinate is looked at from here on ---- */

/* Values for the test on one axis: `lo` of the matches is compared with seen.hi of the target, and
 * `upper`, usually their `hi`, with seen.lo. */
typedef struct view {
    const int32_t *upper;
    ranks seen;
} view;

/* The boxes of a cell on one axis, in order: first..end-1 are its natives. */
typedef struct span {
    int32_t first, end;
} span;

/* A native sees all that overlap it. Another box sees only natives:
 *   reach    it began before all of them: those overlap it that begin in the stripe, before it
 * ends; printed  it began after all of them: those overlap it that end after it began. */
static view view_of(const dess_stripe *self, uint32_t k, uint32_t p, span natives)
{
    const ranks own = {self->lo[k][p], self->hi[k][p]};
    if (own.lo < natives.first)
        return (view){self->lo[k], {natives.first, own.hi}};
    if (own.lo >= natives.end)
        return (view){self->hi[k], {own.lo, natives.end - 1}};
    return (view){self->hi[k], own};
}

static span span_of(const dess_stripe *self, uint32_t k, uint32_t cell)
{
    const cut *c = &self->cut[k];
    const uint32_t columns = self->cuts > 1 ? self->cut[1].n : 1;
    const uint32_t s = k ? cell % columns : cell / columns;
    return (span){begin_of(c, s), begin_of(c, s + 1)};
}

/* Finds the cell of a member. */
static uint32_t find_cell(const dess_stripe *self, uint32_t p)
{
    uint32_t low = 0, high = self->cells - 1;
    while (low < high) {
        const uint32_t mid = low + (high - low + 1) / 2;
        if (self->start[mid] <= p)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

static int32_t search_cell(const dess_stripe *self, rank_hits *o, uint32_t cell, uint32_t first,
                           uint32_t last)
{
    const uint32_t b = self->cuts - 1; // in 2D only one axis remains, compared twice
    const span on[CUT] = {span_of(self, 0, cell), span_of(self, b, cell)};
    int32_t status = SCREE_OK;
    for (uint32_t p = first; p < last && status == SCREE_OK; p++) {
        const view x = view_of(self, 0, p, on[0]), y = view_of(self, b, p, on[1]);
        status = search_ranks(o, p, p + 1, self->last[p], self->lo[0], x.upper, self->lo[b],
                              y.upper, x.seen, y.seen);
    }
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const dess_stripe *self = instance;
    rank_hits o;
    o.sink = sink;
    o.ids = self->ids;
    o.n = 0;
    int32_t status = SCREE_OK;
    uint32_t p = (uint32_t)first;
    for (uint32_t c = first < last ? find_cell(self, p) : 0; p < last && status == SCREE_OK; c++) {
        const uint32_t end = self->start[c + 1] < last ? self->start[c + 1] : (uint32_t)last;
        status = search_cell(self, &o, c, p, end);
        p = end > p ? end : p;
    }
    return status == SCREE_OK ? flush_hits(&o) : status;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const dess_stripe *self = instance;
    return scree_sorting_objects(&self->ends, zone, sink);
}

/* ---- the cells in pictures ---- */

/* The lower end of the first native of a stripe, where the stripe begins [m]. */
static double edge_of(const dess_stripe *self, uint32_t k, uint32_t stripe)
{
    const cut *c = &self->cut[k];
    if (stripe == 0 || stripe >= c->n)
        return stripe ? HUGE_VAL : -HUGE_VAL;
    return self->ends.boxes.lo[k][c->order[begin_of(c, stripe)]];
}

/* The end of a stripe [m]; with a printed border, where the last box of its border begins. */
static double end_of(const dess_stripe *self, uint32_t k, uint32_t stripe)
{
    const cut *c = &self->cut[k];
    if (!has_printed_border(self) || stripe + 1 >= c->n ||
        c->highest[stripe] < (uint32_t)begin_of(c, stripe + 1))
        return edge_of(self, k, stripe + 1);
    return self->ends.boxes.lo[k][c->order[c->highest[stripe]]];
}

static int32_t show_cells(void *instance, const scree_layout_sink *sink)
{
    const dess_stripe *self = instance;
    const uint32_t columns = self->cuts > 1 ? self->cut[1].n : 1;
    int32_t status = SCREE_OK;
    for (uint32_t c = 0; self->members && c < self->cells && status == SCREE_OK; c++) {
        scree_layout_cell one = {.kind = SCREE_LAYOUT_CELL,
                                 .n = self->start[c + 1] - self->start[c]};
        for (uint32_t k = 0; k <= self->cuts; k++) {
            const uint32_t s = k == 0 ? c / columns : c % columns;
            one.lo[k] = k < self->cuts ? edge_of(self, k, s) : -HUGE_VAL;
            one.hi[k] = k < self->cuts ? end_of(self, k, s) : HUGE_VAL;
        }
        status = one.n ? sink->put(sink->ctx, &one, 1) : SCREE_OK;
    }
    return status;
}

static const scree_layout layout = {.size = sizeof(scree_layout), .cells = show_cells};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout : NULL;
}

/* ---- the plugin ---- */

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    dess_stripe *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "dess_stripe: out of memory");
    self->host = self->ends.host = host;
    self->ends.both = 1;
    self->config = config;
    self->ends.spheres = self->config->as_printed;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    dess_stripe *self = instance;
    if (!self)
        return;
    scree_sorting_free(&self->ends);
    for (uint32_t k = 0; k < CUT; k++) {
        free(self->cut[k].order);
        free(self->cut[k].from);
        free(self->cut[k].border);
        free(self->cut[k].highest);
        free(self->lo[k]);
        free(self->hi[k]);
    }
    free(self->place);
    free(self->first);
    free(self->cell);
    free(self->at);
    free(self->ids);
    free(self->last);
    free(self->start);
    free(self->filled);
    free(self);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    dess_stripe *self = instance;
    (void)boxes;
    (void)flags;
    scree_sorting_clear(&self->ends);
    self->members = self->n = 0;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const dess_stripe *self = instance;
    uint64_t words = 0;
    for (uint32_t k = 1; k < SCREE_COUNT(self->room); k++)
        words += self->room[k];
    for (uint32_t k = 0; k < CUT; k++)
        for (uint32_t r = 0; r < SCREE_COUNT(self->cut[k].room); r++)
            words += self->cut[k].room[r];
    return sizeof *self + scree_sorting_bytes(&self->ends) + words * sizeof(uint32_t) +
           self->room[0] * sizeof *self->place;
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

SCREE_CHOICE_PARAM(settings, sort, SCREE_PARAM_LIVE, "insertion",
                   "how the ends are sorted: insertion, or heap", &choice_insertion, &choice_heap);
SCREE_CHOICE_VALUE(reach, BORDER_REACH, "earlier boxes that reach into it");
SCREE_CHOICE_VALUE(printed, BORDER_PRINTED,
                   "all later boxes that begin before the highest end of its own (Perkins)");
SCREE_CHOICE_PARAM(settings, border, SCREE_PARAM_LIVE, "reach",
                   "boxes of other stripes that a stripe needs", &choice_reach, &choice_printed);
SCREE_REAL_PARAM(settings, width, "-", SCREE_PARAM_LIVE, 3, 0.1, 1e9,
                 "width of a stripe, over the mean side of a box");
SCREE_REAL_PARAM(settings, copies, "-", SCREE_PARAM_LIVE, 16, 1, 1e6,
                 "largest mean number of stripes of a box; beyond it stripes are made wider");
SCREE_BOOL_PARAM(settings, as_printed, 0, 0,
                 "as the thesis prints it: bounding spheres, the printed border, stripes of "
                 "`width` N^(1/2) boxes (3D: N^(2/3)). Misses nothing");
SORT_PIECES_PARAM;
static const scree_param *const params[] = {&param_sort,   &param_border,     &param_width,
                                            &param_copies, &param_as_printed, &param_pieces};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "dess_stripe",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "double-ended spatial sorting in stripes (Perkins), with the border corrected",
    .summary =
        "Boxes become boxes of whole numbers as in gcd/dess; all axes but the last are cut into "
        "stripes, so that what a box is compared with does not grow with their number. Exact, of "
        "any sizes.",
    .citation = "Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 5.2",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
