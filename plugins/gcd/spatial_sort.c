/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by spatial sorting: boxes sorted by their lower ends on each axis.
 *
 * Sources  [1] Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 4.1.
 *          [2] O'Connor, R. M. (1996): thesis, MIT, sections 2.3 and 2.4, after Swegle et al.
 * Idea     On an axis the boxes that begin within the target are side by side in the list sorted
 *          by lower ends: a range of ranks. A binary search for the target's upper end finds its
 *          end. The list does not show which boxes before the target reach into it; the methods
 *          differ in how they find those.
 * Steps    1. Lists of numbers sorted by lower end, per axis, and rank arrays (where each box is).
 *          2. Ranges: to = entries up to the upper end; from, by method:
 *             lists        [1] method 1: no ranges; each box notes its neighbours on each axis in a
 *                          list. The lists of a target are intersected.
 *             ranges       [1] method 2: each box in the range of a target has its own range drawn
 *                          out to that target. Ranges of all axes, either way.
 *             one_pass     [1] method 3: along x only the target's own range; on the other axes
 *                          from the first box whose upper end reaches the target (a linear scan).
 *             running_max  [2]: the same with a binary search. Upper ends are in no order, but
 *                          their running maximum is.
 *          3. The candidates of a target are the boxes in its ranges on all axes. One axis leads:
 *             its range is walked, the ranks on the others are compared. That is x for one_pass,
 *             the shortest range for the others.
 *          Each pair once: by number with lists and ranges (the smaller one is the target), with
 *          one_pass and running_max the box that begins first along x.
 * Cost     N log N to sort by heap, near N by insertion when little moved. Search N^(3/2) in 2D,
 *          N^(5/3) in 3D; one_pass adds the scans, N^2. Memory: 93 bytes per box in 2D, 137 in 3D;
 *          lists: 8 bytes more per pair of boxes that overlap on one axis.
 * Deviations  - [2] searches the lower index by bisection on upper ends that are not sorted, which
 *             misses pairs of unequal boxes: hence the maximum.
 *          - Equal lower ends are in order of number, and a target's range begins behind it. No box
 *             is noted twice then, and the search before each insertion of method 1 is left out.
 *          - The lists of method 1 are not linked but one behind the other: their lengths are
 *             counted first.
 *          - Method 2 in list order draws out each range once, by the first target that covers the
 *             box: those covered before are skipped, and the pass is linear.
 *          - When sizes differ, ranges hold more than the overlapping boxes (all methods but
 *             lists). Candidates are tested as boxes; `exact = false` gives what [1] and [2] give.
 *          - find_objects begins one widest box before the zone, not at the bottom of the list.
 *          - The ranks of an axis are copied in the order of the axis that leads, 32 are compared
 *             at a time.
 * As printed  `as_printed = true`: ends are those of bounding spheres, x leads, candidates are not
 *          tested. lists searches a list before each insertion, ranges draws out all of a range for
 *          each target; both miss nothing. one_pass asks for an upper end *greater than* the lower
 *          end of the target: pairs that only touch may be missed. running_max bisects the upper
 *          ends themselves, which are in no order ([2] 2.4.2): with unequal sizes pairs are missed.
 * Limits   Not for large 3D scenes; lists and one_pass are for comparison. 2^30 boxes.
 */
#include "sorting/params.h"

#define METHOD_LISTS 0
#define METHOD_RANGES 1
#define METHOD_ONE_PASS 2
#define METHOD_RUNNING_MAX 3

#define HITS 256u /* candidates before they are tested */
#define GRAIN 1024u
#define NONE UINT32_MAX

typedef struct settings {
    int32_t method; // METHOD_*
    int32_t sort;   // SORT_*
    int32_t exact, as_printed;
    int64_t pieces;
} settings;

typedef struct axis {
    uint32_t *rank;      // [box] its place in the list
    uint32_t *from, *to; // [place in the list] range of ranks
    double *most;        // [place] running maximum of the upper ends [m], including earlier places
    uint32_t *other[2];  // [place] rank of its box on each of the other axes
    uint32_t *end;       // [box] end of its list in `near`, and start of the next list
    uint32_t *near;      // neighbours, method 1
    uint64_t room[7], room_near;
} axis;

