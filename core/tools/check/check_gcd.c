/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the promises of a GCD (gcd.h), compared with brute force on the scenes of
 * check_gcd_boxes.c: in each dimension, with and without SCREE_GCD_SPHERES, with each choice of its
 * parameters. Each promise is one case, so that one mistake fails one case, whatever the boxes. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scree/draft/layout.h"
#include "scree/sdk.h"
#include "tools/check/check_gcd.h"

#include "tools/check/check_gcd_bench.h"
#include "tools/check/check_gcd_boxes.h"
#include "tools/check/check_gcd_surfaces.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

enum { MOST_LANES = 16, MOST_STEPS = 4 };

/* ---- what is required ---- */

static bool spheres_meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    double d2 = 0.0, reach = b->radius[i] + b->radius[j];
    for (uint32_t k = 0; k < 3; k++) {
        double d = b->centre[k][i] - b->centre[k][j];
        d2 += d * d;
    }
    return d2 <= reach * reach;
}

/* The inner loop of brute force; `restrict` lets the compiler vectorise it. */
static void keep_overlapping(uint32_t first, uint32_t n, const double *restrict lo,
                             const double *restrict hi, double low, double high,
                             uint8_t *restrict hit)
{
    for (uint32_t j = first; j < n; j++)
        hit[j] &= (uint8_t)((lo[j] <= high) & (low <= hi[j]));
}

/** hit[j], j > i: whether the pair (i, j) is required. */
static void require(const scree_gcd_bench *t, uint32_t i, uint8_t *hit)
{
    const scree_boxes *b = &t->boxes.view;
    memset(hit, 1, b->n);
    for (uint32_t k = 0; k < t->dimension; k++)
        keep_overlapping(i + 1, b->n, b->lo[k], b->hi[k], b->lo[k][i], b->hi[k][i], hit);
    for (uint32_t j = i + 1; (t->flags & SCREE_GCD_SPHERES) && j < b->n; j++)
        hit[j] = hit[j] && spheres_meet(b, i, j);
}

/** Whether a box must be found. The axis of a cylinder is parallel to one of space. */
static bool zone_meets(const scree_zone *z, const scree_boxes *b, uint32_t i)
{
    double d2 = 0.0;
    bool inside = !scree_box_empty(b, i);
    for (uint32_t k = 0; k < 3; k++) {
        const double lo = b->lo[k][i], hi = b->hi[k][i];
        const double below = lo - fmax(z->a[k], z->b[k]), above = fmin(z->a[k], z->b[k]) - hi;
        const double d = fmax(fmax(below, above), 0.0); // of the centre or axis from the box
        d2 += d * d;
        inside = inside && lo <= z->hi[k] && z->lo[k] <= hi;
    }
    return inside && (z->type == SCREE_ZONE_BOX || d2 <= z->radius * z->radius);
}

/** Fails when a required pair was not found; `moved`: one of its boxes has moved (NULL: all
 * count). */
static bool none_missed(scree_gcd_bench *t, const uint8_t *moved)
{
    const uint64_t n = t->may_miss ? 0 : t->boxes.n;
    g_autofree uint8_t *hit = g_malloc(n + 1);
    for (uint32_t i = 0; i < n; i++) {
        require(t, i, hit);
        for (uint32_t j = i + 1; j < n; j++) {
            if (!hit[j] || t->seen[i * n + j] || (moved && !moved[i] && !moved[j]))
                continue;
            scree_gcd_fail(t, "it missed the pair (%u, %u) of %u boxes", i, j, t->boxes.n);
            return false;
        }
    }
    return true;
}

