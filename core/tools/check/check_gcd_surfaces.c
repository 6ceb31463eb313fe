/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs that ask for draft.conformal/1: boxes of which some are known to hold a
 * straight line from their lower to their upper corner, and nothing else. They move twice in the
 * same way: faults that also occur without the flag are found by other cases. */
#include "tools/check/check_gcd_surfaces.h"

#include <math.h>

#include "scree/sdk.h"
#include "tools/check/check_gcd_bench.h"
#include "tools/check/check_gcd_boxes.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

enum { BOXES = 250, MOST = 300, STEPS = 24, EVERY = 5 };

/* Results of a step without the flag. */
typedef struct plain {
    uint8_t seen[MOST * MOST], objects[MOST];
    bool twice; /* any pair */
} plain;

typedef struct lines {
    const scree_boxes *boxes;
    bool asked;
    scree_conformal service;
    plain *steps; /* [STEPS] */
} lines;

static int32_t knows(void *ctx, uint32_t slot)
{
    lines *l = ctx;
    l->asked = true;
    return slot < l->boxes->n && slot % EVERY == 0 && !scree_box_empty(l->boxes, slot);
}

/** Cuts the line with the slabs of the box. */
static bool line_meets(const scree_boxes *b, uint32_t i, const double lo[3], const double hi[3],
                       double d)
{
    double from = 0.0, to = 1.0;
    for (uint32_t k = 0; k < b->dimension; k++) {
        const double at = b->lo[k][i], by = b->hi[k][i] - at;
        if (by > 0.0) {
            from = fmax(from, (lo[k] - d - at) / by);
            to = fmin(to, (hi[k] + d - at) / by);
        } else if (at < lo[k] - d || at > hi[k] + d) {
            return false;
        }
    }
    return from <= to + 1e-9;
}

static int32_t comes_within(void *ctx, uint32_t slot, const double lo[3], const double hi[3],
                            double d)
{
    const lines *l = ctx;
    return !knows(ctx, slot) || line_meets(l->boxes, slot, lo, hi, d);
}

static bool line_meets_box(const scree_boxes *b, uint32_t line, uint32_t i)
{
    const double lo[3] = {b->lo[0][i], b->lo[1][i], b->lo[2][i]};
    const double hi[3] = {b->hi[0][i], b->hi[1][i], b->hi[2][i]};
    return line_meets(b, line, lo, hi, 0.0);
}

static bool is_required(const scree_boxes *b, uint32_t i, uint32_t j)
{
    const bool line_i = i % EVERY == 0, line_j = j % EVERY == 0;
    if (scree_box_empty(b, i) || scree_box_empty(b, j) || (line_i && line_j) ||
        !scree_boxes_overlap(b, i, j))
        return false;
    return line_i || line_j ? line_meets_box(b, line_i ? i : j, line_i ? j : i) : true;
}

static bool judge_pairs(scree_gcd_bench *t, const plain *p, const uint8_t *moved)
{
    const scree_boxes *b = &t->boxes.view;
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t j = i + 1; j < b->n; j++) {
            const uint64_t at = (uint64_t)i * b->n + j;
            const bool due = (moved[i] || moved[j]) && is_required(b, i, j);
            if (t->seen[at] > 1 && !p->twice) {
                scree_gcd_fail(t, "it gave the pair (%u, %u) twice", i, j);
                return false;
            }
            if (t->seen[at] || !p->seen[at] || !due)
                continue;
            scree_gcd_fail(t, "it missed the pair (%u, %u) of %u boxes, though %s", i, j, b->n,
                           i % EVERY && j % EVERY ? "neither is known to hold a surface"
                                                  : "the surface in one meets the other");
            return false;
        }
    return true;
}

/** find_objects asks for boxes, whatever they hold. */
static bool find_zone(scree_gcd_bench *t, uint8_t objects[MOST])
{
    scree_zone z = {.size = sizeof z, .type = SCREE_ZONE_BOX};
    for (uint32_t k = 0; k < 3; k++) {
        z.lo[k] = k < t->dimension ? scree_check_uniform(&t->boxes.random, -1.0, 9.0) : -1.0;
        z.hi[k] = k < t->dimension ? z.lo[k] + 2.0 : 1.0;
    }
    memset(objects, 0, MOST);
    if (!scree_gcd_find_zone(t, &z, false))
        return false;
    for (guint k = 0; k < t->found.list.found->len; k++) {
        const uint32_t i = g_array_index(t->found.list.found, uint32_t, k);
        if (i < t->boxes.n)
            objects[i]++;
    }
    return true;
}

