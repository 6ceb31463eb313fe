/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by one sweep: boxes sorted along one axis, the others tested in vectors.
 *
 * Sources  [1] Cohen, J. D., Lin, M. C., Manocha, D. and Ponamgi, M. (1995): I-COLLIDE, Proc.
 *          Symposium on Interactive 3D Graphics, 189-196 (sweep and prune). [2] Ericson, C. (2005):
 *          Real-Time Collision Detection, section 7.5.2 (one axis, chosen by the variance).
 * Idea     Boxes sorted by lower end on one axis: on this axis a box overlaps only the run of boxes
 *          behind it, up to the first one that begins beyond its upper end. Tests on the other axes
 *          read that run from end to end, so they go 4 or 8 at a time without a branch.
 *
 *              lower ends   i | j j j j j j j j | .      one run per box, tests in blocks of 64
 *              upper(i)     ----------------->
 *
 * Steps    1. The axis: `spread`, the largest standard deviation of the centres, or `widest`.
 *          2. Coordinates become floats relative to the lowest corner. Rounding is monotone: boxes
 *             that overlap or touch still do. None is negative, so a float's bits sort like it.
 *          3. Radix sort of lower ends, three passes of 11 bits; a pass that would change nothing
 *             is left out. Both ends on all axes are copied in that order.
 *          4. Pivots: chunks of 64 sorted boxes. A run's end is found by doubling and halving. A
 *             block without a hit, nearly all of them, costs no more than its tests.
 * Cost     O(N) and the overlaps on one axis: N^(5/3) in a cube of equal boxes, N^(3/2) in a
 *          square, and N in a long channel, where no other sort is needed. Memory: 40 bytes per
 *          box.
 * Deviations  [1] keeps three lists and exchanges; here nothing is kept but memory. [2] tests pair
 *          by pair.
 * Limits   Far outliers cost resolution (a float's 24 bits span the whole domain): more pairs, none
 *          missed. Only boxes are compared: pairs whose spheres are apart are not left out.
 */
#include <scree/gcd_sdk.h>

#include "sorting/radix.h"

#define CHUNK 64u /* sorted boxes per pivot, tests per block */
#define GROUP 8u  /* tests that are skipped together when none hits */
#define DIGITS 3u /* digits of a float */

enum { SPREAD, WIDEST };

typedef struct settings {
    int32_t axis;
} settings;

typedef struct item {
    uint32_t key, id;
} item;

typedef struct sap {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes;
    double origin[3];
    uint32_t order[3]; // axes, first that of the sweep; the last one is unused in 2D
    uint32_t n;        // sorted boxes
    uint64_t room[9];
    item *items, *spare;
    float *lo[3], *hi[3]; // [n + CHUNK] sorted; the axis by place in `order`
    float *farthest;      // largest upper end of each chunk, on the axis of the sweep
} sap;

/* ---- step_init ---- */

/* [m^2] Variance of the middles of the boxes, computed with halves, so that only the result can
 * overflow. */
static double measure_spread(const scree_boxes *b, uint32_t axis, double first)
{
    double sum = 0.0, squares = 0.0, n = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        const double there = scree_box_empty(b, i) ? 0.0 : 1.0;
        const double x = there > 0.0 ? 0.5 * b->lo[axis][i] + 0.5 * b->hi[axis][i] - first : 0.0;
        sum += x;
        squares += x * x;
        n += there;
    }
    return n > 0.0 ? squares / n - sum / n * (sum / n) : 0.0;
}

static void choose_axis(sap *s)
{
    const scree_boxes *b = &s->boxes;
    double best = -HUGE_VAL;
    s->order[0] = 0;
    for (uint32_t k = 0; k < b->dimension; k++) {
        double first, last, score;
        scree_boxes_range(b, k, &first, &last);
        score = s->config->axis == WIDEST ? last - first : measure_spread(b, k, first);
        s->origin[k] = first;
        if (score > best) {
            best = score;
            s->order[0] = k;
        }
    }
    s->order[1] = s->order[0] == 0 ? 1 : 0;
    s->order[2] = 3 - s->order[0] - s->order[1];
}

static void sort_items(sap *s)
{
    item *from = s->items;
    if (!radix_sort(from, s->spare, s->n, sizeof *from, sizeof from->key, DIGITS))
        return;
    s->items = s->spare;
    s->spare = from;
}

static void list_boxes(sap *s)
{
    const scree_boxes *b = &s->boxes;
    const uint32_t axis = s->order[0];
    s->n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const float lo = scree_to_float(b->lo[axis][i], s->origin[axis]);
        s->items[s->n].id = i;
        memcpy(&s->items[s->n].key, &lo, sizeof lo);
        s->n += !scree_box_empty(b, i);
    }
}

