/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case `extras` of resolvers: volume, parts and principal curvatures, for each pair of types for which
 * supports() promises them.
 *
 * Volume     between two balls, and between a ball and a flat body, is compared with slices across the
 *            normal: each is a disc (2D: a line) of the smaller body there. For all types with area and
 *            volume, the slope of the volume as b moves along the normal is the area (2D: the chord
 *            times the thickness).
 * Parts      each body has the part.
 * Principal  the larger curvature comes first, along a unit vector across the normal. A ball has 1/r
 *            twice (a disc: 1/r and 0, with the direction in the plane), a flat body 0.
 * Limits     places where a feature ends within the step of the slope are left out.
 */
#include "tools/check/check_resolver_extras.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_resolver_bench.h"

enum { SLICES = 4000 };
static const double STEP = 0x1p-16, /* [m] of bodies of 1 m */
    OF_SLICES = 1e-4, OF_SLOPE = 1e-3, EXACT = 1e-12;

static bool is_round(uint32_t type)
{
    return type == SCREE_CHECK_SPHERE || type == SCREE_CHECK_DISC;
}

static bool is_flat(uint32_t type)
{
    return type == SCREE_CHECK_FACETS || type == SCREE_CHECK_PLANE;
}

/** The square of the half width of a ball of radius r at a distance s from its centre. */
static double half2(double r, double s)
{
    return fmax(r * r - s * s, 0.0);
}

/** [m^3] Overlap of a ball (2D: a disc of thickness 1 m) of radius a at 0 with a body that begins
 * at a - depth along the normal: a ball of radius b, or (b = 0) a half-space. */
static double slices(uint32_t dimension, double a, double b, double depth)
{
    const double d = a + b - depth, from = fmax(-a, b > 0.0 ? d - b : a - depth), to = a;
    const double width = (to - from) / SLICES;
    double sum = 0.0;
    if (!(width > 0.0))
        return 0.0;
    for (int k = 0; k < SLICES; k++) {
        const double s = from + (k + 0.5) * width;
        const double least = b > 0.0 ? fmin(half2(a, s), half2(b, s - d)) : half2(a, s);
        sum += width * (dimension == 2 ? 2.0 * sqrt(least) : G_PI * least);
    }
    return sum;
}

static void check_volume(scree_resolver_bench *t, const scree_touch *x)
{
    const double a = t->bodies.radius[2 * x->pair], b = t->bodies.radius[2 * x->pair + 1];
    if (!is_round(t->type[0]) || (!is_round(t->type[1]) && !is_flat(t->type[1])))
        return;
    const double expected =
        x->depth > 0.0 ? slices(t->dimension, a, is_flat(t->type[1]) ? 0.0 : b, x->depth) : 0.0;
    const double given = scree_touch_value(x, SCREE_GIVES_VOLUME);
    // Slices at the rim of a disc are as wide as the root of their number.
    if (!(fabs(given - expected) <= OF_SLICES * (expected + 1e-6 * a * a * a)))
        scree_resolver_fail(t,
                            "pair %u: a volume of %g m^3, balls of %g and %g m, depth %g m: by "
                            "slices it is %g m^3",
                            (unsigned)x->pair, given, a, b, x->depth, expected);
}

/** Quantities of one real, of any bodies. */
static void check_cut(scree_resolver_bench *t, const scree_touch *x)
{
    for (const scree_quantity *q = scree_quantities; q->n == 1 && !t->check->failed; q++) {
        const double given = scree_touch_value(x, q->gives);
        if (t->provides & q->gives && !scree_quantity_is_sound(q, given, x->depth))
            scree_resolver_fail(t, "pair %u: a%s %s of %g at depth %g m", (unsigned)x->pair,
                                *q->name == 'a' ? "n" : "", q->name, given, x->depth);
    }
}

static void check_parts(scree_resolver_bench *t, const scree_touch *x)
{
    for (int side = 0; side < 2; side++) {
        const uint64_t body = 2 * x->pair + (uint64_t)side;
        const scree_shape *shape = t->shapes->pdata[t->bodies.shape[body]];
        const double part = scree_touch_values(x, SCREE_GIVES_PARTS)[side];
        if (!(part < MAX(shape->n_parts, 1)))
            scree_resolver_fail(t, "pair %u: part[%d] is %g, of a body of %u parts",
                                (unsigned)x->pair, side, part, shape->n_parts);
    }
}

