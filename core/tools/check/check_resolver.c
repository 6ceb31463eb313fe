/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the promises of a resolver (resolver.h), for all pairs of shape types that it
 * serves, on bodies in random poses; no case depends on how it finds contacts. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/check/check_resolver_data.h"

#include "tools/check/check_facets.h"
#include "tools/check/check_report.h"
#include "tools/check/check_resolver_bench.h"
#include "tools/check/check_resolver_cycle.h"
#include "tools/check/check_resolver_extras.h"
#include "tools/check/check_resolver_overlap.h"
#include "tools/check/check_shapes.h"
#include "tools/check/check_witness.h"
#include "tools/check/guard_pages.h"

#define LENGTH 1.0 /* [m] size of the bodies */
enum { MORE_POSES = 4 };

static int compare_touches(gconstpointer x, gconstpointer y)
{
    const scree_touch *a = x, *b = y;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

/** Fails unless both have the same contacts, bit by bit, sorted by pair and feature. */
static bool same_bits(scree_resolver_bench *t, GArray *x, GArray *y, const char *how)
{
    g_array_sort(x, compare_touches);
    g_array_sort(y, compare_touches);
    if (x->len == y->len &&
        (x->len == 0 || !memcmp(x->data, y->data, x->len * sizeof(scree_touch))))
        return true;
    guint i = 0;
    while (i < x->len && i < y->len &&
           !memcmp(scree_touch_at(x, i), scree_touch_at(y, i), sizeof(scree_touch)))
        i++;
    scree_resolver_fail(
        t, "%s: %u contacts, %u before; the first that differs is of pair %u", how, y->len, x->len,
        (unsigned)(i < x->len ? scree_touch_at(x, i)->pair : scree_touch_at(y, i)->pair));
    return false;
}

/** How much more rounding depth and normal of a contact may have: the direction of a cut through an
 * overlap, and content / cut, are as uncertain as the cut is short. A cut that is only rounding
 * gets no more than 1e6. */
static double slack_of(const scree_resolver_bench *t, const scree_touch *x)
{
    const double cut =
        scree_touch_value(x, t->dimension == 2 ? SCREE_GIVES_CHORD : SCREE_GIVES_AREA);
    return scree_resolver_is_overlap(t) && cut > 0.0 ? CLAMP(LENGTH / cut, 1.0, 1e6) : 1.0;
}

/* ---- exchange ---- */

static void work_exchange(scree_resolver_bench *t)
{
    g_autoptr(GArray) before = scree_touches_new(), after = scree_touches_new();
    scree_check_bodies *b = &t->bodies;
    if (t->type[0] != t->type[1] || !scree_resolver_run_plainly(t, before))
        return;
    for (uint32_t i = 0; i < b->n; i += 2) {
        double *arrays[] = {b->x[0], b->x[1], b->x[2],  b->q[0],  b->q[1],
                            b->q[2], b->q[3], b->scale, b->radius};
        for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++) {
            double keep = arrays[k][i];
            arrays[k][i] = arrays[k][i + 1];
            arrays[k][i + 1] = keep;
        }
        uint32_t shape = b->shape[i];
        b->shape[i] = b->shape[i + 1];
        b->shape[i + 1] = shape;
        for (int k = 0; i / 2 < t->n_pairs && k < 3; k++)
            t->d[i / 2][k] = -t->d[i / 2][k];
    }
    if (!scree_resolver_run_plainly(t, after))
        return;
    if (before->len != after->len)
        scree_resolver_fail(t, "%u contacts, with a and b exchanged %u", before->len, after->len);
    // Compares contacts with the nearest ones of their pairs: features may have other names.
    for (guint i = 0; i < before->len && !t->check->failed; i++) {
        const scree_touch *x = scree_touch_at(before, i);
        double nearest = HUGE_VAL;
        for (guint j = 0; j < after->len; j++) {
            const scree_touch *y = scree_touch_at(after, j);
            double worst = fabs(x->depth - y->depth);
            for (int k = 0; k < 3; k++)
                worst = fmax(worst, fabs(x->normal[k] + y->normal[k]));
            if (y->pair == x->pair)
                nearest = fmin(nearest, worst);
        }
        if (!(nearest < 1e-12 * LENGTH * slack_of(t, x)))
            scree_resolver_fail(t, "pair %u: with a and b exchanged depth or normal differ by %g",
                                (unsigned)x->pair, nearest);
    }
}

/* ---- frame ---- */