/* Copies a chunk in the order of the sweep; entries behind the last box overlap nothing. */
static int32_t copy_boxes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const sap *s = user;
    const scree_boxes *b = &s->boxes;
    (void)lane;
    for (uint64_t chunk = begin; chunk < end; chunk++) {
        float far = -HUGE_VALF;
        for (uint64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; i++)
            for (uint32_t k = 0; k < b->dimension; k++) {
                const uint32_t axis = s->order[k], id = i < s->n ? s->items[i].id : 0;
                s->lo[k][i] =
                    i < s->n ? scree_to_float(b->lo[axis][id], s->origin[axis]) : HUGE_VALF;
                s->hi[k][i] =
                    i < s->n ? scree_to_float(b->hi[axis][id], s->origin[axis]) : -HUGE_VALF;
            }
        for (uint64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; i++)
            far = far > s->hi[0][i] ? far : s->hi[0][i];
        s->farthest[chunk] = far;
    }
    return SCREE_OK;
}

static int grow(sap *s)
{
    const uint64_t n = (uint64_t)s->boxes.n + 2 * CHUNK;
    int grown = scree_grow(&s->items, &s->room[0], n, sizeof *s->items) &&
                scree_grow(&s->spare, &s->room[1], n, sizeof *s->spare) &&
                scree_grow(&s->farthest, &s->room[2], n / CHUNK, sizeof *s->farthest);
    for (uint32_t k = 0; k < s->boxes.dimension && grown; k++)
        grown = scree_grow(&s->lo[k], &s->room[3 + k], n, sizeof **s->lo) &&
                scree_grow(&s->hi[k], &s->room[6 + k], n, sizeof **s->hi);
    return grown;
}

static uint64_t count_chunks(const sap *s)
{
    return ((uint64_t)s->n + CHUNK - 1) / CHUNK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    sap *s = instance;
    (void)moved;
    (void)n_moved;
    scree_boxes_keep(&s->boxes, boxes);
    s->n = 0;
    if (!grow(s))
        return s->host->fail(s->host->ctx, SCREE_E_MEMORY, "sap_simd: out of memory");
    choose_axis(s);
    list_boxes(s);
    sort_items(s);
    *n_pivots = count_chunks(s);
    // One chunk more: a block of tests may begin at any box.
    return s->host->parallel_for(s->host->ctx, 0, *n_pivots + 1, 64, copy_boxes, s);
}

/* ---- the sweep ---- */

/* hit[k] = -1 where box k overlaps [lo, hi] on both axes; returns whether any box does. */
static int32_t test_two(const float *SCREE_RESTRICT lo1, const float *SCREE_RESTRICT hi1,
                        const float *SCREE_RESTRICT lo2, const float *SCREE_RESTRICT hi2,
                        const float box[4], int32_t *SCREE_RESTRICT hit)
{
    const float a1 = box[0], b1 = box[1], a2 = box[2], b2 = box[3];
    int32_t any = 0;
    for (uint32_t k = 0; k < CHUNK; k++) {
        hit[k] = -(int32_t)((lo1[k] <= b1) & (a1 <= hi1[k]) & (lo2[k] <= b2) & (a2 <= hi2[k]));
        any |= hit[k];
    }
    return any;
}

static int32_t test_one(const float *SCREE_RESTRICT lo1, const float *SCREE_RESTRICT hi1,
                        const float box[4], int32_t *SCREE_RESTRICT hit)
{
    const float a1 = box[0], b1 = box[1];
    int32_t any = 0;
    for (uint32_t k = 0; k < CHUNK; k++) {
        hit[k] = -(int32_t)((lo1[k] <= b1) & (a1 <= hi1[k]));
        any |= hit[k];
    }
    return any;
}

/* The first sorted box from `first` on that begins beyond `end`. */
static uint32_t run_end(const sap *s, uint32_t first, float end)
{
    const float *lo = s->lo[0];
    uint32_t in = first, stride = 8;
    while (s->n - in > stride && lo[in + stride] <= end) {
        in += stride;
        stride *= 2;
    }
    uint32_t out = s->n - in > stride ? in + stride : s->n;
    while (in < out) {
        const uint32_t mid = in + (out - in) / 2;
        if (lo[mid] <= end)
            in = mid + 1;
        else
            out = mid;
    }
    return out;
}

