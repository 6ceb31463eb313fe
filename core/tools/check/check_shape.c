/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the promises of a shape (shape.h): measure, boxes, frame, views; none of them
 * needs to know what the shape is. */
#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "tools/check/check_report.h"
#include "tools/check/check_shape_bench.h"
#include "tools/check/check_shape_measure.h"
#include "tools/check/check_shape_place.h"
#include "tools/check/check_shape_views.h"
#include "tools/check/check_variants.h"
#include "tools/check/guard_pages.h"

enum { POSES = 48, PARTS = 64 };
static const double SMALL = 1e-9; // [-] relative rounding error

/** The row of a case: its function, and whether it goes in the host's frame, about whose origin the
 * radius is, not in the user's. */
typedef struct shape_work {
    void (*fn)(const scree_shape_bench *b);
    bool in_hosts_frame;
} shape_work;

static const shape_work *now; // of this process

static void try_bench(scree_check *check, scree_instance *instance, const char *setting)
{
    const scree_frame none = scree_shape_frame_none();
    scree_shape_bench b;
    if (scree_shape_bench_open(&b, check, instance, now->in_hosts_frame ? NULL : &none, setting))
        now->fn(&b);
}

static void in_frame(scree_check *check, const void *row)
{
    now = row;
    scree_check_variants(check, try_bench);
}

/* boxes */

static const char *lacks_boxes(const scree_check *check)
{
    const uint32_t others = SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_INFINITE;
    return check->plugin->flags & others ? "the host has the boxes of such shapes" : NULL;
}

/** The box and the ball of pose i, computed apart. */
static void check_box(const scree_shape_bench *b, const scree_shape_poses *p, uint32_t i)
{
    bool good = isfinite(p->radius[i]) && p->radius[i] >= 0.0;
    double d2 = 0.0;
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * (p->hi[k][i] - p->lo[k][i]);
        good = good && isfinite(half) && p->lo[k][i] <= p->centre[k][i] &&
               p->centre[k][i] <= p->hi[k][i];
        d2 += half * half;
    }
    good = good && !(b->dimension == 2 && (p->lo[2][i] != 0.0 || p->hi[2][i] != 0.0));
    if (!good)
        scree_shape_bench_fail(
            b,
            "boxes: part %u: box (%g, %g, %g) to (%g, %g, %g) m, centre (%g, %g, "
            "%g) m, radius %g m: expected finite numbers, the centre inside%s",
            p->part[i], p->lo[0][i], p->lo[1][i], p->lo[2][i], p->hi[0][i], p->hi[1][i],
            p->hi[2][i], p->centre[0][i], p->centre[1][i], p->centre[2][i], p->radius[i],
            b->dimension == 2 ? ", z = 0" : "");
    else if (p->radius[i] > 2.0 * sqrt(d2) * (1.0 + SMALL) + SMALL * b->size)
        scree_shape_bench_fail(b,
                               "boxes: part %u: a ball of radius %g m around a box whose half "
                               "diagonal is %g m",
                               p->part[i], p->radius[i], sqrt(d2));
}