static void check_principal(scree_resolver_bench *t, const scree_touch *x)
{
    for (int side = 0; side < 2 && !t->check->failed; side++) {
        const double *all = scree_touch_values(x, SCREE_GIVES_PRINCIPAL);
        const double *k = all + 2 * side, *u = all + 4 + 3 * side;
        const uint32_t type = t->type[side];
        const double along = u[0] * x->normal[0] + u[1] * x->normal[1] + u[2] * x->normal[2];
        const double length2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        const double ball = 1.0 / t->bodies.radius[2 * x->pair + (uint64_t)side];
        double worst = fmax(fabs(along), fabs(length2 - 1.0));
        if (t->dimension == 2)
            worst = fmax(worst, fabs(u[2]));
        if (!(k[0] >= k[1]) || !(worst < EXACT))
            scree_resolver_fail(t,
                                "pair %u: principal curvatures of %s %g and %g 1/m along (%g, %g, "
                                "%g): expected the larger first, along a unit vector across the "
                                "normal%s",
                                (unsigned)x->pair, side ? "b" : "a", k[0], k[1], u[0], u[1], u[2],
                                t->dimension == 2 ? ", in the plane" : "");
        const double expected = is_round(type) ? ball : 0.0,
                     second = type == SCREE_CHECK_SPHERE ? ball : 0.0;
        if (!t->check->failed && (is_round(type) || is_flat(type)) &&
            (fabs(k[0] - expected) > EXACT * ball || fabs(k[1] - second) > EXACT * ball))
            scree_resolver_fail(t,
                                "pair %u: principal curvatures of %s %g and %g 1/m, expected %g "
                                "and %g",
                                (unsigned)x->pair, side ? "b" : "a", k[0], k[1], expected, second);
    }
}

/** Contacts with b moved by `by` steps along the former normals. */
static bool run_moved(scree_resolver_bench *t, const GArray *here, double by, GArray *out)
{
    double keep[SCREE_CHECK_PAIRS][3];
    memcpy(keep, t->d, sizeof keep);
    for (guint i = here->len; i-- > 0;) // the first contact of a pair counts
        for (int k = 0; k < 3; k++) {
            const scree_touch *x = scree_touch_at(here, i);
            t->d[x->pair][k] = keep[x->pair][k] - by * STEP * x->normal[k];
        }
    const bool good = scree_resolver_run_plainly(t, out);
    memcpy(t->d, keep, sizeof keep);
    return good;
}

/** The slope of the volume over the depth. */
static void check_slope(scree_resolver_bench *t, const GArray *here)
{
    const uint64_t cut = t->dimension == 2 ? SCREE_GIVES_CHORD : SCREE_GIVES_AREA;
    g_autoptr(GArray) deeper = scree_touches_new(), higher = scree_touches_new();
    if (!(t->provides & cut) || !run_moved(t, here, 1.0, deeper) ||
        !run_moved(t, here, -1.0, higher))
        return;
    for (guint i = 0; i < here->len && !t->check->failed; i++) {
        const scree_touch *x = scree_touch_at(here, i), *more = scree_touch_find(deeper, x),
                          *less = scree_touch_find(higher, x);
        const double area = scree_touch_value(x, cut);
        if ((i && scree_touch_at(here, i - 1)->pair == x->pair) || !more || !less ||
            x->depth < 0.1 || fabs(more->depth - less->depth - 2.0 * STEP) > 1e-3 * STEP)
            continue;
        const double slope = (scree_touch_value(more, SCREE_GIVES_VOLUME) -
                              scree_touch_value(less, SCREE_GIVES_VOLUME)) /
                             (more->depth - less->depth);
        // Whether one ball is inside the other: cut and slope then end together, in 2D at a root.
        if (area > 0.1 && fabs(slope - area) > OF_SLOPE * area)
            scree_resolver_fail(
                t, "pair %u, depth %g m: the slope of its volume over the depth is %g, its %s %g",
                (unsigned)x->pair, x->depth, slope, t->dimension == 2 ? "chord" : "area", area);
    }
}

void scree_resolver_check_extras(scree_resolver_bench *t)
{
    g_autoptr(GArray) here = scree_touches_new();
    t->range = 0.1;
    if (!scree_resolver_run_plainly(t, here))
        return;
    for (guint i = 0; i < here->len && !t->check->failed; i++) {
        check_cut(t, scree_touch_at(here, i));
        if (t->provides & SCREE_GIVES_VOLUME)
            check_volume(t, scree_touch_at(here, i));
        if (t->provides & SCREE_GIVES_PARTS)
            check_parts(t, scree_touch_at(here, i));
        if (t->provides & SCREE_GIVES_PRINCIPAL)
            check_principal(t, scree_touch_at(here, i));
    }
    if (!t->check->failed && t->provides & SCREE_GIVES_VOLUME)
        check_slope(t, here);
}