typedef struct spatial_sort {
    const scree_host *host;
    const settings *config;
    sorting ends;
    uint32_t n; // boxes that are not empty
    int32_t method;
    axis axis[3];
} spatial_sort;

typedef struct output {
    const spatial_sort *self;
    scree_pair_sink *sink;
    uint32_t target, n_hits;
    uint32_t hits[HITS + WIDE]; // boxes
} output;

/* ---- step_init ---- */

static int32_t make_room(spatial_sort *self)
{
    const uint64_t n = self->ends.n_slots;
    const uint32_t n_arrays = self->method == METHOD_LISTS ? 6 : 5;
    int room = 1;
    for (uint32_t k = 0; k < self->ends.axes; k++) {
        axis *a = &self->axis[k];
        uint32_t **const arrays[6] = {&a->rank,     &a->from,     &a->to,
                                      &a->other[0], &a->other[1], &a->end};
        for (uint32_t m = 0; m < n_arrays; m++)
            room = room && scree_grow(arrays[m], &a->room[m], n + WIDE, sizeof(uint32_t));
        room = room && scree_grow(&a->most, &a->room[6], n, sizeof *a->most);
    }
    return room ? SCREE_OK
                : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "spatial_sort: out of memory");
}

static int32_t rank_axes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    spatial_sort *self = user;
    (void)lane;
    for (uint64_t k = begin; k < end; k++) {
        const double *hi = self->ends.boxes.hi[k];
        const sorted_end *list = self->ends.list[k];
        axis *a = &self->axis[k];
        double most = -HUGE_VAL;
        for (uint32_t at = 0; at < self->n; at++) {
            const double upper = hi[list[at].tag];
            most = scree_max(most, upper);
            a->most[at] = self->config->as_printed ? upper : most;
            a->rank[list[at].tag] = at;
        }
    }
    return SCREE_OK;
}

/* Method 2: in list order a box is first covered by the earliest target that reaches it. */
static void draw_out(const spatial_sort *self, axis *a)
{
    uint32_t covered = 0; // boxes covered so far
    for (uint32_t target = 0; target < self->n; target++)
        for (covered = covered > target ? covered : target; covered < a->to[target]; covered++)
            a->from[covered] = target;
}

/* As printed: each target draws out the ranges of all boxes in its own. */
static void draw_out_each(const spatial_sort *self, axis *a)
{
    for (uint32_t at = 0; at < self->n; at++)
        a->from[at] = at;
    for (uint32_t target = 0; target < self->n; target++)
        for (uint32_t p = target + 1; p < a->to[target]; p++)
            a->from[p] = a->from[p] < target ? a->from[p] : target;
}

/* First place at which the running maximum, which never falls, reaches x. */
static uint32_t first_reaching(const axis *a, uint32_t last, double x)
{
    uint32_t first = 0;
    while (first < last) {
        uint32_t mid = first + (last - first) / 2;
        if (a->most[mid] < x)
            first = mid + 1;
        else
            last = mid;
    }
    return first;
}

static uint32_t scan_reaching(const spatial_sort *self, uint32_t k, double x)
{
    const sorted_end *list = self->ends.list[k];
    const double *hi = self->ends.boxes.hi[k];
    const double below = self->config->as_printed ? nextafter(x, HUGE_VAL) : x;
    uint32_t at = 0; // as printed, the box of the target may not reach it either
    while (at < self->n && hi[list[at].tag] < below)
        at++;
    return at;
}

/* Finds the ranges of the places [begin, end) on axis k, and the ranges of their boxes on the other
 * axes. */
static void find_ranges(spatial_sort *self, uint32_t k, uint32_t begin, uint32_t end)
{
    const scree_boxes *b = &self->ends.boxes;
    const sorted_end *list = self->ends.list[k];
    const int either = self->method == METHOD_RANGES || self->method == METHOD_LISTS;
    axis *a = &self->axis[k];
    for (uint32_t at = begin; at < end; at++) {
        const uint32_t i = list[at].tag;
        a->to[at] = scree_sorting_upto(&self->ends, k, at + 1, b->hi[k][i]);
        if (k == 0 && !either)
            a->from[at] = at + 1;
        else if (self->method == METHOD_ONE_PASS)
            a->from[at] = scan_reaching(self, k, b->lo[k][i]);
        else if (self->method == METHOD_RUNNING_MAX)
            a->from[at] = first_reaching(a, at, b->lo[k][i]);
        for (uint32_t m = 0; m + 1 < self->ends.axes; m++)
            a->other[m][at] = self->axis[m + (m >= k)].rank[i];
    }
}