/** Fails for a repeated or an invalid pair. */
static bool each_once(scree_gcd_bench *t)
{
    const scree_boxes *b = &t->boxes.view;
    const uint64_t n = b->n;
    for (guint p = 0; p < t->pairs.list.found->len; p++) {
        scree_pair v = g_array_index(t->pairs.list.found, scree_pair, p);
        const char *sin = v.a >= n || v.b >= n ? "a number out of range" : NULL;
        if (!sin && v.a == v.b)
            sin = "a box with itself";
        if (!sin && (scree_box_empty(b, v.a) || scree_box_empty(b, v.b)))
            sin = "an empty slot";
        if (!sin && t->seen[MIN(v.a, v.b) * n + MAX(v.a, v.b)] > 1)
            sin = "a pair twice";
        if (!sin)
            continue;
        scree_gcd_fail(t, "it gave %s: (%u, %u) of %u boxes", sin, v.a, v.b, b->n);
        return false;
    }
    return true;
}

/* ---- the promises ---- */

static bool judge_missed(scree_gcd_bench *t)
{
    return scree_gcd_find_all(t, NULL, 0) && none_missed(t, NULL);
}

static bool judge_once(scree_gcd_bench *t)
{
    return scree_gcd_find_all(t, NULL, 0) && each_once(t);
}

/** Fails unless the part has each pair as often as the whole; it changes t->seen. */
static bool same_as_whole(scree_gcd_bench *t)
{
    const GArray *part = t->part.list.found, *whole = t->pairs.list.found;
    const uint64_t n = t->boxes.n;
    for (guint p = 0; p < part->len; p++) {
        scree_pair v = g_array_index(part, scree_pair, p);
        if (v.a >= n || v.b >= n || t->seen[MIN(v.a, v.b) * n + MAX(v.a, v.b)]--)
            continue;
        scree_gcd_fail(t, "ranges of pivots taken one after the other give (%u, %u) more often",
                       v.a, v.b);
        return false;
    }
    if (part->len != whole->len)
        scree_gcd_fail(t,
                       "ranges of pivots taken one after the other give %u pairs, all at once %u",
                       part->len, whole->len);
    return part->len == whole->len;
}

static bool judge_split(scree_gcd_bench *t)
{
    if (!scree_gcd_find_all(t, NULL, 0))
        return false;
    scree_gcd_open_pairs(&t->part, 0, false);
    for (uint64_t first = 0; first < t->n_pivots;) {
        uint64_t most = MIN(t->n_pivots - first, 50);
        uint64_t last = first + scree_check_below(&t->boxes.random, (uint32_t)most + 1);
        if (!scree_gcd_find(t, first, last, &t->part))
            return false;
        first = last;
    }
    return same_as_whole(t);
}

/** Sets the centre of a ball, or the axis of a cylinder, and the box around them. */
static void make_round(scree_gcd_bench *t, scree_zone *z, const double at[3], double scale)
{
    const uint32_t axis =
        z->type == SCREE_ZONE_CYLINDER ? scree_check_below(&t->boxes.random, 3) : 3;
    z->radius = scale;
    for (uint32_t k = 0; k < 3; k++) {
        const double reach = k < t->dimension && k != axis ? scale : 0.0;
        z->a[k] = z->b[k] = at[k];
        if (k == axis) // a long one, a short one
            z->b[k] = fmin(at[k] + scale * exp(scree_check_uniform(&t->boxes.random, -3.0, 3.0)),
                           DBL_MAX);
        z->lo[k] = fmax(z->a[k] - reach, -DBL_MAX);
        z->hi[k] = fmin(z->b[k] + reach, DBL_MAX);
    }
}