static void turn_all(scree_resolver_bench *t, const double q[4])
{
    scree_check_bodies *b = &t->bodies;
    for (uint32_t i = 0; i < b->n; i++) {
        double o[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        double turned[4];
        scree_rotation_product(q, o, turned);
        for (int k = 0; k < 4; k++)
            b->q[k][i] = turned[k];
        scree_rotate(q, x, x);
        for (int k = 0; k < 3; k++)
            b->x[k][i] = x[k];
    }
    for (uint32_t p = 0; p < t->n_pairs; p++)
        scree_rotate(q, t->d[p], t->d[p]);
}

static void work_frame(scree_resolver_bench *t)
{
    g_autoptr(GArray) before = scree_touches_new(), moved = scree_touches_new(),
                      turned = scree_touches_new();
    double q[4];
    if (!scree_resolver_run_plainly(t, before))
        return;
    for (uint32_t i = 0; i < t->bodies.n; i++)
        for (uint32_t k = 0; k < t->dimension; k++)
            t->bodies.x[k][i] += 1024.0;
    if (!scree_resolver_run_plainly(t, moved) ||
        !same_bits(t, before, moved, "all bodies moved by 1024 m"))
        return;
    scree_check_random_turn(&t->random, t->dimension, q);
    turn_all(t, q);
    if (!scree_resolver_run_plainly(t, turned))
        return;
    if (before->len != turned->len)
        scree_resolver_fail(t, "%u contacts, turned as a whole %u", before->len, turned->len);
    for (guint i = 0; i < before->len && !t->check->failed; i++) {
        const scree_touch *x = scree_touch_at(before, i), *y = scree_touch_find(turned, x);
        double normal[3], arm[3], worst = y ? fabs(x->depth - y->depth) : HUGE_VAL;
        scree_rotate(q, x->normal, normal);
        scree_rotate(q, x->arm, arm);
        if (y)
            for (int k = 0; k < 3; k++)
                worst = fmax(worst, fmax(fabs(normal[k] - y->normal[k]), fabs(arm[k] - y->arm[k])));
        if (!y)
            scree_resolver_fail(t,
                                "pair %u: a contact has gone, or has another feature, when "
                                "everything is turned",
                                (unsigned)x->pair);
        else if (!(worst < 1e-11 * LENGTH * slack_of(t, x)))
            scree_resolver_fail(t, "pair %u: turned as a whole it differs by %g", (unsigned)x->pair,
                                worst);
    }
}

/* ---- gap ---- */

/** d(depth)/dx of body b along axis k by central differences; NaN for contacts that are not on both
 * sides. */
static bool difference(scree_resolver_bench *t, const GArray *here, uint32_t k, double *slope)
{
    const double h = 0x1p-20 * LENGTH;
    g_autoptr(GArray) ahead = scree_touches_new(), behind = scree_touches_new();
    for (uint32_t p = 0; p < t->n_pairs; p++)
        t->d[p][k] += h;
    if (!scree_resolver_run_plainly(t, ahead))
        return false;
    for (uint32_t p = 0; p < t->n_pairs; p++)
        t->d[p][k] -= 2 * h;
    if (!scree_resolver_run_plainly(t, behind))
        return false;
    for (uint32_t p = 0; p < t->n_pairs; p++)
        t->d[p][k] += h;
    for (guint i = 0; i < here->len; i++) {
        const scree_touch *x = scree_touch_find(ahead, scree_touch_at(here, i));
        const scree_touch *y = scree_touch_find(behind, scree_touch_at(here, i));
        slope[i] = x && y ? (x->depth - y->depth) / (2 * h) : (double)NAN;
    }
    return true;
}

static bool is_unit(const double n[3])
{
    return fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0) < 1e-12;
}