static int32_t range_axes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    spatial_sort *self = user;
    (void)lane;
    for (uint32_t k = 0; k < self->ends.axes; k++)
        find_ranges(self, k, (uint32_t)begin, (uint32_t)end);
    return SCREE_OK;
}

/* Notes box j in the list of box i; as printed, after a search for it there. */
static void note(const spatial_sort *self, axis *a, uint32_t i, uint32_t j)
{
    const uint32_t first = self->config->as_printed ? a->from[i] : a->end[i];
    for (uint32_t p = first; p < a->end[i]; p++)
        if (a->near[p] == j)
            return;
    a->near[a->end[i]++] = j;
}

/* Method 1: every two boxes that overlap on the axis note each other. `from` is the start of a
 * box's list. */
static int32_t note_neighbours(spatial_sort *self, uint32_t k)
{
    const sorted_end *list = self->ends.list[k];
    axis *a = &self->axis[k];
    uint64_t n = 0;
    for (uint32_t at = 0; at < self->n; at++)
        n += 2 * (uint64_t)(a->to[at] - at - 1);
    if (n >= NONE)
        return scree_failf(self->host, SCREE_E_CAPACITY,
                           "spatial_sort: method lists: %llu pairs overlap on axis %u, at most %u "
                           "fit; take another method",
                           (unsigned long long)n / 2, k, NONE / 2);
    if (!scree_grow(&a->near, &a->room_near, n, sizeof *a->near))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY,
                                "spatial_sort: out of memory for lists");
    memset(a->end, 0, self->ends.n_slots * sizeof *a->end);
    for (uint32_t at = 0; at < self->n; at++) {
        a->end[list[at].tag] += a->to[at] - at - 1;
        for (uint32_t p = at + 1; p < a->to[at]; p++)
            a->end[list[p].tag]++;
    }
    for (uint32_t i = 0, begin = 0; i < self->ends.n_slots; i++) {
        const uint32_t length = a->end[i];
        a->end[i] = a->from[i] = begin;
        begin += length;
    }
    for (uint32_t at = 0; at < self->n; at++)
        for (uint32_t p = at + 1; p < a->to[at]; p++) {
            note(self, a, list[at].tag, list[p].tag);
            note(self, a, list[p].tag, list[at].tag);
        }
    return SCREE_OK;
}

static void end_axis(spatial_sort *self, axis *a)
{
    for (uint32_t k = 0; k < WIDE; k++)
        a->other[0][self->n + k] = a->other[1][self->n + k] = NONE;
    if (self->method == METHOD_RANGES && self->config->as_printed)
        draw_out_each(self, a);
    else if (self->method == METHOD_RANGES)
        draw_out(self, a);
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    spatial_sort *self = instance;
    const scree_host *host = self->host;
    (void)moved;
    (void)n_moved;
    self->ends.heap = self->config->sort == SORT_HEAP;
    self->ends.pieces = (uint32_t)self->config->pieces;
    self->method = self->config->method;
    int32_t status = scree_sorting_update(&self->ends, boxes);
    if (status == SCREE_OK)
        status = make_room(self);
    if (status != SCREE_OK)
        return status;
    *n_pivots = self->n = self->ends.n;
    status = host->parallel_for(host->ctx, 0, self->ends.axes, 1, rank_axes, self);
    if (status == SCREE_OK)
        status = host->parallel_for(host->ctx, 0, self->n, GRAIN, range_axes, self);
    for (uint32_t k = 0; k < self->ends.axes && status == SCREE_OK; k++) {
        end_axis(self, &self->axis[k]);
        if (self->method == METHOD_LISTS)
            status = note_neighbours(self, k);
    }
    return status;
}

/* ---- find_neighbors ---- */

