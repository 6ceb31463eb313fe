// SPDX-License-Identifier: Apache-2.0
// The least overlap of two smooth bodies, by Newton's method and a proof that it is the least.
/*
 * Sources  [1] W. Blaschke, Kreis und Kugel, 1916, 24: a ball rolls freely inside a convex surface if
 *              no radius of curvature is less than its own.
 * Idea     Balls of radius r_a and r_b that roll inside of both bodies make one of R = r_a + r_b that
 *          rolls inside of the differences a - b. Where w(n), the farthest of these along n, is
 *          itself along n, this ball has its centre at (f - R) n, and no direction m has less depth
 *          than the ball: f(m) >= R + (f - R) n·m. So for f <= R the least of all directions is f(n).
 *          If w is s across n, the centre is sqrt((R - f)^2 + s^2) from the origin, and the least is
 *          less by s^2 / 2 (R - f) at most. Gaps need no ball.
 * Steps    1. n from ellipsoids with the half axes of the bodies: (A / h_a + B / h_b)^-1 d, where A
 *             has the squares of half axes, and h_a is the support function along d
 *          2. Newton's method: the step is -(J - f)^-1 w_across, where J is the sum of the radii of
 *             curvature of both bodies; J - f is at least R - f. The step is shortened until f or w_across falls
 *          3. the proof; or else, as for deep overlaps, least.c searches all directions
 * Cost     some 6 support points with radii of each body
 */
#include "roll.h"

enum { MOST_STEPS = 24, MOST_CUTS = 8 };
#define STILL 1e-15 /* part of the size: a slope that is rounding */
#define LEFT 1e-12  /* part of the size: one step more leaves rounding */
#define OPPOSITE                                                                                   \
    1e-10 /* part of the size: points of a span that are farther off the normal are not opposite */
#define EXACT 1e-17 /* part of the size: what the depth may be above the least */
#define LONGEST 0.5 /* [rad] step */

typedef struct place {
    span at;
    scree_vec t, u;    /* across the normal */
    double slope;      /* [m] |part of w across n| */
    double gt, gu;     /* [m] its parts */
    double tt, uu, tu; /* [m] J */
} place;

static scree_vec ask(const convex *c, scree_vec n, scree_vec t, scree_vec u, double radii[3])
{
    if (!c->view) {
        radii[0] = radii[1] = c->radius;
        radii[2] = 0.0;
        return scree_less(c->centre, -c->radius, n);
    }
    const scree_vec way[3] = {turned_back(c, n), turned_back(c, t), turned_back(c, u)};
    const double of[3][3] = {{way[0].x, way[0].y, way[0].z},
                             {way[1].x, way[1].y, way[1].z},
                             {way[2].x, way[2].y, way[2].z}};
    double p[3];
    c->smooth->farthest(c->smooth->ctx, of, p, radii);
    for (int k = 0; k < 3; k++)
        radii[k] *= c->scale;
    return scree_less(c->centre, -c->scale, turned(c, scree_vec_of(p[0], p[1], p[2])));
}

static place place_at(const convex *a, const convex *b, scree_vec n)
{
    place out = {.at = {.normal = n}, .t = across(n)};
    double of_a[3], of_b[3];
    out.u = scree_cross(n, out.t);
    out.at.on_a = ask(a, n, out.t, out.u, of_a);
    out.at.on_b = ask(b, scree_scaled(-1.0, n), out.t, out.u, of_b);
    const scree_vec w = scree_less(out.at.on_a, 1.0, out.at.on_b);
    out.at.depth = scree_dot(n, w);
    out.gt = scree_dot(out.t, w);
    out.gu = scree_dot(out.u, w);
    out.slope = sqrt(out.gt * out.gt + out.gu * out.gu);
    out.tt = of_a[0] + of_b[0];
    out.uu = of_a[1] + of_b[1];
    out.tu = of_a[2] + of_b[2];
    return out;
}

/* Newton's step. `least` [m]: less than any radius of curvature of the depth near its minimum. */
static scree_vec step_from(const place *p, double least)
{
    const double f = p->at.depth;
    double tt = p->tt - f, uu = p->uu - f;
    const double tu = p->tu, middle = 0.5 * (tt + uu), half = 0.5 * (tt - uu);
    const double lowest = middle - sqrt(half * half + tu * tu);
    if (!(lowest >= least)) { // deep: a step down the slope instead
        tt += least - lowest;
        uu += least - lowest;
    }
    const double det = tt * uu - tu * tu;
    const double dt = (tu * p->gu - uu * p->gt) / det, du = (tu * p->gt - tt * p->gu) / det;
    const scree_vec step = scree_sum(scree_scaled(dt, p->t), scree_scaled(du, p->u));
    const double length = length_of(step);
    return length > LONGEST ? scree_scaled(LONGEST / length, step) : step;
}