static void work_gap(scree_resolver_bench *t)
{
    g_autoptr(GArray) here = scree_touches_new();
    t->range = 0.2 * LENGTH;
    if (!scree_resolver_run_plainly(t, here))
        return;
    g_autofree double *slope = g_new0(double, 3 * here->len + 1);
    for (uint32_t k = 0; k < t->dimension; k++)
        if (!difference(t, here, k, slope + k * here->len))
            return;
    guint n_compared = 0;
    for (guint i = 0; i < here->len; i++) {
        const scree_touch *x = scree_touch_at(here, i);
        double worst = 0.0;
        if (!is_unit(x->normal)) {
            scree_resolver_fail(t, "pair %u: its normal (%g, %g, %g) is not a unit vector",
                                (unsigned)x->pair, x->normal[0], x->normal[1], x->normal[2]);
            return;
        }
        const double *curve = scree_touch_values(x, SCREE_GIVES_CURVATURE);
        if (t->provides & SCREE_GIVES_CURVATURE && !(curve[0] + curve[1] > 0.0)) {
            scree_resolver_fail(
                t, "pair %u: it provides curvature, got %g and %g 1/m; expected a sum > 0",
                (unsigned)x->pair, curve[0], curve[1]);
            return;
        }
        for (uint32_t k = 0; k < t->dimension; k++)
            worst = fmax(worst, fabs(slope[k * here->len + i] + x->normal[k]));
        if (isnan(slope[i]) || fabs(x->depth) > 0.9 * LENGTH)
            continue; // the feature ends here
        if (scree_resolver_is_overlap(t) && x->depth >= -1e-9 * LENGTH)
            continue; // the case `overlap` tests it; or the bodies touch, where gap meets content
        n_compared++;
        if (worst > 1e-4) {
            scree_resolver_fail(t,
                                "pair %u, feature %" G_GUINT64_FORMAT ": moving b changes the "
                                "depth by %g per metre more than its normal says",
                                (unsigned)x->pair, x->feature, worst);
            return;
        }
    }
    if (n_compared < (scree_resolver_is_overlap(t) ? 1 : 10))
        scree_resolver_fail(t,
                            "of %u pairs, overlapping and up to 0.2 m apart, only %u contacts "
                            "could be compared",
                            t->n_pairs, n_compared);
}

/* ---- middle ---- */

/** The surface of a ball is a radius away along the normal: the contact point is half a depth
 * before it. Views say where the surfaces of solids are. */
static void work_middle(scree_resolver_bench *t)
{
    g_autoptr(GArray) here = scree_touches_new();
    t->range = 0.2 * LENGTH;
    if (!scree_resolver_run_plainly(t, here) || scree_resolver_is_overlap(t))
        return; // of the overlap the point is the middle of the chord
    if (!scree_check_witnesses(t, here) || t->type[0] > SCREE_CHECK_DISC)
        return;
    for (guint i = 0; i < here->len; i++) {
        const scree_touch *x = scree_touch_at(here, i);
        double worst = 0.0, reach = t->bodies.radius[2 * x->pair] - 0.5 * x->depth;
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(x->arm[k] - reach * x->normal[k]));
        if (worst > 1e-12 * LENGTH) {
            scree_resolver_fail(t, "pair %u: its point is %g m off the middle of the overlap",
                                (unsigned)x->pair, worst);
            return;
        }
    }
}

/* ---- range ---- */

/** Whether contacts within a range of 0.1 m are those without a range and gaps; *n_within: those
 * gaps. */
static bool range_holds(scree_resolver_bench *t, guint *n_within)
{
    g_autoptr(GArray) wide = scree_touches_new(), none = scree_touches_new();
    t->range = 0.1 * LENGTH;
    if (!scree_resolver_run_plainly(t, wide))
        return false;
    t->range = 0.0;
    if (!scree_resolver_run_plainly(t, none))
        return false;
    for (guint i = 0; i < wide->len; i++) {
        const scree_touch *x = scree_touch_at(wide, i);
        if (x->depth < -0.1 * LENGTH || (x->depth >= 0.0) != (scree_touch_find(none, x) != NULL)) {
            scree_resolver_fail(t, "pair %u, depth %g m, %s", (unsigned)x->pair, x->depth,
                                x->depth >= 0.0            ? "is not a contact without a range"
                                : x->depth < -0.1 * LENGTH ? "is one with a range of 0.1 m"
                                                           : "is one without a range");
            return false;
        }
        *n_within += x->depth < 0.0;
    }
    return true;
}

static void work_range(scree_resolver_bench *t)
{
    g_autoptr(GArray) kept = scree_touches_new();
    uint8_t seen[SCREE_CHECK_PAIRS] = {0};
    guint n_within = 0;
    // By chance no pair of some poses is that near.
    for (uint64_t more = 0; n_within == 0 && more < MORE_POSES; more++) {
        if (more > 0)
            scree_resolver_pose(t, more);
        if (!range_holds(t, &n_within))
            return;
    }
    if (n_within == 0)
        scree_resolver_fail(t, "no pair is a contact across a gap within a range of 0.1 m");
    t->use_keep = true;
    memset(t->keep, 1, sizeof t->keep);
    if (t->check->failed || !scree_resolver_run_plainly(t, kept))
        return;
    for (guint i = 0; i < kept->len; i++)
        seen[scree_touch_at(kept, i)->pair] = 1;
    for (uint32_t p = 0; p < t->n_pairs; p++)
        if (!seen[p]) {
            scree_resolver_fail(t, "pair %u is kept without a contact", p);
            return;
        }
}