static int32_t flush(output *o)
{
    const spatial_sort *self = o->self;
    const uint32_t i = o->target;
    const int all = !self->config->exact || self->config->as_printed;
    scree_pair *out;
    uint64_t n = 0;
    int32_t status = o->n_hits ? o->sink->reserve(o->sink, o->n_hits, &out) : SCREE_OK;
    if (status != SCREE_OK || !o->n_hits)
        return status;
    for (uint32_t h = 0; h < o->n_hits; h++) {
        out[n] = (scree_pair){i, o->hits[h]};
        n += (uint64_t)(all | scree_boxes_overlap(&self->ends.boxes, i, o->hits[h]));
    }
    o->n_hits = 0;
    return o->sink->commit(o->sink, n);
}

/* The ranks [from, from + n). */
typedef struct range {
    uint32_t from, n;
} range;

/* Bit k: rank k of WIDE is in the range on both axes. */
static inline uint32_t compare(const uint32_t *SCREE_RESTRICT a, const uint32_t *SCREE_RESTRICT b,
                               range in_a, range in_b)
{
    static const uint32_t bit[WIDE] = ONE_EACH;
    uint32_t mask = 0;
    for (uint32_t k = 0; k < WIDE; k++) {
        uint32_t hit = (a[k] - in_a.from < in_a.n) & (b[k] - in_b.from < in_b.n);
        mask |= (0u - hit) & bit[k];
    }
    return mask;
}

/* Walks a range of the leading axis; the other axes are 0 and n, which are the same in 2D. */
static int32_t walk(output *o, uint32_t lead, range along, const range other[2])
{
    const spatial_sort *self = o->self;
    const sorted_end *list = self->ends.list[lead];
    const uint32_t n = self->ends.axes - 2, last = along.from + along.n;
    const uint32_t *a = self->axis[lead].other[0], *b = self->axis[lead].other[n];
    const int by_number = self->method == METHOD_RANGES;
    for (uint32_t p = along.from; p < last; p += WIDE) {
        uint32_t mask = compare(a + p, b + p, other[0], other[n]);
        for (mask &= first_bits(last - p); mask; mask &= mask - 1) {
            const uint32_t j = list[p + lowest_bit(mask)].tag;
            o->hits[o->n_hits] = j;
            o->n_hits += (uint32_t)(!by_number | (j > o->target));
        }
        int32_t status = o->n_hits >= HITS ? flush(o) : SCREE_OK;
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static int32_t search_ranges(output *o)
{
    const spatial_sort *self = o->self;
    const int first_leads = self->method == METHOD_ONE_PASS || self->config->as_printed;
    range in[3], other[2] = {{0, 0}, {0, 0}};
    uint32_t lead = 0;
    for (uint32_t k = 0; k < self->ends.axes; k++) {
        const axis *a = &self->axis[k];
        const uint32_t at = a->rank[o->target];
        in[k] = (range){a->from[at], a->to[at] - a->from[at]};
        if (!first_leads && in[k].n < in[lead].n)
            lead = k;
    }
    for (uint32_t m = 0; m + 1 < self->ends.axes; m++)
        other[m] = in[m + (m >= lead)];
    return walk(o, lead, in[lead], other);
}

/* Start of the list of box i on an axis. */
static uint32_t list_begin(const axis *a, uint32_t i)
{
    return i ? a->end[i - 1] : 0;
}

/* Counts in `seen` the axes on which a box was met, and clears `seen` afterwards. */
static int32_t search_lists(output *o, uint8_t *seen)
{
    const spatial_sort *self = o->self;
    const uint32_t axes = self->ends.axes, i = o->target;
    const axis *x = &self->axis[0];
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < axes; k++) {
        const axis *a = &self->axis[k];
        for (uint32_t at = list_begin(a, i); at < a->end[i]; at++)
            seen[a->near[at]]++;
    }
    for (uint32_t at = list_begin(x, i); at < x->end[i] && status == SCREE_OK; at++) {
        const uint32_t j = x->near[at];
        o->hits[o->n_hits] = j;
        o->n_hits += (uint32_t)((seen[j] == axes) & (j > i));
        status = o->n_hits >= HITS ? flush(o) : SCREE_OK;
    }
    for (uint32_t k = 0; k < axes; k++) {
        const axis *a = &self->axis[k];
        for (uint32_t at = list_begin(a, i); at < a->end[i]; at++)
            seen[a->near[at]] = 0;
    }
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const spatial_sort *self = instance;
    const int lists = self->method == METHOD_LISTS;
    int32_t status = SCREE_OK;
    uint8_t *seen = NULL;
    output o;
    o.self = self;
    o.sink = sink;
    o.n_hits = 0;
    if (lists && first < last) {
        seen = self->host->scratch(self->host->ctx, sink->lane, self->ends.n_slots);
        if (!seen)
            return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "spatial_sort: out of memory");
        memset(seen, 0, self->ends.n_slots);
    }
    for (uint64_t p = first; p < last && status == SCREE_OK; p++) {
        o.target = self->ends.list[0][p].tag;
        status = lists ? search_lists(&o, seen) : search_ranges(&o);
        if (status == SCREE_OK)
            status = flush(&o);
    }
    return status;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const spatial_sort *self = instance;
    return scree_sorting_objects(&self->ends, zone, sink);
}