static int32_t emit_hits(const sap *s, uint32_t i, uint32_t first, uint32_t n, const int32_t *hit,
                         scree_pair_sink *sink)
{
    scree_pair *out;
    uint64_t found = 0;
    int32_t status = sink->reserve(sink, n, &out);
    if (status != SCREE_OK)
        return status;
    for (uint32_t g = 0; g < n; g += GROUP) {
        int32_t any = 0;
        for (uint32_t k = 0; k < GROUP; k++)
            any |= hit[g + k];
        if (any)
            for (uint32_t k = g; k < n && k < g + GROUP; k++) {
                out[found] = (scree_pair){s->items[i].id, s->items[first + k].id};
                found += hit[k] != 0;
            }
    }
    return sink->commit(sink, found);
}

static int32_t sweep(const sap *s, uint32_t i, scree_pair_sink *sink)
{
    const uint32_t end = run_end(s, i + 1, s->hi[0][i]);
    const int flat = s->boxes.dimension == 2;
    const float box[4] = {s->lo[1][i], s->hi[1][i], flat ? 0.0f : s->lo[2][i],
                          flat ? 0.0f : s->hi[2][i]};
    int32_t status = SCREE_OK;
    for (uint32_t j = i + 1; j < end && status == SCREE_OK; j += CHUNK) {
        int32_t hit[CHUNK];
        const int32_t any =
            flat ? test_one(s->lo[1] + j, s->hi[1] + j, box, hit)
                 : test_two(s->lo[1] + j, s->hi[1] + j, s->lo[2] + j, s->hi[2] + j, box, hit);
        if (any)
            status = emit_hits(s, i, j, end - j < CHUNK ? end - j : CHUNK, hit, sink);
    }
    return status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const sap *s = instance;
    int32_t status = SCREE_OK;
    for (uint64_t i = first * CHUNK; i < last * CHUNK && i < s->n && status == SCREE_OK; i++)
        status = sweep(s, (uint32_t)i, sink);
    return status;
}

static int32_t look_at(const sap *s, const scree_zone *zone, uint32_t first, uint32_t last,
                       scree_index_sink *sink)
{
    uint32_t ids[CHUNK];
    for (uint32_t i = first; i < last; i++)
        ids[i - first] = s->items[i].id;
    return scree_objects_of(&s->boxes, zone, ids, last - first, sink);
}

/* Searches chunks that begin before the zone ends and end after it begins. */
static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const sap *s = instance;
    const uint32_t axis = s->order[0];
    const float lo = scree_to_float(zone->lo[axis], s->origin[axis]);
    const float hi = scree_to_float(zone->hi[axis], s->origin[axis]);
    int32_t status = SCREE_OK;
    for (uint64_t c = 0; c < count_chunks(s) && status == SCREE_OK; c++) {
        const uint64_t end = (c + 1) * CHUNK < s->n ? (c + 1) * CHUNK : s->n;
        if (s->lo[0][c * CHUNK] > hi)
            break;
        if (s->farthest[c] >= lo)
            status = look_at(s, zone, (uint32_t)(c * CHUNK), (uint32_t)end, sink);
    }
    return status;
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    sap *s = instance;
    if (!s)
        return;
    for (uint32_t k = 0; k < 3; k++) {
        free(s->lo[k]);
        free(s->hi[k]);
    }
    free(s->items);
    free(s->spare);
    free(s->farthest);
    free(s);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    sap *s = calloc(1, sizeof *s);
    if (!s)
        return host->fail(host->ctx, SCREE_E_MEMORY, "sap_simd: out of memory");
    s->host = host;
    s->config = config;
    *instance = s;
    return SCREE_OK;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    sap *s = instance;
    (void)flags;
    scree_boxes_keep(&s->boxes, boxes);
    s->n = 0;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const sap *s = instance;
    uint64_t sum = sizeof *s;
    for (uint32_t k = 0; k < 9; k++)
        sum += s->room[k] * (k < 2 ? sizeof(item) : sizeof(float));
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

SCREE_CHOICE_VALUE(spread, SPREAD, "largest standard deviation of the boxes' middles");
SCREE_CHOICE_VALUE(widest, WIDEST, "largest extent of all boxes together");
SCREE_CHOICE_PARAM(settings, axis, SCREE_PARAM_LIVE, "spread",
                   "which axis is swept: spread, or widest", &choice_spread, &choice_widest);
static const scree_param *const params[] = {&param_axis};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "sap_simd",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "one sweep along the axis of largest spread, vectorised",
    .summary = "Boxes are sorted along one axis; each is tested, several at a time, against the "
               "run of boxes that begin before it ends. Best for long and thin domains.",
    .citation = "Cohen, J. D. et al. (1995): Proc. Symposium on Interactive 3D Graphics, 189-196; "
                "Ericson, C. (2005): Real-Time Collision Detection, section 7.5.2",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