/* ---- batches ---- */

static void work_batches(scree_resolver_bench *t)
{
    static const uint32_t chunks[] = {1, 7, 64};
    g_autoptr(GArray) whole = scree_touches_new(), other = scree_touches_new();
    uint32_t order[SCREE_CHECK_PAIRS];
    t->range = 0.1 * LENGTH;
    if (!scree_resolver_run_plainly(t, whole))
        return;
    for (guint i = 1; i < whole->len; i++)
        if (compare_touches(scree_touch_at(whole, i - 1), scree_touch_at(whole, i)) >= 0) {
            scree_resolver_fail(t,
                                "contacts come by pair, then by ascending feature, each once; "
                                "contact %u of pair %u does not",
                                i, (unsigned)scree_touch_at(whole, i)->pair);
            return;
        }
    for (size_t c = 0; c < G_N_ELEMENTS(chunks); c++) {
        g_autofree char *how = g_strdup_printf("batches of %u pairs", chunks[c]);
        const scree_resolver_plan plan = {NULL, chunks[c], 0};
        if (!scree_resolver_run(t, &plan, other) || !same_bits(t, whole, other, how))
            return;
    }
    scree_check_shuffle(&t->random, order, t->n_pairs);
    const scree_resolver_plan mixed = {order, 0, 0}, tight = {order, 0, 64};
    if (scree_resolver_run(t, &mixed, other) &&
        same_bits(t, whole, other, "pairs in another order") &&
        scree_resolver_run(t, &tight, other))
        same_bits(t, whole, other, "room for 64 contacts at a time");
}

/* ---- hints ---- */

static void work_hints(scree_resolver_bench *t)
{
    g_autoptr(GArray) fresh = scree_touches_new(), other = scree_touches_new();
    t->range = 0.1 * LENGTH;
    t->keep_hints = true;
    if (!scree_resolver_run_plainly(t, fresh) || !scree_resolver_run_plainly(t, other) ||
        !same_bits(t, fresh, other, "with the hints of the call before"))
        return;
    // Gives hints from elsewhere: each pair has those of its neighbour, moved and turned.
    scree_resolver_pose(t, 815);
    g_byte_array_set_size(t->hints, 0);
    if (!scree_resolver_run_plainly(t, other))
        return;
    scree_resolver_pose(t, 4711);
    if (!scree_resolver_run_plainly(t, other) ||
        !same_bits(t, fresh, other, "with hints of other poses"))
        return;
    for (guint i = 0, n = t->hints->len; i < n / 2; i++) {
        guint8 keep = t->hints->data[i / 8 * 8 + i % 8];
        guint j = (n / 8 - 1 - i / 8) * 8 + i % 8;
        t->hints->data[i] = t->hints->data[j];
        t->hints->data[j] = keep;
    }
    if (scree_resolver_run_plainly(t, other))
        same_bits(t, fresh, other, "with the hints of other candidates");
}

/* ---- the cases ---- */

static void for_types(scree_check *check, const void *row)
{
    scree_resolver_for_types(check, ((const scree_resolver_work *)row)->fn);
}

static const char *lacks_hints(const scree_check *check)
{
    const scree_resolver_ops *ops = check->plugin->ops;
    return ops->hint_bytes ? NULL : "it keeps no hints";
}

static const char *lacks_extras(const scree_check *check)
{
    uint64_t rare = 0;
    for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++)
        rare |= q->gives & ~(uint64_t)SCREE_GIVES_CURVATURE;
    return check->plugin->provides & rare ? NULL : "it gives no more than curvatures";
}

static const char *lacks_overlap(const scree_check *check)
{
    return check->plugin->provides & SCREE_GIVES_OVERLAP ? NULL
                                                         : "it gives no contacts of the overlap";
}

#define FOR_TYPES(work)                                                                            \
    .by = for_types, .row = &(const scree_resolver_work)                                           \
    {                                                                                              \
        work                                                                                       \
    }