/* ---- the plugin ---- */

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    spatial_sort *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "spatial_sort: out of memory");
    self->host = self->ends.host = host;
    self->config = config;
    self->ends.spheres = self->config->as_printed;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    spatial_sort *self = instance;
    if (!self)
        return;
    scree_sorting_free(&self->ends);
    for (uint32_t k = 0; k < 3; k++) {
        axis *a = &self->axis[k];
        free(a->rank);
        free(a->from);
        free(a->to);
        free(a->most);
        free(a->other[0]);
        free(a->other[1]);
        free(a->end);
        free(a->near);
    }
    free(self);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    spatial_sort *self = instance;
    (void)boxes;
    (void)flags;
    scree_sorting_clear(&self->ends);
    self->n = 0;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const spatial_sort *self = instance;
    uint64_t sum = sizeof *self + scree_sorting_bytes(&self->ends);
    for (uint32_t k = 0; k < 3; k++) {
        const axis *a = &self->axis[k];
        for (uint32_t m = 0; m < 6; m++)
            sum += a->room[m] * sizeof(uint32_t);
        sum += a->room[6] * sizeof *a->most + a->room_near * sizeof *a->near;
    }
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

SCREE_CHOICE_VALUE(lists, METHOD_LISTS, "lists per box and axis (Perkins' method 1)");
SCREE_CHOICE_VALUE(ranges, METHOD_RANGES, "ranges drawn out by those before (his method 2)");
SCREE_CHOICE_VALUE(one_pass, METHOD_ONE_PASS, "linear scan for the first that reaches (method 3)");
SCREE_CHOICE_VALUE(running_max, METHOD_RUNNING_MAX,
                   "bisection of the running maximum of upper ends (O'Connor's, corrected)");
SCREE_CHOICE_PARAM(settings, method, SCREE_PARAM_LIVE, "running_max",
                   "how boxes before a target are found: lists, ranges, one_pass, or running_max",
                   &choice_lists, &choice_ranges, &choice_one_pass, &choice_running_max);
SCREE_CHOICE_PARAM(settings, sort, SCREE_PARAM_LIVE, "insertion",
                   "how the lower ends are sorted: insertion, or heap", &choice_insertion,
                   &choice_heap);
SCREE_BOOL_PARAM(settings, exact, SCREE_PARAM_LIVE, 1,
                 "test candidates as boxes; false: what the ranges hold, more than overlaps");
SCREE_BOOL_PARAM(settings, as_printed, 0, 0,
                 "as the theses print it: bounding spheres, candidates not tested. Misses pairs: "
                 "with one_pass some that touch, with running_max many of unequal sizes");
SORT_PIECES_PARAM;
static const scree_param *const params[] = {&param_method, &param_sort, &param_exact,
                                            &param_as_printed, &param_pieces};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "spatial_sort",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "spatial sorting by lower ends, in four variants (Perkins, O'Connor)",
    .summary =
        "Boxes are sorted by their lower ends on each axis; the candidates of a box are those in "
        "its range of ranks on all axes. Three methods of Perkins and that of O'Connor, for "
        "comparison; the cost grows as N^(3/2) in 2D and N^(5/3) in 3D.",
    .citation = "Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 4.1; "
                "O'Connor, R. M. (1996): thesis, MIT, section 2.4",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
