// SPDX-License-Identifier: Apache-2.0
/*
 * Rows of boxes in growing groups, each indexed by a GCD of its own.
 *
 * Idea: a GCD without increments pays for all of its boxes at each step_init. So rows that come
 * later are searched by hand while they are few (FEW), then they make a group with an instance of
 * its own. A new group takes in the groups before it that are not GROWTH times as large as itself
 * (the logarithmic method: Bentley and Saxe, "Decomposable searching problems I", J. Algorithms 1,
 * 1980, 301-358), so that there are log_GROWTH(n / FEW) groups at most, and a row is indexed a few
 * times in all. Groups are ranges of rows, the oldest and largest first: most boxes that are taken
 * are found in the first group.
 *
 * Cost: amortised O(log n) of indexing per row, n in one piece O(n); a question asks each group.
 * Memory: 80 bytes a row, and what the GCD takes.
 */
#include "scene/query_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "plugin/call.h"
#include "plugin/instance.h"

enum { FEW = 128, GROWTH = 6, COLUMNS = 10, MOST_GROUPS = 32, PIECE = 64 };

typedef struct group {
    uint32_t first, end;
    scree_instance *gcd;
    scree_boxes boxes;
} group;

struct scree_query_index {
    scree_runtime *runtime;
    scree_query_gcd_fn choose;
    void *user;
    double *memory; // lo, hi, centre of three axes each, radius
    double *column[COLUMNS];
    uint32_t n, capacity;
    uint32_t n_in_groups;
    group groups[MOST_GROUPS];
    uint32_t n_groups;
    uint64_t n_indexed;
    double lo[3], hi[3];
    uint32_t *found; // of the group that is asked
    uint64_t n_found, found_capacity, reserved;
    bool too_many; // it has committed more than it had reserved
};

scree_query_index *scree_query_index_new(scree_runtime *runtime, scree_query_gcd_fn gcd, void *user)
{
    scree_query_index *x = g_new0(scree_query_index, 1);
    x->runtime = runtime;
    x->choose = gcd;
    x->user = user;
    for (int k = 0; k < 3; k++) {
        x->lo[k] = HUGE_VAL;
        x->hi[k] = -HUGE_VAL;
    }
    return x;
}

void scree_query_index_free(scree_query_index *x)
{
    if (!x)
        return;
    for (uint32_t g = 0; g < x->n_groups; g++)
        scree_instance_free(x->groups[g].gcd);
    free(x->memory);
    g_free(x->found);
    g_free(x);
}

/** Arrays that move are no longer those that the groups were given: they are indexed again. */
static void drop_groups(scree_query_index *x, uint32_t first)
{
    for (uint32_t g = first; g < x->n_groups; g++)
        scree_instance_free(x->groups[g].gcd);
    x->n_groups = MIN(x->n_groups, first);
    x->n_in_groups = first ? x->groups[first - 1].end : 0;
}

void scree_query_index_reserve(scree_query_index *x, uint32_t n)
{
    if (n <= x->capacity)
        return;
    const uint32_t capacity =
        (MAX(n, x->capacity < UINT32_MAX / 2 ? 2 * x->capacity : n) + 7) / 8 * 8;
    void *memory = NULL;
    const uint64_t bytes = (uint64_t)capacity * COLUMNS * sizeof(double);
    if (posix_memalign(&memory, 64, bytes))
        scree_out_of_memory(bytes, NULL);
    drop_groups(x, 0);
    for (int c = 0; c < COLUMNS; c++) {
        double *to = (double *)memory + (uint64_t)c * capacity;
        if (x->n)
            memcpy(to, x->column[c], x->n * sizeof *to);
        x->column[c] = to;
    }
    free(x->memory);
    x->memory = memory;
    x->capacity = capacity;
}

