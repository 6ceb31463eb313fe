/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers with walls of facets: a ball on a flat patch feels no seam; a convex
 * edge gives one contact, as of a solid; a corner gives one contact for each wall. */
#include "tools/check/check_facets.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_resolver_bench.h"
#include "tools/check/check_shapes.h"
#include "tools/check/guard_pages.h"

#define BALL 0.3 /* [m] radius */

/** Pair p: a ball with centre `local` in the axes of a body of the last shape, which is turned by
 * q. */
static void place(scree_resolver_bench *t, uint32_t p, double radius, const double local[3],
                  const double q[4])
{
    scree_check_bodies *b = &t->bodies;
    double centre[3];
    scree_rotate(q, local, centre);
    b->radius[2 * p] = b->scale[2 * p] = radius;
    b->scale[2 * p + 1] = 1.0;
    b->shape[2 * p + 1] = t->shapes->len - 1;
    b->radius[2 * p + 1] = ((const scree_shape *)t->shapes->pdata[t->shapes->len - 1])->radius;
    for (int k = 0; k < 4; k++)
        b->q[k][2 * p + 1] = q[k];
    for (int k = 0; k < 3; k++) {
        t->d[p][k] = -centre[k];
        b->x[k][2 * p + 1] = b->x[k][2 * p] - centre[k];
    }
}

static bool run_pairs(scree_resolver_bench *t, uint32_t n, GArray *touches)
{
    t->n_pairs = n;
    return scree_resolver_run_plainly(t, touches);
}

/** Moves a ball, 0.01 m deep, along a line over the hub of a flat fan in any attitude. */
static void roll(scree_resolver_bench *t)
{
    g_autoptr(GArray) touches = scree_touches_new();
    const double up[3] = {0, t->dimension == 2, t->dimension == 3};
    double q[4] = {1, 0, 0, 0}, n[3];
    if (!scree_resolver_take(t, scree_check_fan(t->dimension, 7)))
        return;
    for (int turned = 0; turned < 2; turned++) {
        for (uint32_t p = 0; p < SCREE_CHECK_PAIRS; p++) {
            double s = p / (SCREE_CHECK_PAIRS - 1.0), local[3] = {-0.4 + s, 0.05 + 0.3 * s, 0};
            local[t->dimension - 1] = BALL - 0.01;
            place(t, p, BALL, local, q);
        }
        if (!run_pairs(t, SCREE_CHECK_PAIRS, touches))
            return;
        scree_rotate(q, up, n);
        for (guint i = 0; i < touches->len; i++) {
            const scree_touch *x = scree_touch_at(touches, i);
            double worst = fabs(x->depth - 0.01);
            for (int k = 0; k < 3; k++)
                worst = fmax(worst, fabs(x->normal[k] + n[k]));
            if (worst > 1e-12 || x->feature != scree_touch_at(touches, 0)->feature)
                scree_resolver_fail(t,
                                    "on its way over a flat fan of facets the ball feels a seam: "
                                    "%g off, feature %" G_GUINT64_FORMAT
                                    " after %" G_GUINT64_FORMAT,
                                    worst, x->feature, scree_touch_at(touches, 0)->feature);
        }
        if (touches->len != SCREE_CHECK_PAIRS)
            scree_resolver_fail(t,
                                "on its way over a flat fan of facets the ball has %u contacts "
                                "in %d places",
                                touches->len, SCREE_CHECK_PAIRS);
        scree_check_random_turn(&t->random, t->dimension, q);
    }
}

/** A position near the cube, in half of all cases on the lattice of its vertices in some axes; its
 * distance and direction from the solid. */
static double choose_place(scree_resolver_bench *t, uint32_t p, uint32_t cut, double local[3],
                           double out[3])
{
    double distance = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        bool on = k < t->dimension;
        double x = on ? scree_check_uniform(&t->random, -1.7, 1.7) : 0.0;
        if (on && p % 2 && scree_check_uniform(&t->random, 0.0, 1.0) < 0.6)
            x = fmin(fmax(-1 + 2.0 * rint((x + 1) / 2 * cut) / cut, -1), 1);
        local[k] = x;
        out[k] = fmin(fmax(x, -1), 1) - x;
        distance = hypot(distance, out[k]);
    }
    return distance;
}

static void judge_solid(scree_resolver_bench *t, const scree_touch *x, double depth,
                        const double out[3], const double q[4])
{
    double n[3], worst = fabs(x->depth - depth);
    scree_rotate(q, out, n);
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs(x->normal[k] - n[k] / (0.5 - depth)));
    if (worst > 1e-11)
        scree_resolver_fail(t, "a ball at a cube: its contact is %g off that of the solid", worst);
}