/** Compares the box of pose i with the views along all axes, and its ball in random directions. */
static void check_hold(const scree_shape_bench *b, const scree_shape_poses *p, uint32_t i,
                       uint64_t *random)
{
    const double q[4] = {p->q[0][i], p->q[1][i], p->q[2][i], p->q[3][i]};
    const double back[4] = {q[0], -q[1], -q[2], -q[3]}, scale = p->scale[i];
    uint32_t part = b->measure.n_parts > 1 ? p->part[i] : SCREE_NONE;
    for (uint32_t face = 0; face < 2 * b->dimension && !b->check->failed; face++) {
        double d[3] = {0.0}, extreme, slack, sign = face % 2 ? 1.0 : -1.0;
        uint32_t k = face / 2;
        d[k] = sign;
        scree_rotate(back, d, d);
        if (!scree_shape_bench_extreme(b, part, d, &extreme, &slack))
            return;
        double at = sign * (face % 2 ? p->hi[k][i] : p->lo[k][i]);
        double surface = sign * p->x[k][i] + scale * extreme;
        double round = SMALL * (fabs(p->x[k][i]) + scale * b->size);
        if (at < surface - scale * slack - round)
            scree_shape_bench_fail(
                b,
                "boxes: part %u, scale %g, orientation (%g, %g, %g, %g): the "
                "%s face along %c is at %.12g m, and the surface reaches %.12g m",
                p->part[i], scale, q[0], q[1], q[2], q[3], face % 2 ? "upper" : "lower", "xyz"[k],
                sign * at, sign * surface);
        else if (at > surface + scale * slack + 1e-6 * scale * b->size + round)
            scree_shape_bench_fail(b,
                                   "boxes: part %u, scale %g, orientation (%g, %g, %g, %g): the "
                                   "%s face along %c is at %.12g m, %.2g m beyond the surface; "
                                   "expected the tight box",
                                   p->part[i], scale, q[0], q[1], q[2], q[3],
                                   face % 2 ? "upper" : "lower", "xyz"[k], sign * at, at - surface);
    }
    for (int n = 0; n < 8 && !b->check->failed; n++) {
        double d[3], turn[4], extreme, slack, centre = 0.0;
        scree_check_random_turn(random, b->dimension, turn);
        scree_rotate(turn, (const double[3]){1.0, 0.0, 0.0}, d);
        for (int k = 0; k < 3; k++)
            centre += d[k] * (p->centre[k][i] - p->x[k][i]);
        scree_rotate(back, d, d);
        if (scree_shape_bench_extreme(b, part, d, &extreme, &slack) &&
            scale * (extreme - slack) > centre + p->radius[i] + SMALL * scale * b->size)
            scree_shape_bench_fail(b,
                                   "boxes: part %u: its ball of radius %g m does not hold the "
                                   "surface, which reaches %g m from the centre",
                                   p->part[i], p->radius[i], scale * extreme - centre);
    }
}

static void check_boxes(const scree_shape_bench *b)
{
    uint64_t random = 3;
    scree_shape_poses p = scree_shape_poses_new(POSES);
    uint32_t every = b->measure.n_parts / PARTS + 1;
    for (uint32_t part = 0; part < b->measure.n_parts && !b->check->failed; part += every) {
        scree_shape_poses_random(&p, b, part, &random);
        if (!scree_shape_poses_ask(&p, b, 0))
            break;
        for (uint32_t i = 0; i < p.n && !b->check->failed; i++) {
            check_box(b, &p, i);
            if (!b->check->failed)
                check_hold(b, &p, i, &random);
        }
    }
    scree_shape_poses_free(&p);
}

/* batches */

static void compare_box(const scree_shape_bench *b, const scree_shape_poses *all, uint32_t i,
                        const scree_shape_poses *some, uint32_t j, const char *how)
{
    static const char *const names[] = {"lo", "hi", "centre", "radius"};
    for (int k = 0; k < 10 && !b->check->failed; k++)
        if (memcmp(&all->out[k][i], &some->out[k][j], sizeof(double)))
            scree_shape_bench_fail(
                b, "boxes: %s: %s of pose %u is %.17g, and %.17g among %u others", how,
                names[k / 3], i, some->out[k][j], all->out[k][i], all->n - 1);
}

static void check_batches(const scree_shape_bench *b)
{
    uint64_t random = 11;
    scree_shape_poses all = scree_shape_poses_new(POSES + 3), one = scree_shape_poses_new(1);
    scree_shape_poses back = scree_shape_poses_new(POSES + 3), none = scree_shape_poses_new(0);
    scree_shape_poses_random(&all, b, 0, &random);
    for (uint32_t i = 0; i < all.n; i++) {
        all.part[i] = i % b->measure.n_parts;
        scree_shape_poses_copy(&all, i, &back, all.n - 1 - i);
    }
    bool good = scree_shape_poses_ask(&all, b, 0) && scree_shape_poses_ask(&back, b, 0) &&
                scree_shape_poses_ask(&none, b, 0);
    for (uint32_t i = 0; i < all.n && good && !b->check->failed; i++) {
        compare_box(b, &all, i, &back, all.n - 1 - i, "in another order");
        scree_shape_poses_copy(&all, i, &one, 0);
        good = scree_shape_poses_ask(&one, b, 0);
        if (good)
            compare_box(b, &all, i, &one, 0, "alone");
    }
    scree_shape_poses_free(&none);
    scree_shape_poses_free(&back);
    scree_shape_poses_free(&one);
    scree_shape_poses_free(&all);
}