void scree_query_index_add(scree_query_index *x, const scree_query_row *r)
{
    const uint32_t row = x->n;
    scree_query_index_reserve(x, row + 1);
    for (int k = 0; k < 3; k++) {
        x->column[k][row] = r->lo[k];
        x->column[3 + k][row] = r->hi[k];
        x->column[6 + k][row] = r->centre[k];
        x->lo[k] = fmin(x->lo[k], r->lo[k]);
        x->hi[k] = fmax(x->hi[k], r->hi[k]);
    }
    x->column[9][row] = r->radius;
    x->n++;
}

uint32_t scree_query_index_rows(const scree_query_index *x)
{
    return x->n;
}

void scree_query_index_box(const scree_query_index *x, uint32_t row, double lo[3], double hi[3])
{
    for (int k = 0; k < 3; k++) {
        lo[k] = x->column[k][row];
        hi[k] = x->column[3 + k][row];
    }
}

void scree_query_index_bounds(const scree_query_index *x, double lo[3], double hi[3])
{
    memcpy(lo, x->lo, sizeof x->lo);
    memcpy(hi, x->hi, sizeof x->hi);
}

void scree_query_index_stats(const scree_query_index *x, uint32_t *n_groups, uint64_t *n_indexed)
{
    *n_groups = x->n_groups;
    *n_indexed = x->n_indexed;
}

/* ---- groups ---- */