static bool judge_region(scree_gcd_bench *t, const plain *p)
{
    uint8_t objects[MOST];
    if (!find_zone(t, objects))
        return false;
    for (uint32_t i = 0; i < t->boxes.n; i++)
        if (objects[i] != p->objects[i]) {
            scree_gcd_fail(t, "find_objects gave box %u of %u %u times, %u times without surfaces",
                           i, t->boxes.n, objects[i], p->objects[i]);
            return false;
        }
    return true;
}

/** Lines have at most half the length of the space; they rarely move. */
static uint32_t move_some(scree_gcd_bench *t, uint32_t first, uint8_t *moved, uint32_t *list)
{
    scree_check_boxes *w = &t->boxes;
    uint32_t n_moved = 0;
    memset(moved, 0, w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        const bool line = i % EVERY == 0;
        double x[3], h[3];
        if (i < first && scree_check_below(&w->random, line ? 40 : 4) != 0)
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            x[k] = scree_check_uniform(&w->random, 0.0, 10.0);
            h[k] = line ? scree_check_uniform(&w->random, 0.0, 5.0)
                        : scree_check_uniform(&w->random, 0.05, t->step == 12 ? 2.0 : 0.4);
        }
        moved[i] = 1;
        list[n_moved++] = i;
        scree_check_boxes_set(w, i, x, h);
        if (scree_check_below(&w->random, 20) == 0)
            scree_check_boxes_empty(w, i);
    }
    return n_moved;
}

static bool take_step(scree_gcd_bench *t, plain *p, const uint8_t *moved)
{
    if (t->flags & SCREE_GCD_CONFORMAL)
        return judge_pairs(t, p, moved) && judge_region(t, p);
    p->twice = false;
    for (uint32_t k = 0; k < t->boxes.n * t->boxes.n; k++) {
        p->seen[k] = t->seen[k];
        p->twice |= t->seen[k] > 1;
    }
    return find_zone(t, p->objects);
}

static bool move_on(scree_gcd_bench *t)
{
    lines *l = (lines *)t->check->conformal->ctx;
    uint8_t moved[MOST];
    uint32_t list[MOST];
    bool good = true;
    t->boxes.random = 4711;
    scree_check_boxes_resize(&t->boxes, 0, t->dimension);
    scree_check_boxes_resize(&t->boxes, BOXES, t->dimension);
    for (t->step = 0; t->step < STEPS && good; t->step++) {
        const uint32_t before = t->boxes.n;
        if (t->step % 7 == 6)
            scree_check_boxes_grow(&t->boxes, MIN((uint32_t)MOST, before + 10));
        uint32_t n_moved = move_some(t, t->step ? before : 0, moved, list);
        const bool listed =
            t->check->plugin->flags & SCREE_CAP_INCREMENTAL && t->step && t->step % 5 != 0;
        if (!listed)
            memset(moved, 1, sizeof moved);
        good = (t->step || scree_gcd_init(t)) &&
               scree_gcd_find_all(t, listed ? list : NULL, listed ? n_moved : 0) &&
               take_step(t, &l->steps[t->step], moved);
    }
    return good;
}

static void work(scree_gcd_bench *t)
{
    lines *l = (lines *)t->check->conformal->ctx;
    t->scene = "boxes that hold lines";
    l->boxes = &t->boxes.view;
    t->flags = 0;
    if (!move_on(t))
        return;
    t->flags = SCREE_GCD_CONFORMAL;
    move_on(t);
}

void scree_gcd_check_surfaces(scree_check *check)
{
    lines l = {.service = {.size = sizeof(scree_conformal),
                           .ctx = &l,
                           .knows = knows,
                           .comes_within = comes_within}};
    l.steps = g_new(plain, STEPS);
    check->conformal = &l.service;
    scree_gcd_for_all(check, 1, work);
    check->conformal = NULL;
    g_free(l.steps);
    if (!l.asked && !check->failed)
        scree_check_skip(check, "it does not ask for " SCREE_DRAFT_CONFORMAL);
}
