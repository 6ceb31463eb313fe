// SPDX-License-Identifier: Apache-2.0
/*
 * Parts of bodies in growing groups, each indexed by its own GCD.
 *
 * Idea: a GCD without increments pays for all of its boxes at each step_init. So new rows are
 * searched one by one while they are few (FEW); then they become a group with its own instance. A
 * new group takes in earlier groups that are less than GROWTH times as large as itself (the
 * logarithmic method: Bentley and Saxe, "Decomposable searching problems I", J. Algorithms 1, 1980,
 * 301-358). So at most log_GROWTH(n / FEW) groups exist, and a row is indexed only a few times.
 * Groups are ranges of rows, the oldest and largest first: most hits are in the first group.
 *
 * Cost: indexing amortised O(log n) per row, O(n) for n rows at once; a question asks each group.
 * Memory: 176 bytes per row, and that of the GCD.
 */
#include "scene/query_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "scene/scene_plugins.h"

enum { FEW = 128, GROWTH = 6, COLUMNS = 10, MOST_GROUPS = 32 };

typedef struct group {
    uint32_t first, n; // its rows
    scree_instance *gcd;
    double *columns; // three axes of lo, hi and centre; radius
    scree_boxes boxes;
} group;

struct scree_query_index {
    const scree_scene *scene;
    scree_runtime *runtime;
    GArray *rows; // elements: scree_query_row
    group groups[MOST_GROUPS];
    uint32_t n_groups;
    double lo[3], hi[3];
    uint32_t *found; // boxes of the group that is asked
    uint64_t n_found, found_capacity, reserved;
    bool too_many; // it has committed more boxes than it had reserved
};

static void clear_group(group *g)
{
    scree_instance_free(g->gcd);
    free(g->columns);
    *g = (group){.gcd = NULL};
}

void scree_query_index_clear(scree_query_index *x)
{
    for (uint32_t g = 0; g < x->n_groups; g++)
        clear_group(&x->groups[g]);
    x->n_groups = 0;
    g_array_set_size(x->rows, 0);
    for (int k = 0; k < 3; k++) {
        x->lo[k] = HUGE_VAL;
        x->hi[k] = -HUGE_VAL;
    }
}

scree_query_index *scree_query_index_new(const scree_scene *scene, scree_runtime *runtime)
{
    scree_query_index *x = g_new0(scree_query_index, 1);
    x->scene = scene;
    x->runtime = runtime;
    x->rows = g_array_new(FALSE, FALSE, sizeof(scree_query_row));
    scree_query_index_clear(x);
    return x;
}

void scree_query_index_free(scree_query_index *x)
{
    if (!x)
        return;
    scree_query_index_clear(x);
    g_array_unref(x->rows);
    g_free(x->found);
    g_free(x);
}

static const scree_query_row *row_at(const scree_query_index *x, uint32_t row)
{
    return &g_array_index(x->rows, scree_query_row, row);
}

void scree_query_index_add(scree_query_index *x, const scree_query_row *row)
{
    g_array_append_vals(x->rows, row, 1);
    for (int k = 0; k < 3; k++) {
        x->lo[k] = fmin(x->lo[k], row->lo[k]);
        x->hi[k] = fmax(x->hi[k], row->hi[k]);
    }
}

bool scree_query_index_bounds(const scree_query_index *x, double lo[3], double hi[3])
{
    memcpy(lo, x->lo, sizeof x->lo);
    memcpy(hi, x->hi, sizeof x->hi);
    return x->rows->len > 0;
}

/* ---- groups ---- */

/** Copies the boxes of the group's rows in the layout of GCDs. */
static void fill_columns(const scree_query_index *x, group *g)
{
    const size_t room = ((size_t)g->n + 7) / 8 * 8; // columns begin at a cache line
    free(g->columns);
    double *to = g->columns = scree_aligned_new(COLUMNS * room * sizeof *to);
    g->boxes = (scree_boxes){.size = sizeof g->boxes,
                             .dimension = x->runtime->dimension,
                             .n = g->n,
                             .lo = {to, to + room, to + 2 * room},
                             .hi = {to + 3 * room, to + 4 * room, to + 5 * room},
                             .centre = {to + 6 * room, to + 7 * room, to + 8 * room},
                             .radius = to + 9 * room};
    for (uint32_t i = 0; i < g->n; i++, to++) {
        const scree_query_row *row = row_at(x, g->first + i);
        for (int k = 0; k < 3; k++) {
            to[(size_t)k * room] = row->lo[k];
            to[(size_t)(3 + k) * room] = row->hi[k];
            to[(size_t)(6 + k) * room] = row->centre[k];
        }
        to[9 * room] = row->radius;
    }
}

