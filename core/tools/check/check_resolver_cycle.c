/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case `cycle` of resolvers: bodies of all types that it serves are led along closed paths.
 *
 * Idea     b is led about a in a circle, and turned to and fro, with a small overlap. Each contact
 *          pushes along its normal at its point, with k depth; with k area chord where the resolver
 *          gives the overlap (3D: k volume area), and with the couple k content twist. Where the resolver
 *          gives the eccentricity e, b is led a second time, on a bed of springs: by the gradient of
 *          k area² (1 + 12 e²) / (2 chord). Where it gives the bed in space, that of k bed / 2 is added.
 *          Such a force has a
 *          potential where the normal is the gradient of the depth, or the cut is that of the content.
 *          The work W on a closed path is then 0, except for the error of the sum over steps, which
 *          falls with the square of the step.
 * Verdict  the part of sum |W| / sum |dW| over 96 pairs that does not fall from 200 steps to 400. The
 *          pair with the largest share is printed.
 * Limits   a contact that jumps from one feature to another, as at the ends of two edges that are
 *          nearly parallel, takes or gives a little energy: 10 % of all pass, and are printed. A content
 *          has no such jumps: 1 %, on a bed too.
 */
#include "tools/check/check_resolver_cycle.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_report.h"
#include "tools/check/check_resolver_bench.h"
#include "tools/check/check_resolver_overlap.h"
#include "tools/check/guard_pages.h"

enum { STEPS = 200 };
static const double CIRCLE = 0.05, TURN = 0.1; // [m] for bodies of 1 m, [rad]
static const double MOST_DEPTH = 0.15, MOST = 0.1, MOST_OF_OVERLAP = 0.01;

/** Initial poses of pairs, and rotations of b. */
typedef struct paths {
    double d[SCREE_CHECK_PAIRS][3], q[SCREE_CHECK_PAIRS][4], axis[SCREE_CHECK_PAIRS][3];
    double first[SCREE_CHECK_PAIRS][3], second[SCREE_CHECK_PAIRS][3]; // [m] axes of the circle
    bool led[SCREE_CHECK_PAIRS];                                      // b overlaps a little
} paths;

/** Force [N] and torque [N m] on b for a stiffness of 1 N/m. */
typedef struct push {
    double force[3], torque[3];
} push;

typedef struct account {
    double work[SCREE_CHECK_PAIRS], turnover[SCREE_CHECK_PAIRS];
} account;

static void choose(const scree_resolver_bench *t, GArray *touches, paths *p)
{
    uint64_t random = 77;
    memset(p, 0, sizeof *p);
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *x = scree_touch_at(touches, i);
        p->led[x->pair] = true;
    }
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *x = scree_touch_at(touches, i);
        p->led[x->pair] = p->led[x->pair] && fabs(x->depth) <= MOST_DEPTH;
    }
    for (uint32_t n = 0; n < t->n_pairs; n++) {
        memcpy(p->d[n], t->d[n], sizeof p->d[n]);
        for (int k = 0; k < 4; k++)
            p->q[n][k] = t->bodies.q[k][2 * n + 1];
        for (uint32_t k = 0; k < 3; k++) {
            bool flat = t->dimension == 2;
            p->first[n][k] = k < t->dimension ? scree_check_uniform(&random, -CIRCLE, CIRCLE) : 0.0;
            p->second[n][k] =
                k < t->dimension ? scree_check_uniform(&random, -CIRCLE, CIRCLE) : 0.0;
            p->axis[n][k] = flat ? k == 2 : scree_check_uniform(&random, -1.0, 1.0);
        }
        double *u = p->axis[n], length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; k++)
            u[k] /= length;
    }
}

/** Poses all b at s in [0, 1] of their paths. */
static void lead(scree_resolver_bench *t, const paths *p, double s)
{
    const double wave = sin(2.0 * G_PI * s), rise = 1.0 - cos(2.0 * G_PI * s);
    const double half = 0.5 * TURN * wave;
    for (uint32_t n = 0; n < t->n_pairs; n++) {
        const double *q = p->q[n], *u = p->axis[n];
        const double r[4] = {cos(half), sin(half) * u[0], sin(half) * u[1], sin(half) * u[2]};
        scree_check_bodies *b = &t->bodies;
        double turned[4];
        scree_rotation_product(r, q, turned);
        for (int k = 0; k < 4; k++)
            b->q[k][2 * n + 1] = turned[k];
        for (int k = 0; k < 3; k++) {
            t->d[n][k] = p->d[n][k] + p->first[n][k] * wave + p->second[n][k] * rise;
            b->x[k][2 * n + 1] = b->x[k][2 * n] + t->d[n][k];
        }
    }
}