/** Puts balls around a cube with cut faces: each ball in reach has the one contact of the solid. */
static void surround(scree_resolver_bench *t, uint32_t cut)
{
    g_autoptr(GArray) touches = scree_touches_new();
    double distance[SCREE_CHECK_PAIRS], out[SCREE_CHECK_PAIRS][3], q[SCREE_CHECK_PAIRS][4];
    uint32_t count[SCREE_CHECK_PAIRS] = {0};
    if (!scree_resolver_take(t, scree_check_cube(t->dimension, cut)))
        return;
    for (uint32_t p = 0; p < SCREE_CHECK_PAIRS; p++) {
        double local[3];
        do
            distance[p] = choose_place(t, p, cut, local, out[p]);
        while (distance[p] < 0.05 || distance[p] > 0.6);
        scree_check_random_turn(&t->random, t->dimension, q[p]);
        place(t, p, 0.5, local, q[p]);
    }
    if (!run_pairs(t, SCREE_CHECK_PAIRS, touches))
        return;
    for (guint i = 0; i < touches->len; i++) {
        const scree_touch *x = scree_touch_at(touches, i);
        if (count[x->pair]++ == 0)
            judge_solid(t, x, 0.5 - distance[x->pair], out[x->pair], q[x->pair]);
    }
    for (uint32_t p = 0; p < SCREE_CHECK_PAIRS; p++)
        if (count[p] != (distance[p] <= 0.5))
            scree_resolver_fail(t, "a ball %g m from a cube, with radius 0.5 m, has %u contacts",
                                distance[p], count[p]);
}

/** How far a place is from a cube with edges of 2 m. */
static double distance_from(const scree_resolver_bench *t, const double x[3],
                            const double centre[3])
{
    double d2 = 0.0;
    for (uint32_t k = 0; k < t->dimension; k++) {
        const double d = fmax(fabs(x[k] - centre[k]) - 1.0, 0.0);
        d2 += d * d;
    }
    return sqrt(d2);
}

/** Puts balls between two cubes of one shape: each cube in reach gives its contact, whatever the
 * other does. */
static void stand_between(scree_resolver_bench *t, uint32_t axis, double side)
{
    const double here[3] = {0.0}, q[4] = {1, 0, 0, 0};
    double away[3] = {0.3, 0.3, t->dimension == 3 ? 0.3 : 0.0};
    uint32_t count[SCREE_CHECK_PAIRS] = {0}, wanted[SCREE_CHECK_PAIRS];
    g_autoptr(GArray) touches = scree_touches_new();
    away[axis] = 2.6 * side;
    if (!scree_resolver_take(t, scree_check_cubes(t->dimension, 1, away)))
        return;
    for (uint32_t p = 0; p < SCREE_CHECK_PAIRS; p++) {
        double x[3] = {0.0}, first, second;
        do {
            for (uint32_t k = 0; k < t->dimension; k++)
                x[k] = k == axis ? scree_check_uniform(&t->random, 1.1, 1.5) * side
                                 : scree_check_uniform(&t->random, -1.4, 1.7);
            first = distance_from(t, x, here);
            second = distance_from(t, x, away);
        } while (first < 0.05 || second < 0.05 || fmin(first, second) > 0.5);
        wanted[p] = (first <= 0.5) + (second <= 0.5);
        place(t, p, 0.5, x, q);
    }
    if (!run_pairs(t, SCREE_CHECK_PAIRS, touches))
        return;
    for (guint i = 0; i < touches->len; i++)
        count[scree_touch_at(touches, i)->pair]++;
    for (uint32_t p = 0; p < SCREE_CHECK_PAIRS; p++)
        if (count[p] != wanted[p])
            scree_resolver_fail(t,
                                "a ball between two cubes of one shape, %u of them in reach, "
                                "has %u contacts",
                                wanted[p], count[p]);
}

/** In the corner of walls each wall gives one contact; next to it the walls in reach do. */
static void sit_in_corner(scree_resolver_bench *t)
{
    g_autoptr(GArray) touches = scree_touches_new();
    const double q[4] = {1, 0, 0, 0};
    const double inside[3] = {0.29, 0.28, t->dimension == 3 ? 0.27 : 0.0};
    const double groove[3] = {0.29, 0.6, t->dimension == 3 ? 0.28 : 0.0};
    uint32_t count[2] = {0};
    if (!scree_resolver_take(t, scree_check_corner(t->dimension)))
        return;
    place(t, 0, BALL, inside, q);
    place(t, 1, BALL, groove, q);
    if (!run_pairs(t, 2, touches))
        return;
    for (guint i = 0; i < touches->len; i++)
        count[scree_touch_at(touches, i)->pair]++;
    if (count[0] != t->dimension || count[1] != t->dimension - 1)
        scree_resolver_fail(t,
                            "in a corner of %u walls there are %u contacts, next to it, at %u of "
                            "them, %u",
                            t->dimension, count[0], t->dimension - 1, count[1]);
}

void scree_resolver_check_patches(scree_resolver_bench *t)
{
    if (t->type[1] != SCREE_CHECK_FACETS || t->type[0] > SCREE_CHECK_DISC)
        return;
    roll(t);
    surround(t, 1);
    surround(t, 3);
    for (uint32_t k = 0; k < 2 * t->dimension; k++)
        stand_between(t, k / 2, k % 2 ? 1.0 : -1.0);
    sit_in_corner(t);
}