/** A zone as large as the surroundings of a box, far larger, or a point. */
static scree_zone draw_zone(scree_gcd_bench *t)
{
    scree_check_boxes *w = &t->boxes;
    const uint32_t n_types = t->dimension == 3 ? SCREE_ZONE_CYLINDER : SCREE_ZONE_BALL;
    scree_zone z = {.size = sizeof z, .type = 1 + scree_check_below(&w->random, n_types)};
    uint32_t i = w->n ? scree_check_below(&w->random, w->n) : 0;
    double at[3] = {0, 0, 0}, scale = 1.0;
    if (w->n && !scree_box_empty(&w->view, i)) {
        scale = w->radius[i] * exp(scree_check_uniform(&w->random, -3.0, 6.0)) *
                (scree_check_below(&w->random, 8) != 0);
        scale = fmin(scale, DBL_MAX);
        for (uint32_t k = 0; k < w->dimension; k++)
            at[k] = scree_check_below(&w->random, 4)
                        ? fmin(scree_check_uniform(&w->random, w->lo[k][i], w->hi[k][i]), DBL_MAX)
                        : w->lo[k][i];
    }
    if (z.type != SCREE_ZONE_BOX) {
        make_round(t, &z, at, scale);
        return z;
    }
    for (uint32_t k = 0; k < w->dimension; k++) {
        z.lo[k] = fmax(at[k] - scale * scree_check_uniform(&w->random, 0, 1), -DBL_MAX);
        z.hi[k] = fmin(at[k] + scale * scree_check_uniform(&w->random, 0, 1), DBL_MAX);
    }
    return z;
}

static bool judge_zone(scree_gcd_bench *t, const scree_zone *zone)
{
    const scree_boxes *b = &t->boxes.view;
    const GArray *found = t->found.list.found;
    guint at = 0;
    for (guint f = 0; f < found->len; f++) {
        uint32_t i = g_array_index(found, uint32_t, f);
        bool twice = f > 0 && i == g_array_index(found, uint32_t, f - 1);
        if (i < b->n && !scree_box_empty(b, i) && !twice)
            continue;
        scree_gcd_fail(t, "find_objects gave box %u of %u%s", i, b->n,
                       twice      ? " twice"
                       : i < b->n ? ", an empty slot"
                                  : "");
        return false;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        while (at < found->len && g_array_index(found, uint32_t, at) < i)
            at++;
        if ((at < found->len && g_array_index(found, uint32_t, at) == i) || !zone_meets(zone, b, i))
            continue;
        scree_gcd_fail(t, "find_objects missed box %u of %u in a %s", i, b->n,
                       zone->type == SCREE_ZONE_BALL       ? "ball"
                       : zone->type == SCREE_ZONE_CYLINDER ? "cylinder"
                                                           : "box");
        return false;
    }
    return true;
}

static bool judge_zones(scree_gcd_bench *t)
{
    enum { ZONES = 12 };
    if (!scree_gcd_step_init(t, NULL, 0))
        return false;
    for (uint32_t k = 0; k < ZONES; k++) {
        const scree_zone zone = draw_zone(t);
        if (!scree_gcd_find_zone(t, &zone, false) || !judge_zone(t, &zone))
            return false;
    }
    return true;
}

/** The same boxes need no more memory when they come again. Some growth may be that of another GCD
 * which is tried in their place. */
static bool judge_memory(scree_gcd_bench *t)
{
    enum { ROUNDS = 10, MOST = 3 };
    uint64_t before = 0;
    uint32_t grown = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t now = scree_call_bytes(t->instance);
        grown += round > 1 && now > before;
        if (grown > MOST) {
            scree_gcd_fail(t,
                           "it holds %" G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT
                           " more than a step before, on the same boxes, as in %d steps before",
                           now, now - before, MOST);
            return false;
        }
        before = now;
        if (!scree_gcd_step_init(t, NULL, 0))
            return false;
    }
    return true;
}

/** Some boxes jump, some slots are emptied or reused, new ones are used from `first` on; `list`
 * gets their numbers. */
static uint32_t move_some(scree_gcd_bench *t, uint32_t first, uint8_t *moved, uint32_t *list)
{
    scree_check_boxes *w = &t->boxes;
    const uint32_t share = scree_check_below(&w->random, 4);
    uint32_t n_moved = 0;
    memset(moved, 0, w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        double x[3], h[3], half = exp(scree_check_uniform(&w->random, -4.0, 0.0));
        if (i < first && (share == 0 || scree_check_below(&w->random, share * share * 4) != 0))
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            x[k] = scree_check_uniform(&w->random, 0.0, 10.0);
            h[k] = half;
        }
        moved[i] = 1;
        list[n_moved++] = i;
        scree_check_boxes_set(w, i, x, h);
        if (scree_check_below(&w->random, 16) == 0)
            scree_check_boxes_wild(w, i, share == 0);
        if (scree_check_below(&w->random, 5) == 0)
            scree_check_boxes_empty(w, i);
    }
    return n_moved;
}