/* place */

static const char *lacks_frames(const scree_check *check)
{
    const uint32_t others = SCREE_CAP_ROUND | SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    return check->plugin->flags & others ? "bodies of such shapes stay in the user's frame" : NULL;
}

/* the exercise */

typedef struct work {
    scree_shape_bench bench;
    scree_shape_poses poses;
    int32_t failed;
} work;

static void *exercise_begin(scree_check *check, scree_instance *instance)
{
    const scree_frame none = scree_shape_frame_none();
    work *w = g_new0(work, 1);
    if (!scree_shape_bench_open(&w->bench, check, instance, &none, "defaults")) {
        g_free(w);
        return NULL;
    }
    w->poses = scree_shape_poses_new(POSES + 3);
    return w;
}

/** A part of the batch: its arrays begin at `begin`. */
static int32_t ask_some(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    work *w = user;
    scree_shape_poses p = w->poses;
    p.n = (uint32_t)(end - begin);
    p.part += begin;
    for (size_t k = 0; k < G_N_ELEMENTS(p.in); k++)
        p.in[k] += begin;
    for (size_t k = 0; k < G_N_ELEMENTS(p.out); k++)
        p.out[k] += begin;
    return scree_shape_poses_ask(&p, &w->bench, lane) ? 0 : SCREE_E_INTERNAL;
}

static void exercise_turn(void *user, uint32_t turn, GChecksum *bits)
{
    work *w = user;
    const scree_shape_bench *b = &w->bench;
    uint64_t random = 100 + turn, n = w->poses.n;
    g_checksum_update(bits, (const guchar *)&b->measure.content,
                      sizeof b->measure - offsetof(scree_measure, content));
    scree_shape_digest_views(b, bits);
    if (!scree_shape_bench_boxed(b) || b->check->failed)
        return;
    scree_shape_poses_random(&w->poses, b, 0, &random);
    for (uint32_t i = 0; i < n; i++)
        w->poses.part[i] = i % b->measure.n_parts;
    bool one = b->flags & SCREE_CAP_SERIAL || scree_pool_lanes(b->instance->runtime->pool) == 1;
    if (one ? ask_some(w, 0, n, 0) < 0
            : scree_pool_for(b->instance->runtime->pool, 0, n, 8, ask_some, w) < 0)
        return;
    for (int k = 0; k < 10; k++)
        g_checksum_update(bits, (const guchar *)w->poses.out[k], (gssize)(n * sizeof(double)));
}

static void exercise_end(void *user)
{
    work *w = user;
    scree_shape_poses_free(&w->poses);
    g_free(w);
}

static const scree_check_exercise exercise = {exercise_begin, exercise_turn, exercise_end};
#define IN_FRAME(work, hosts)                                                                      \
    .by = in_frame, .row = &(const shape_work)                                                     \
    {                                                                                              \
        work, hosts                                                                                \
    }

static const scree_check_case cases[] = {
    {"measure", "content, centroid and inertia are those of what its views enclose",
     IN_FRAME(scree_shape_check_measure, false)},
    {"views", "views show one surface, within their tolerances and the radius",
     IN_FRAME(scree_shape_check_views, true)},
    {"boxes", "boxes and balls hold the surface at each scale, and boxes are tight",
     IN_FRAME(check_boxes, false), .lacks = lacks_boxes},
    {"batches", "a box depends only on its own pose, scale and part",
     IN_FRAME(check_batches, false), .lacks = lacks_boxes},
    {"place", "in another frame measure, boxes and views are the same ones, moved",
     .each = scree_shape_check_place, .lacks = lacks_frames},
    {"const", "a view stays as it is, is given again when asked, and is counted",
     IN_FRAME(scree_shape_check_const, false)},
    {0},
};
const scree_check_suite scree_check_shape = {SCREE_KIND_SHAPE, &exercise, cases};