/** [N] of a spring of 1 N/m; for overlaps: k area chord, in 3D k volume area. */
static double strength(const scree_resolver_bench *t, const scree_touch *x)
{
    if (!scree_resolver_is_overlap(t))
        return fmax(x->depth, 0.0);
    return scree_touch_value(x, SCREE_GIVES_AREA) *
           scree_touch_value(x, t->dimension == 2 ? SCREE_GIVES_CHORD : SCREE_GIVES_VOLUME);
}

/** How the energy of a bed of springs grows, area² (1 + 12 e²) / (2 l), with area, eccentricity e and
 * chord. l, the fourth root of chord⁴ + area², stays above 0 where pushes cancel and the chord is 0.
 * Beyond |e| = 1/6 the energy does not grow with e. */
typedef struct bed {
    double by_area, by_off, by_chord;
} bed;

static bed bed_of(const scree_touch *x)
{
    const double area = scree_touch_value(x, SCREE_GIVES_AREA),
                 chord = scree_touch_value(x, SCREE_GIVES_CHORD),
                 e = scree_touch_value(x, SCREE_GIVES_ECCENTRICITY),
                 share = 1.0 + fmin(12.0 * e * e, 1.0 / 3.0),
                 length = sqrt(sqrt(chord * chord * chord * chord + area * area)),
                 depth = length > 0.0 ? area / length : 0.0,
                 of_chord = length > 0.0 ? chord / length : 0.0,
                 of_area = length > 0.0 ? depth / length : 0.0;
    return (bed){.by_area = depth * share * (1.0 - 0.25 * of_area * of_area),
                 .by_off = fabs(e) < 1.0 / 6.0 ? 12.0 * e * area * depth : 0.0,
                 .by_chord = -0.5 * depth * depth * share * of_chord * of_chord * of_chord};
}

/** Adds force and torque on b of the bed. */
static void add_bed(const scree_resolver_bench *t, const scree_touch *x, const double arm[3],
                    push *out)
{
    const double *off = scree_touch_values(x, SCREE_GIVES_ECCENTRICITY);
    const double chord = scree_touch_value(x, SCREE_GIVES_CHORD);
    const bed of = bed_of(x);
    double f[2];
    for (int k = 0; k < 2; k++) {
        f[k] =
            of.by_area * chord * x->normal[k] + of.by_off * off[3 + k] + of.by_chord * off[5 + k];
        out->force[k] += f[k];
    }
    out->torque[2] += of.by_area * scree_resolver_twist(t, x, 2) + of.by_off * off[1] +
                      of.by_chord * off[2] + arm[0] * f[1] - arm[1] * f[0];
}

/** Adds force and torque on b of the bed in space, half of how it grows as a moves. */
static void add_bed_in_space(const scree_touch *x, const double arm[3], push *out)
{
    const double *slope = scree_touch_values(x, SCREE_GIVES_BED) + 1, *turn = slope + 3;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out->force[k] += 0.5 * slope[k];
        out->torque[k] += 0.5 * (turn[k] + arm[i] * slope[j] - arm[j] * slope[i]);
    }
}

static bool find_pushes(scree_resolver_bench *t, GArray *touches, bool by_bed, push *out)
{
    memset(out, 0, SCREE_CHECK_PAIRS * sizeof *out);
    if (!scree_resolver_run_plainly(t, touches))
        return false;
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *x = scree_touch_at(touches, i);
        double f[3], arm[3];
        for (int k = 0; k < 3; k++) {
            f[k] = strength(t, x) * x->normal[k];
            arm[k] = x->arm[k] - t->d[x->pair][k];
        }
        if (by_bed) {
            add_bed(t, x, arm, &out[x->pair]);
            continue;
        }
        if (scree_resolver_is_overlap(t) && t->provides & SCREE_GIVES_BED)
            add_bed_in_space(x, arm, &out[x->pair]);
        const uint64_t content = t->dimension == 2 ? SCREE_GIVES_AREA : SCREE_GIVES_VOLUME;
        const double by = scree_resolver_is_overlap(t) ? scree_touch_value(x, content) : 0.0;
        for (int k = 0; k < 3; k++) {
            out[x->pair].force[k] += f[k];
            out[x->pair].torque[k] += by * scree_resolver_twist(t, x, k) +
                                      arm[(k + 1) % 3] * f[(k + 2) % 3] -
                                      arm[(k + 2) % 3] * f[(k + 1) % 3];
        }
    }
    return true;
}