static bool none_unmoved(scree_gcd_bench *t, const uint8_t *moved)
{
    for (guint p = 0; p < t->pairs.list.found->len; p++) {
        scree_pair v = g_array_index(t->pairs.list.found, scree_pair, p);
        if (v.a >= t->boxes.n || v.b >= t->boxes.n || moved[v.a] || moved[v.b] || v.a == v.b ||
            scree_box_empty(&t->boxes.view, v.a) || scree_box_empty(&t->boxes.view, v.b))
            continue; // they have moved; or no boxes overlap, which another case tests
        scree_gcd_fail(t, "given a list of moved boxes it gave (%u, %u), neither of which moved",
                       v.a, v.b);
        return false;
    }
    return true;
}

/** Each third step has more slots, as when boxes come near a periodic boundary. */
static uint32_t grow_slots(scree_gcd_bench *t, uint32_t most)
{
    const uint32_t n = t->boxes.n;
    if (t->step % 3 == 0) {
        const uint32_t more = n + scree_check_below(&t->boxes.random, 60); // MIN evaluates twice
        scree_check_boxes_grow(&t->boxes, MIN(most, more));
    }
    return n;
}

typedef bool (*judge_list_fn)(scree_gcd_bench *t, const uint8_t *moved, const uint32_t *list,
                              uint32_t n_moved);

static void for_lists(scree_gcd_bench *t, judge_list_fn judge)
{
    enum { BOXES = 250, MOST = 600, STEPS = 50 };
    uint8_t moved[MOST];
    uint32_t list[MOST];
    scree_check_boxes_gas(&t->boxes, BOXES, t->dimension, 2.0);
    bool good = scree_gcd_init(t) && scree_gcd_find_all(t, NULL, 0);
    t->scene = "lists of moved boxes";
    for (t->step = 1; t->step <= STEPS && good; t->step++) {
        const uint32_t first = grow_slots(t, MOST);
        uint32_t n_moved = move_some(t, first, moved, list);
        good = judge(t, moved, list, n_moved);
    }
}

static bool judge_moved(scree_gcd_bench *t, const uint8_t *moved, const uint32_t *list,
                        uint32_t n_moved)
{
    return scree_gcd_find_all(t, list, n_moved) && none_missed(t, moved) && none_unmoved(t, moved);
}

static bool judge_moved_zone(scree_gcd_bench *t, const uint8_t *moved, const uint32_t *list,
                             uint32_t n_moved)
{
    const scree_zone zone = draw_zone(t);
    return scree_gcd_step_init(t, list, n_moved) && scree_gcd_find_zone(t, &zone, false) &&
           judge_zone(t, &zone);
}

static void work_moved(scree_gcd_bench *t)
{
    for_lists(t, judge_moved);
}

/** The host renumbers boxes, changes their number, or needs other pairs, and calls init again. */
static void work_renumbered(scree_gcd_bench *t)
{
    static const uint32_t counts[] = {400, 400, 150, 700, 1, 400};
    const uint32_t flags = t->flags;
    t->scene = "boxes after another init";
    for (t->step = 0; t->step < 2 * G_N_ELEMENTS(counts); t->step++) {
        t->flags = t->step % 2 ? flags ^ SCREE_GCD_SPHERES : flags;
        scree_check_boxes_gas(&t->boxes, counts[t->step / 2], t->dimension, 3.0);
        if (!scree_gcd_init(t) || !scree_gcd_find_all(t, NULL, 0) || !none_missed(t, NULL))
            return;
    }
}