/** Gives the rows of the group to its instance, which is made if it is missing. */
static bool index_group(scree_query_index *x, group *g, GError **error)
{
    uint64_t pivots = 0;
    if (!g->gcd) {
        const scree_choice_of *choice = scree_scene_query_gcd(x->scene, error);
        g->gcd = choice ? scree_instance_new(x->runtime, choice, "query.gcd", error) : NULL;
    }
    if (!g->gcd)
        return false;
    const scree_gcd_ops *ops = g->gcd->ops;
    fill_columns(x, g);
    scree_call call = scree_call_begin(g->gcd, SCREE_CALL_STEP, "init");
    int32_t code = ops->init(g->gcd->self, &g->boxes, 0);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    call = scree_call_begin(g->gcd, SCREE_CALL_STEP, "step_init");
    code = ops->step_init(g->gcd->self, &g->boxes, NULL, 0, &pivots);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

/** Returns the first row without a group, if the groups end before `at`. */
static uint32_t end_of_groups(const scree_query_index *x, uint32_t at)
{
    return at ? x->groups[at - 1].first + x->groups[at - 1].n : 0;
}

/** Makes a group of the rows without one and of earlier groups that are not much larger. */
static bool index_rows(scree_query_index *x, GError **error)
{
    uint32_t at = x->n_groups, first = end_of_groups(x, at);
    if (x->rows->len - first <= FEW)
        return true;
    while (at > 0 && x->groups[at - 1].n < (uint64_t)GROWTH * (x->rows->len - first))
        first = x->groups[--at].first;
    for (uint32_t g = at + 1; g < x->n_groups; g++)
        clear_group(&x->groups[g]);
    group *made = &x->groups[at]; // keeps the instance of the replaced group
    made->first = first;
    made->n = x->rows->len - first;
    x->n_groups = at + 1;
    if (index_group(x, made, error))
        return true;
    clear_group(made);
    x->n_groups = at;
    return false;
}

/* ---- questions ---- */

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

/** Sets `found` to the boxes of a group in a zone, as its GCD finds them. */
static bool find_in_group(scree_query_index *x, const group *g, const scree_zone *zone,
                          GError **error)
{
    const scree_gcd_ops *ops = g->gcd->ops;
    scree_index_sink sink = {
        .size = sizeof sink, .ctx = x, .reserve = sink_reserve, .commit = sink_commit};
    x->n_found = x->reserved = 0;
    x->too_many = false;
    scree_call call = scree_call_begin(g->gcd, SCREE_CALL_LANE, "find_objects");
    int32_t code = ops->find_objects(g->gcd->self, zone, &sink);
    if (x->too_many)
        scree_instance_misbehaved(g->gcd, "it committed more boxes than it had reserved");
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    for (uint64_t i = 0; i < x->n_found; i++)
        if (x->found[i] >= g->n)
            return scree_call_blame(g->gcd, "find_objects", SCREE_EXIT_PLUGIN, error,
                                    "it gave box %u of %u", x->found[i], g->n);
    return true;
}

bool scree_query_index_each(scree_query_index *x, const double lo[3], const double hi[3],
                            scree_query_row_fn fn, void *user, GError **error)
{
    scree_zone zone = {.size = sizeof zone, .type = SCREE_ZONE_BOX};
    memcpy(zone.lo, lo, sizeof zone.lo);
    memcpy(zone.hi, hi, sizeof zone.hi);
    if (!index_rows(x, error))
        return false;
    for (uint32_t k = 0; k < x->n_groups; k++) {
        const group *g = &x->groups[k];
        if (!find_in_group(x, g, &zone, error))
            return false;
        for (uint64_t i = 0; i < x->n_found; i++) {
            const scree_query_row *row = row_at(x, g->first + x->found[i]);
            if (scree_query_row_overlaps(row, lo, hi) && !fn(user, row))
                return true;
        }
    }
    for (uint32_t i = end_of_groups(x, x->n_groups); i < x->rows->len; i++)
        if (scree_query_row_overlaps(row_at(x, i), lo, hi) && !fn(user, row_at(x, i)))
            return true;
    return true;
}