static bool run_paths(scree_resolver_bench *t, const paths *p, bool by_bed, uint32_t steps,
                      account *a)
{
    g_autofree push *was = g_new0(push, SCREE_CHECK_PAIRS), *now = g_new0(push, SCREE_CHECK_PAIRS);
    g_autoptr(GArray) touches = scree_touches_new();
    double before[SCREE_CHECK_PAIRS][3];
    memset(a, 0, sizeof *a);
    for (uint32_t i = 0; i <= steps; i++) {
        const double s = (double)i / steps, last = (double)(i - 1.0) / steps;
        const double turned = TURN * (sin(2.0 * G_PI * s) - sin(2.0 * G_PI * last));
        lead(t, p, s);
        memcpy(was, now, SCREE_CHECK_PAIRS * sizeof *now);
        if (!find_pushes(t, touches, by_bed, now))
            return false;
        for (uint32_t n = 0; n < t->n_pairs; n++) {
            double work = 0.0;
            for (int k = 0; k < 3; k++)
                work += 0.5 * (was[n].force[k] + now[n].force[k]) * (t->d[n][k] - before[n][k]) +
                        0.5 * (was[n].torque[k] + now[n].torque[k]) * turned * p->axis[n][k];
            if (i > 0 && p->led[n]) {
                a->work[n] += work;
                a->turnover[n] += fabs(work);
            }
            memcpy(before[n], t->d[n], sizeof before[n]);
        }
    }
    return true;
}

/** Sum |W| of the pairs, relative to the turnover. */
static double share_of(const account *a, uint32_t n, double *all)
{
    double work = 0.0;
    *all = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        work += fabs(a->work[i]);
        *all += a->turnover[i];
    }
    return *all > 0.0 ? work / *all : 0.0;
}

/** Leads all pairs twice, with an elastic push or with that of a bed. */
static void try_paths(scree_resolver_bench *t, const paths *p, bool by_bed)
{
    g_autofree account *coarse = g_new(account, 1), *fine = g_new(account, 1);
    double all, worst = 0.0;
    uint32_t at = 0;
    if (!run_paths(t, p, by_bed, STEPS, coarse) || !run_paths(t, p, by_bed, 2 * STEPS, fine))
        return;
    double before = share_of(coarse, t->n_pairs, &all), now = share_of(fine, t->n_pairs, &all);
    double lasting = 2.0 * now - before;
    for (uint32_t n = 0; n < t->n_pairs; n++)
        if (fabs(fine->work[n]) > fabs(worst)) {
            worst = fine->work[n];
            at = n;
        }
    if (!(all > 0.0))
        return; // no pair overlaps a little
    const double most = scree_resolver_is_overlap(t) ? MOST_OF_OVERLAP : MOST;
    const char *what =
        by_bed ? "a bed of springs under the chord" : "an elastic push along the normal";
    if (fabs(now) > most && fabs(lasting) > most)
        scree_resolver_fail(
            t,
            "led along closed paths, %s does %.2g of the work that was turned over, "
            "%.2g in half as many steps; pair %u does the most: its %s",
            what, now, before, at,
            by_bed ? "slopes are not the gradients of its eccentricity and chord"
            : scree_resolver_is_overlap(t) ? "normal is not the gradient of its overlap"
                                           : "normal is not the gradient of its depth");
    else if (fabs(now) > 1e-3)
        scree_check_note(t->check, "%s - %s, %uD: with %s %.2g of the work on closed paths is left",
                         scree_resolver_type_name(t->type[0]), scree_resolver_type_name(t->type[1]),
                         t->dimension, what, now);
}

void scree_resolver_check_cycle(scree_resolver_bench *t)
{
    g_autoptr(GArray) touches = scree_touches_new();
    g_autofree paths *p = g_new(paths, 1);
    t->range = 0.0;
    if (!scree_resolver_run_plainly(t, touches))
        return;
    choose(t, touches, p);
    try_paths(t, p, false);
    if (!t->check->failed && scree_resolver_is_overlap(t) && t->provides & SCREE_GIVES_ECCENTRICITY)
        try_paths(t, p, true);
}