static void work_missed(scree_gcd_bench *t)
{
    scree_gcd_for_scenes(t, UINT32_MAX, judge_missed);
}

static void work_once(scree_gcd_bench *t)
{
    scree_gcd_for_scenes(t, MOST_STEPS, judge_once);
}

static void work_pivots(scree_gcd_bench *t)
{
    scree_gcd_for_scenes(t, MOST_STEPS, judge_split);
}

static void work_zones(scree_gcd_bench *t)
{
    scree_gcd_for_scenes(t, MOST_STEPS, judge_zones);
    if (t->check->plugin->flags & SCREE_CAP_INCREMENTAL && !t->check->failed)
        for_lists(t, judge_moved_zone);
}

static void work_memory(scree_gcd_bench *t)
{
    scree_gcd_for_scenes(t, MOST_STEPS, judge_memory);
}

/* ---- draft.layout/1 ---- */

/** Number of boxes that a cell meets. */
static uint64_t count_met(const scree_gcd_bench *t, const scree_layout_cell *c)
{
    const scree_check_boxes *w = &t->boxes;
    uint64_t n = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        bool in = !scree_box_empty(&w->view, i);
        for (uint32_t k = 0; k < t->dimension; k++) {
            const double slack = 1e-3 * (c->hi[k] - c->lo[k]); // cells are rounded
            in = in && w->lo[k][i] <= c->hi[k] + slack && c->lo[k] <= w->hi[k][i] + slack;
        }
        n += in;
    }
    return n;
}

/** Whether a plugin owns another one. */
static bool is_nested(const scree_plugin *plugin)
{
    bool nested = false;
    for (uint32_t k = 0; k < plugin->n_params; k++)
        nested = nested || plugin->params[k]->type == SCREE_TYPE_PLUGIN;
    return nested;
}

/** Judges a cell or node; false: it is wrong. */
static bool judge_cell(scree_gcd_bench *t, const scree_layout_cell *c)
{
    const char *sin = NULL;
    for (uint32_t k = 0; k < 3; k++)
        if (!(c->lo[k] <= c->hi[k]) || (k >= t->dimension && (c->lo[k] != 0.0 || c->hi[k] != 0.0)))
            sin = "corners that are not in order, or not 0 on z in 2D";
    if (c->kind != SCREE_LAYOUT_CELL && c->kind != SCREE_LAYOUT_NODE)
        sin = "an unknown kind";
    // A GCD that owns another one may give it larger boxes.
    const uint64_t most = is_nested(t->check->plugin) ? t->boxes.n : count_met(t, c);
    if (!sin && (c->n == 0 || c->n > most))
        sin = c->n ? "more boxes in a cell than meet it" : "a cell without boxes";
    if (sin)
        scree_gcd_fail(t, "draft.layout/1 gave %s: kind %u, level %u, n %" G_GUINT64_FORMAT, sin,
                       c->kind, c->level, c->n);
    return !sin;
}

typedef struct layout_seen {
    scree_gcd_bench *t;
    GChecksum *bits;
    uint64_t n;
} layout_seen;

static int32_t put_cells(void *ctx, const scree_layout_cell *cells, uint64_t n)
{
    layout_seen *seen = ctx;
    for (uint64_t k = 0; k < n; k++, seen->n++)
        if (!judge_cell(seen->t, &cells[k]))
            return SCREE_E_INTERNAL;
    g_checksum_update(seen->bits, (const guchar *)cells, (gssize)(n * sizeof *cells));
    return SCREE_OK;
}

/** Puts the cells of the last step; NULL: the check has failed. A new string. */
static char *read_layout(scree_gcd_bench *t, const scree_layout *layout)
{
    g_autoptr(GChecksum) bits = g_checksum_new(G_CHECKSUM_SHA256);
    layout_seen seen = {t, bits, 0};
    const scree_layout_sink sink = {.size = sizeof sink, .ctx = &seen, .put = put_cells};
    if (!SCREE_CHECK_CALL(t->check, t->instance, "cells",
                          layout->cells(t->instance->self, &sink)) ||
        t->check->failed)
        return NULL;
    return g_strdup(g_checksum_get_string(bits));
}