/* ---- start ---- */

/* The half axes of an ellipsoid about the body's centre, in the world. */
static void stretch(const convex *c, scree_vec axis[3])
{
    for (int k = 0; k < 3; k++)
        axis[k] = scree_scaled(c->view ? c->scale * c->half[k] : c->radius, c->axis[k]);
}

/* Adds the squares of half axes over the support function along e to the rows of a symmetric
 * matrix. */
static void add_squares(const convex *c, scree_vec e, scree_vec row[3])
{
    scree_vec axis[3];
    double part[3], square = 0.0;
    stretch(c, axis);
    for (int k = 0; k < 3; k++) {
        part[k] = scree_dot(axis[k], e);
        square += part[k] * part[k];
    }
    const double by = 1.0 / sqrt(square);
    for (int k = 0; k < 3; k++) {
        const scree_vec x = axis[k];
        row[0] = scree_less(row[0], -by * x.x, x);
        row[1] = scree_less(row[1], -by * x.y, x);
        row[2] = scree_less(row[2], -by * x.z, x);
    }
}

static scree_vec start(const convex *a, const convex *b, scree_vec d)
{
    const scree_vec e = unit_of(d);
    scree_vec row[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    add_squares(a, e, row);
    add_squares(b, e, row);
    const scree_vec n = scree_sum(scree_sum(scree_scaled(d.x, scree_cross(row[1], row[2])),
                                            scree_scaled(d.y, scree_cross(row[2], row[0]))),
                                  scree_scaled(d.z, scree_cross(row[0], row[1])));
    return unit_of(n);
}

/* ---- the search ---- */

/* The next place, where f or the slope is less; 0: there is none. */
static int go_on(const convex *a, const convex *b, double least, place *p)
{
    const scree_vec step = step_from(p, least);
    const double fall = p->gt * scree_dot(step, p->t) + p->gu * scree_dot(step, p->u);
    double part = 1.0;
    for (int cut = 0; cut < MOST_CUTS; cut++, part *= 0.25) {
        const place next = place_at(a, b, unit_of(scree_less(p->at.normal, -part, step)));
        if (next.slope < 0.5 * p->slope || next.at.depth < p->at.depth + 1e-4 * part * fall) {
            *p = next;
            return 1;
        }
    }
    return 0;
}

double roll_radius(const convex *a, const convex *b)
{
    if ((a->view && !a->smooth) || (b->view && !b->smooth) || a->flat || b->flat)
        return 0.0;
    return (a->view ? a->scale * a->smooth->roll : a->radius) +
           (b->view ? b->scale * b->smooth->roll : b->radius);
}

int roll_proves(const convex *a, const convex *b, double depth, double off)
{
    const double size = size_of(a, b);
    return off <= OPPOSITE * size && off * off <= EXACT * size * (roll_radius(a, b) - depth);
}

int roll_span(const convex *a, const convex *b, double range, span *out)
{
    const double radius = roll_radius(a, b), size = size_of(a, b),
                 slack = 1e-9 * (a->radius + b->radius);
    const scree_vec d = scree_less(b->centre, 1.0, a->centre);
    out->depth = (double)INFINITY;
    if (!(radius > 0.0) || !(scree_dot(d, d) > 0.0))
        return ROLL_UNKNOWN;
    place p = place_at(a, b, start(a, b, d));
    for (int k = 0; k < MOST_STEPS && p.slope > STILL * size; k++) {
        if (p.at.depth < -range - slack)
            break;
        const int last = p.slope <= LEFT * size;
        const double least = scree_max(0.5 * (radius - p.at.depth), 1e-3 * size);
        if (!go_on(a, b, least, &p) || last)
            break;
    }
    *out = p.at;
    if (p.at.depth < -range - slack)
        return ROLL_FAR;
    if (!roll_proves(a, b, p.at.depth, p.slope))
        return ROLL_UNKNOWN;
    return p.at.depth >= -range ? ROLL_LEAST : ROLL_FAR;
}