/** Gives the rows [first, end) to an instance. */
static bool fill_group(scree_query_index *x, group *g, uint32_t first, uint32_t end, GError **error)
{
    const scree_gcd_ops *ops = g->gcd->ops;
    uint64_t pivots = 0;
    g->first = first;
    g->end = end;
    g->boxes = (scree_boxes){.size = sizeof g->boxes,
                             .dimension = x->runtime->dimension,
                             .n = end - first,
                             .radius = x->column[9] + first};
    for (int k = 0; k < 3; k++) {
        g->boxes.lo[k] = x->column[k] + first;
        g->boxes.hi[k] = x->column[3 + k] + first;
        g->boxes.centre[k] = x->column[6 + k] + first;
    }
    scree_call call = scree_call_begin(g->gcd, SCREE_CALL_STEP, "init");
    int32_t code = ops->init(g->gcd->self, &g->boxes, 0);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    call = scree_call_begin(g->gcd, SCREE_CALL_STEP, "step_init");
    code = ops->step_init(g->gcd->self, &g->boxes, NULL, 0, &pivots);
    x->n_indexed += end - first;
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

/** Makes a group of the rows that are in none, and of groups before them that have not grown away;
 * the rest, fewer than 8, is searched by hand. */
static bool index_rows(scree_query_index *x, GError **error)
{
    const uint32_t end = x->n / 8 * 8;
    uint32_t at = x->n_groups, first = x->n_in_groups;
    if (x->n - x->n_in_groups <= FEW)
        return true;
    while (at > 0 &&
           (x->groups[at - 1].end - x->groups[at - 1].first) < (uint64_t)GROWTH * (end - first)) {
        at--;
        first = x->groups[at].first;
    }
    const bool reuse = at < x->n_groups;
    scree_instance *gcd = reuse ? g_steal_pointer(&x->groups[at].gcd) : NULL;
    drop_groups(x, at);
    if (!gcd) {
        const scree_choice_of *choice = x->choose(x->user, error);
        gcd = choice ? scree_instance_new(x->runtime, choice, "query.gcd", error) : NULL;
    }
    if (!gcd)
        return false;
    x->groups[at].gcd = gcd;
    x->n_groups = at + 1;
    x->n_in_groups = end;
    if (fill_group(x, &x->groups[at], first, end, error))
        return true;
    drop_groups(x, at);
    return false;
}

/* ---- questions ---- */

static bool overlaps(const scree_query_index *x, uint32_t row, const double lo[3],
                     const double hi[3])
{
    bool apart = false;
    for (int k = 0; k < 3; k++)
        apart |= x->column[k][row] > hi[k] || x->column[3 + k][row] < lo[k];
    return !apart;
}

/** The rows that are in no group: a pass over pieces, the rows in them only where one is near. */
static bool look_by_hand(const scree_query_index *x, const double lo[3], const double hi[3],
                         scree_query_row_fn fn, void *user)
{
    for (uint32_t begin = x->n_in_groups; begin < x->n; begin += PIECE) {
        const uint32_t n = MIN(PIECE, x->n - begin);
        uint8_t near[PIECE] = {0};
        const double *l0 = x->column[0] + begin, *l1 = x->column[1] + begin,
                     *l2 = x->column[2] + begin, *h0 = x->column[3] + begin,
                     *h1 = x->column[4] + begin, *h2 = x->column[5] + begin;
        for (uint32_t i = 0; i < n; i++)
            near[i] = (uint8_t)((l0[i] <= hi[0]) & (h0[i] >= lo[0]) & (l1[i] <= hi[1]) &
                                (h1[i] >= lo[1]) & (l2[i] <= hi[2]) & (h2[i] >= lo[2]));
        for (uint32_t i = 0; i < n; i++)
            if (near[i] && !fn(user, begin + i))
                return false;
    }
    return true;
}

static int32_t sink_reserve(scree_index_sink *sink, uint64_t n, uint32_t **out)
{
    scree_query_index *x = sink->ctx;
    if (x->n_found + n > x->found_capacity) {
        x->found_capacity = MAX(x->n_found + n, 2 * x->found_capacity);
        x->found = g_renew(uint32_t, x->found, x->found_capacity);
    }
    *out = x->found + x->n_found;
    x->reserved = n;
    return SCREE_OK;
}

static int32_t sink_commit(scree_index_sink *sink, uint64_t n)
{
    scree_query_index *x = sink->ctx;
    if (n > x->reserved) { // the caller blames the plugin
        x->too_many = true;
        return SCREE_E_INTERNAL;
    }
    x->n_found += n;
    x->reserved -= n;
    return SCREE_OK;
}

/** A box number that is out of range is a fault. */
static bool check_found(const scree_query_index *x, const group *g, GError **error)
{
    for (uint64_t i = 0; i < x->n_found; i++)
        if (x->found[i] >= g->boxes.n)
            return scree_call_blame(g->gcd, "find_objects", SCREE_EXIT_PLUGIN, error,
                                    "it gave box %u of %u", x->found[i], g->boxes.n);
    return true;
}

/** *go_on: the caller wants more. */
static bool look_in_group(scree_query_index *x, group *g, const scree_region *region,
                          scree_query_row_fn fn, void *user, bool *go_on, GError **error)
{
    const scree_gcd_ops *ops = g->gcd->ops;
    scree_index_sink sink = {
        .size = sizeof sink, .ctx = x, .reserve = sink_reserve, .commit = sink_commit};
    x->n_found = x->reserved = 0;
    x->too_many = false;
    scree_call call = scree_call_begin(g->gcd, SCREE_CALL_LANE, "find_objects");
    int32_t code = ops->find_objects(g->gcd->self, region, &sink);
    if (x->too_many)
        scree_instance_misbehaved(g->gcd, "it committed more boxes than it had reserved");
    if (scree_call_end(&call, code, SCREE_OK, error) < 0 || !check_found(x, g, error))
        return false;
    for (uint64_t i = 0; i < x->n_found && *go_on; i++) {
        const uint32_t row = g->first + x->found[i];
        if (overlaps(x, row, region->lo, region->hi))
            *go_on = fn(user, row);
    }
    return true;
}

bool scree_query_index_each(scree_query_index *x, const double lo[3], const double hi[3],
                            scree_query_row_fn fn, void *user, GError **error)
{
    bool go_on = true;
    scree_region region = {.size = sizeof region, .type = SCREE_REGION_BOX};
    memcpy(region.lo, lo, sizeof region.lo);
    memcpy(region.hi, hi, sizeof region.hi);
    if (!index_rows(x, error))
        return false;
    for (uint32_t g = 0; g < x->n_groups && go_on; g++)
        if (!look_in_group(x, &x->groups[g], &region, fn, user, &go_on, error))
            return false;
    if (go_on)
        look_by_hand(x, lo, hi, fn, user);
    return true;
}