/** The cells of a gas; they change nothing that a second call, or the search, sees. */
static void work_layout(scree_gcd_bench *t)
{
    const scree_layout *layout = scree_call_extension(t->check->plugin, SCREE_DRAFT_LAYOUT);
    for (t->step = 0; t->step < 3 && !t->check->failed; t->step++) {
        scree_check_boxes_gas(&t->boxes, 200, t->dimension, 3.0);
        t->scene = "a gas, draft.layout/1";
        if (!(t->step || scree_gcd_init(t)) || !scree_gcd_step_init(t, NULL, 0))
            return;
        g_autofree char *one = read_layout(t, layout), *two = one ? read_layout(t, layout) : NULL;
        if (two && strcmp(one, two))
            scree_gcd_fail(t, "draft.layout/1 gave other cells in a second call");
        if (!two)
            return;
        scree_gcd_open_pairs(&t->pairs, 0, false);
        if (scree_gcd_find(t, 0, t->n_pivots, &t->pairs)) {
            scree_gcd_count_pairs(t);
            none_missed(t, NULL);
        }
    }
}

/** The row of a case: its function, and 1 or 2 for the variants that it goes with. */
typedef struct gcd_work {
    void (*fn)(scree_gcd_bench *t);
    uint32_t choices;
} gcd_work;

static void for_all(scree_check *check, const void *row)
{
    const gcd_work *work = row;
    scree_gcd_for_all(check, work->choices, work->fn);
    if (work->fn == work_missed)
        scree_gcd_note_printed(check);
}

static const char *lacks_lists(const scree_check *check)
{
    return check->plugin->flags & SCREE_CAP_INCREMENTAL ? NULL : "it is not SCREE_CAP_INCREMENTAL";
}

static const char *lacks_layout(const scree_check *check)
{
    const scree_layout *layout = scree_call_extension(check->plugin, SCREE_DRAFT_LAYOUT);
    return layout && SCREE_HAS(layout, cells) ? NULL : "it has no " SCREE_DRAFT_LAYOUT;
}

static const char *lacks_bytes(const scree_check *check)
{
    return SCREE_HAS((const scree_gcd_ops *)check->plugin->ops, bytes)
               ? NULL
               : "it does not say how many bytes it holds";
}

#define FOR_ALL(work, choices)                                                                     \
    .by = for_all, .row = &(const gcd_work)                                                        \
    {                                                                                              \
        work, choices                                                                              \
    }

static const scree_check_case cases[] = {
    {"missed", "every pair of boxes that overlap or touch is found, whatever the boxes",
     FOR_ALL(work_missed, 2)},
    {"once", "no pair comes twice, none of a box with itself, an empty slot or none at all",
     FOR_ALL(work_once, 1)},
    {"pivots", "ranges of pivots give what all of them give, however they are split",
     FOR_ALL(work_pivots, 1)},
    {"zones", "find_objects finds each box in a zone once, boxes around it included",
     FOR_ALL(work_zones, 1)},
    {"moved",
     "given a list of moved boxes, new slots among them, it finds their pairs and no others",
     FOR_ALL(work_moved, 2), .lacks = lacks_lists},
    {"surfaces",
     "given surfaces in boxes, it finds the pairs that they make with other boxes, each once",
     .run = scree_gcd_check_surfaces},
    {"renumbered", "after init other boxes, more or fewer, are found as if they were the first",
     FOR_ALL(work_renumbered, 2)},
    {"layout", "cells for pictures have their corners in order, and no more boxes than meet them",
     FOR_ALL(work_layout, 1), .lacks = lacks_layout},
    {"memory", "the same boxes again need no more memory", FOR_ALL(work_memory, 1),
     .lacks = lacks_bytes},
    {0},
};

/* ---- the exercise ---- */

