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
 * Memory: 184 bytes per row, and that of the GCD.
 */
#include "tools/query/query_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 1e-14 /* [-] relative to coordinates: boxes of questions are widened */
enum { FEW = 128, GROWTH = 6, COLUMNS = 10, MOST_GROUPS = 32 };
G_STATIC_ASSERT(offsetof(scree_query_row, id) == COLUMNS * sizeof(double));

typedef struct group {
    uint32_t first, n; // its rows
    scree_instance *gcd;
    double *columns; // of the members of rows before `id`
    scree_boxes boxes;
} group;

struct scree_query_index {
    const scree_scene *scene;
    scree_runtime *runtime;
    GArray *rows; // elements: scree_query_row
    group groups[MOST_GROUPS];
    uint32_t n_groups;
    double lo[3], hi[3]; // box around all rows
    uint32_t *found;     // boxes of the group that is asked
    uint64_t n_found, found_capacity, reserved;
    bool too_many; // it has committed more boxes than it had reserved
};

static void clear_group(group *g)
{
    query_host->instance_free(g->gcd);
    free(g->columns);
    *g = (group){.gcd = NULL};
}

void scree_query_index_clear(scree_query_index *x)
{
    while (x->n_groups > 0)
        clear_group(&x->groups[--x->n_groups]);
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

/* ---- groups ---- */

/** Copies the boxes of the group's rows in the layout of GCDs. */
static void fill_columns(const scree_query_index *x, group *g)
{
    const size_t room = ((size_t)g->n + 7) / 8 * 8; // columns begin at a cache line
    free(g->columns);
    double *to = g->columns = query_host->aligned_new(COLUMNS * room * sizeof *to);
    g->boxes = (scree_boxes){.size = sizeof g->boxes,
                             .dimension = x->runtime->dimension,
                             .n = g->n,
                             .lo = {to, to + room, to + 2 * room},
                             .hi = {to + 3 * room, to + 4 * room, to + 5 * room},
                             .centre = {to + 6 * room, to + 7 * room, to + 8 * room},
                             .radius = to + 9 * room};
    for (uint32_t i = 0; i < g->n; i++) {
        double v[COLUMNS];
        memcpy(v, row_at(x, g->first + i), sizeof v);
        for (size_t k = 0; k < COLUMNS; k++)
            to[k * room + i] = v[k];
    }
}

/** Gives the rows of the group to its instance, which is made if it is missing. */
static bool index_group(scree_query_index *x, group *g, GError **error)
{
    if (!g->gcd) {
        const scree_choice_of *choice = query_host->scene_query_gcd(x->scene, error);
        g->gcd = choice ? query_host->instance_new(x->runtime, choice, "query.gcd", error) : NULL;
    }
    if (!g->gcd)
        return false;
    fill_columns(x, g);
    return query_host->ask_index(g->gcd, &g->boxes, error);
}

/** Returns the first row behind the first `n` groups. */
static uint32_t end_of_groups(const scree_query_index *x, uint32_t n)
{
    return n ? x->groups[n - 1].first + x->groups[n - 1].n : 0;
}

/** Makes a group of the rows without one and of earlier groups that are not much larger. */
static bool index_rows(scree_query_index *x, GError **error)
{
    uint32_t at = x->n_groups, first = end_of_groups(x, at);
    if (x->rows->len - first <= FEW)
        return true;
    while (at > 0 && x->groups[at - 1].n < (uint64_t)GROWTH * (x->rows->len - first))
        first = x->groups[--at].first;
    while (x->n_groups > at + 1)
        clear_group(&x->groups[--x->n_groups]);
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
    x->too_many |= n > x->reserved; // the caller blames the plugin
    if (x->too_many)
        return SCREE_E_INTERNAL;
    x->n_found += n;
    x->reserved -= n;
    return SCREE_OK;
}

/** Sets `found` to the boxes of a group in a zone, as its GCD finds them. */
static bool find_in_group(scree_query_index *x, const group *g, const scree_zone *zone,
                          GError **error)
{
    scree_index_sink sink = {
        .size = sizeof sink, .ctx = x, .reserve = sink_reserve, .commit = sink_commit};
    x->n_found = x->reserved = 0;
    x->too_many = false;
    g_autoptr(GError) failed = NULL;
    query_host->ask_objects(g->gcd, zone, &sink, &failed);
    if (x->too_many)
        return query_host->call_blame(g->gcd, "find_objects", SCREE_EXIT_PLUGIN, error,
                                      "it committed more boxes than it had reserved");
    if (failed) {
        g_propagate_error(error, g_steal_pointer(&failed));
        return false;
    }
    for (uint64_t i = 0; i < x->n_found; i++)
        if (x->found[i] >= g->n)
            return query_host->call_blame(g->gcd, "find_objects", SCREE_EXIT_PLUGIN, error,
                                          "it gave box %u of %u", x->found[i], g->n);
    return true;
}

/** A question about one image. */
typedef struct image_question {
    scree_zone zone; // the box that is asked, where the rows are
    double shift[3]; // [m] of the rows
    scree_query_row_fn fn;
    void *user;
} image_question;

/** Gives a row to the asker, if its box meets the zone. False: stop. */
static bool give_row(const image_question *q, const scree_query_row *row)
{
    const double *lo = q->zone.lo, *hi = q->zone.hi;
    const bool meets = row->lo[0] <= hi[0] && row->hi[0] >= lo[0] && row->lo[1] <= hi[1] &&
                       row->hi[1] >= lo[1] && row->lo[2] <= hi[2] && row->hi[2] >= lo[2];
    return !meets || q->fn(q->user, row, q->shift);
}

/** Asks about one image. *on: the asker wants more rows. */
static bool ask_image(scree_query_index *x, const image_question *q, bool *on, GError **error)
{
    for (uint32_t k = 0; k < x->n_groups && *on; k++) {
        if (!find_in_group(x, &x->groups[k], &q->zone, error))
            return false;
        for (uint64_t i = 0; i < x->n_found && *on; i++)
            *on = give_row(q, row_at(x, x->groups[k].first + x->found[i]));
    }
    for (uint32_t i = end_of_groups(x, x->n_groups); i < x->rows->len && *on; i++)
        *on = give_row(q, row_at(x, i));
    return true;
}

bool scree_query_index_each(scree_query_index *x, const scree_images *images, const double lo[3],
                            const double hi[3], scree_query_row_fn fn, void *user, GError **error)
{
    image_question q = {{.size = sizeof q.zone, .type = SCREE_ZONE_BOX}, .fn = fn, .user = user};
    scree_images m = *images;
    double slack[3];
    int32_t c[3] = {0, 0, 0}, last[3];
    bool on = true;
    if (!x->rows->len)
        return true;
    if (!index_rows(x, error))
        return false;
    for (int k = 0; k < 3; k++) {
        slack[k] = SLACK * (fabs(lo[k]) + fabs(hi[k]) + fabs(x->lo[k]) + fabs(x->hi[k]));
        m.least[k] = lo[k] - slack[k] - x->hi[k];
        m.most[k] = hi[k] + slack[k] - x->lo[k];
    }
    for (scree_images_range(&m, 2, c, last); c[2] <= last[2]; c[2]++)
        for (scree_images_range(&m, 1, c, last); c[1] <= last[1]; c[1]++)
            for (scree_images_range(&m, 0, c, last); c[0] <= last[0] && on; c[0]++) {
                scree_shift(m.cell, c, q.shift);
                for (int k = 0; k < 3; k++) {
                    q.zone.lo[k] = lo[k] - slack[k] - q.shift[k];
                    q.zone.hi[k] = hi[k] + slack[k] - q.shift[k];
                }
                if (!ask_image(x, &q, &on, error))
                    return false;
            }
    return true;
}