static const scree_check_case cases[] = {
    {"exchange", "with a and b exchanged the normal turns and the depth stays",
     FOR_TYPES(work_exchange)},
    {"frame", "moved and turned as a whole, contacts move and turn along", FOR_TYPES(work_frame)},
    {"gap", "the normal is a unit vector, along which the depth changes as b moves",
     FOR_TYPES(work_gap)},
    {"middle", "the contact point is half-way between the two surfaces", FOR_TYPES(work_middle)},
    {"missed", "a pair of which a point of one body is inside the other has a contact",
     FOR_TYPES(scree_check_missed)},
    {"range", "gaps up to the range are contacts, wider ones are not, kept pairs always are",
     FOR_TYPES(work_range)},
    {"batches", "batches in any order, split anywhere, give the same bits",
     FOR_TYPES(work_batches)},
    {"hints", "hints that are erased, stale or another's change no bit", FOR_TYPES(work_hints),
     .lacks = lacks_hints},
    {"patches", "facets: one contact per flat patch, none at a seam, one at a convex edge",
     FOR_TYPES(scree_resolver_check_patches)},
    {"extras", "volumes are those of slices, principal curvatures those of balls; parts are there",
     FOR_TYPES(scree_resolver_check_extras), .lacks = lacks_extras},
    {"overlap", "the content of an overlap changes by its cut along the normal, moved and turned",
     FOR_TYPES(scree_resolver_check_overlap), .lacks = lacks_overlap},
    {"cycle", "an elastic push along the normal does no work on closed paths",
     FOR_TYPES(scree_resolver_check_cycle)},
    {0},
};

/* ---- the exercise ---- */

typedef struct resolver_exercise {
    scree_resolver_bench bench[8];
    uint32_t n;
    GArray *touches;
} resolver_exercise;

static void end(void *state)
{
    resolver_exercise *x = state;
    for (uint32_t k = 0; k < x->n; k++)
        scree_resolver_detach(&x->bench[k]);
    g_array_unref(x->touches);
    g_free(x);
}

static void *begin(scree_check *check, scree_instance *instance)
{
    resolver_exercise *x = g_new0(resolver_exercise, 1);
    uint64_t prepared = 0;
    x->touches = scree_touches_new();
    const uint32_t n = SCREE_CHECK_TYPES;
    for (uint32_t k = 0; k < n * n && x->n < G_N_ELEMENTS(x->bench); k++)
        if (k % n <= k / n &&
            scree_resolver_attach(&x->bench[x->n], check, instance, k % n, k / n, &prepared))
            x->n++;
    return x;
}

/** Adds the results to the bits field by field, without padding. */
static void add_touches(resolver_exercise *x, GChecksum *bits)
{
    G_STATIC_ASSERT(sizeof(scree_touch) == (10 + SCREE_EXTRAS) * sizeof(double));
    if (x->touches->len > 0)
        g_checksum_update(bits, (const guchar *)x->touches->data,
                          (gssize)(x->touches->len * sizeof(scree_touch)));
}

/** Asks in both orders whether features of a pair adjoin. */
static void add_adjoining(resolver_exercise *x, const scree_resolver_bench *t, GChecksum *bits)
{
    const uint32_t *shape = t->bodies.shape;
    scree_instance *instance = t->instance;
    if (!SCREE_HAS(t->ops, adjoins) || t->answer != SCREE_SUPPORTS_MANY)
        return;
    for (guint k = 0; k < x->touches->len && !t->check->failed; k++) {
        const scree_touch *one = &g_array_index(x->touches, scree_touch, k), *other = one;
        if (k > 0 && one[-1].pair == one->pair)
            other = one - 1;
        uint32_t a = shape[2 * one->pair], b = shape[2 * one->pair + 1];
        int32_t forth =
            SCREE_CHECK_ANSWER(t->check, instance, "adjoins", 1,
                               t->ops->adjoins(instance->self, a, b, one->feature, other->feature));
        int32_t back =
            SCREE_CHECK_ANSWER(t->check, instance, "adjoins", 1,
                               t->ops->adjoins(instance->self, a, b, other->feature, one->feature));
        if (forth != back)
            scree_check_fail(t->check,
                             "adjoins answers %d of features %#" PRIx64 " and %#" PRIx64
                             ", %d of the two in the other order",
                             forth, one->feature, other->feature, back);
        g_checksum_update(bits, (const guchar *)&forth, sizeof forth);
    }
}

static void turn(void *state, uint32_t number, GChecksum *bits)
{
    resolver_exercise *x = state;
    for (uint32_t k = 0; k < x->n; k++) {
        scree_resolver_bench *t = &x->bench[k];
        scree_resolver_pose(t, 99 + number);
        t->range = 0.1 * LENGTH;
        if (!scree_resolver_run_on_lanes(t, x->touches))
            return;
        g_array_sort(x->touches, compare_touches);
        add_touches(x, bits);
        add_adjoining(x, t, bits);
    }
}

static const scree_check_exercise exercise = {begin, turn, end};
const scree_check_suite scree_check_resolver = {SCREE_KIND_RESOLVER, &exercise, cases};