typedef struct gcd_exercise {
    scree_gcd_bench bench;
    scree_check_pairs lane[MOST_LANES];
} gcd_exercise;

static void *begin(scree_check *check, scree_instance *instance)
{
    gcd_exercise *x = g_new0(gcd_exercise, 1);
    x->bench = (scree_gcd_bench){.check = check,
                                 .instance = instance,
                                 .ops = instance->ops,
                                 .dimension = instance->runtime->dimension,
                                 .scene = "a gas in motion"};
    return x;
}

static void end(void *state)
{
    gcd_exercise *x = state;
    x->bench.instance = NULL; /* not of this bench */
    for (uint32_t lane = 0; lane < MOST_LANES; lane++)
        scree_gcd_close_pairs(&x->lane[lane]);
    scree_gcd_close(&x->bench);
    g_free(x);
}

static int32_t find_chunk(void *user, uint64_t first, uint64_t last, uint32_t lane)
{
    gcd_exercise *x = user;
    return scree_gcd_find(&x->bench, first, last, &x->lane[lane]) ? SCREE_OK : SCREE_E_INTERNAL;
}

/** Puts all pairs, from all lanes, sorted, into the bits. */
static void add_pairs(gcd_exercise *x, GChecksum *bits)
{
    enum { GRAIN = 7 };
    scree_gcd_bench *t = &x->bench;
    scree_pool *pool = t->instance->runtime->pool;
    bool serial = t->check->plugin->flags & SCREE_CAP_SERIAL;
    uint32_t lanes = serial ? 1 : MIN(scree_pool_lanes(pool), (uint32_t)MOST_LANES);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(scree_pair));
    for (uint32_t lane = 0; lane < lanes; lane++)
        scree_gcd_open_pairs(&x->lane[lane], lane, lanes == 1);
    if (lanes == 1)
        scree_gcd_find(t, 0, t->n_pivots, &x->lane[0]);
    else
        scree_pool_for(pool, 0, t->n_pivots, GRAIN, find_chunk, x);
    for (uint32_t lane = 0; lane < lanes; lane++)
        if (x->lane[lane].list.found->len > 0)
            g_array_append_vals(all, x->lane[lane].list.found->data, x->lane[lane].list.found->len);
    scree_gcd_sort(all);
    if (all->len > 0)
        g_checksum_update(bits, (const guchar *)all->data, (gssize)(all->len * sizeof(scree_pair)));
}

static void add_zones(gcd_exercise *x, GChecksum *bits)
{
    scree_gcd_bench *t = &x->bench;
    for (uint32_t k = 0; k < 4 && !t->check->failed; k++) {
        scree_check_boxes_protect(&t->boxes, false);
        const scree_zone zone = draw_zone(t);
        scree_check_boxes_protect(&t->boxes, true);
        if (scree_gcd_find_zone(t, &zone, true) && t->found.list.found->len > 0)
            g_checksum_update(bits, (const guchar *)t->found.list.found->data,
                              (gssize)(t->found.list.found->len * sizeof(uint32_t)));
    }
}

/** Other boxes in each turn, many pairs in the third, and another number in each second turn; the plugin keeps its data
 * since init. */
static void turn(void *state, uint32_t number, GChecksum *bits)
{
    enum { BOXES = 250 };
    gcd_exercise *x = state;
    scree_gcd_bench *t = &x->bench;
    t->step = number;
    t->boxes.random = 77 + number;
    scree_check_boxes_gas(&t->boxes, BOXES + number / 2, t->dimension, number == 2 ? 20.0 : 3.0);
    scree_check_boxes_protect(&t->boxes, true);
    if ((number > 0 || scree_gcd_init(t)) && scree_gcd_step_init(t, NULL, 0)) {
        add_pairs(x, bits);
        add_zones(x, bits);
    }
    scree_check_boxes_protect(&t->boxes, false);
}

static const scree_check_exercise exercise = {begin, turn, end};
const scree_check_suite scree_check_gcd = {SCREE_KIND_GCD, &exercise, cases};
