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
 * Steps    1. the least overlap of two ellipsoids with the half axes of the bodies: from
 *             (A / h_a + B / h_b)^-1 d, where A has the squares of half axes and h_a is the support function
 *             along d, by Newton's method on these matrices
 *          2. Newton's method on the bodies: the step is -(J - f)^-1 w_across, where J is the sum of
 *             their radii of curvature; J - f is at least R - f. The step is shortened until f or
 *             w_across falls. Next to a flat place the farthest point x goes as a low power of the angle,
 *             and such steps overshoot: there x moves by its radii times the step, and the normal
 *             of the body at that x is the next direction
 *          3. the proof; without one, as for deep overlaps, least.c searches all directions
 * Cost     support points with radii: of ellipsoids 1 each, of needles and plates of 10 : 1 2 to 4, of
 *          superquadrics of exponent 4 some 10, of exponent 8 some 20
 * Limits   Rounding moves the points of very flat places by more than the proof allows: least.c then
 *          mixes points next to the normal. Most pairs of exponents 20 and 40 need settle().
 */
#include "roll.h"

enum { MOST_STEPS = 24, MOST_CUTS = 4, MOST_ROUNDS = 6 };
#define STILL 1e-15 /* part of the size: a slope that is rounding */
#define LEFT 1e-12  /* part of the size: one step more leaves rounding */
#define OPPOSITE                                                                                   \
    1e-10 /* part of the size: points of a span that are farther off the normal are not opposite */
#define EXACT 1e-17 /* part of the size: what the depth may be above the least */
#define FLAT 0.5    /* part of the size: radius of curvature of a flat place */
#define LONGEST 0.5 /* [rad] step */

typedef struct place {
    span at;
    scree_vec t, u;    /* across the normal */
    double slope;      /* [m] |part of w across n| */
    double gt, gu;     /* [m] its parts */
    double tt, uu, tu; /* [m] J */
    double of[2][3];   /* [m] parts of J: of a and b */
} place;

static place place_at(const convex *a, const convex *b, scree_vec n)
{
    place out = {.at = {.normal = n}, .t = across(n)};
    out.u = scree_cross(n, out.t);
    out.at.on_a = convex_bent(a, n, out.t, out.u, out.of[0]);
    out.at.on_b = convex_bent(b, scree_scaled(-1.0, n), out.t, out.u, out.of[1]);
    const scree_vec w = scree_less(out.at.on_a, 1.0, out.at.on_b);
    out.at.depth = scree_dot(n, w);
    out.gt = scree_dot(out.t, w);
    out.gu = scree_dot(out.u, w);
    out.slope = sqrt(out.gt * out.gt + out.gu * out.gu);
    out.tt = out.of[0][0] + out.of[1][0];
    out.uu = out.of[0][1] + out.of[1][1];
    out.tu = out.of[0][2] + out.of[1][2];
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

/* An ellipsoid about a body's centre, with its half axes: the symmetric matrix A, whose h is
 * sqrt(n A n). */
typedef struct squares {
    scree_vec row[3];
} squares;

static squares squares_of(const convex *c)
{
    squares s = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int k = 0; k < 3; k++) {
        const scree_vec x = scree_scaled(c->view ? c->scale * c->half[k] : c->radius, c->axis[k]);
        s.row[0] = scree_less(s.row[0], -x.x, x);
        s.row[1] = scree_less(s.row[1], -x.y, x);
        s.row[2] = scree_less(s.row[2], -x.z, x);
    }
    return s;
}

static scree_vec times(const squares *s, scree_vec n)
{
    return scree_vec_of(scree_dot(s->row[0], n), scree_dot(s->row[1], n), scree_dot(s->row[2], n));
}

/* (A / h_a + B / h_b)^-1 d up to its length, h along d. */
static scree_vec between(const squares s[2], scree_vec d)
{
    scree_vec row[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 2; k++) {
        const double by = 1.0 / sqrt(scree_dot(d, times(&s[k], d)));
        for (int i = 0; i < 3; i++)
            row[i] = scree_less(row[i], -by, s[k].row[i]);
    }
    const scree_vec n = scree_sum(scree_scaled(d.x, scree_cross(row[1], row[2])),
                                  scree_scaled(d.y, scree_cross(row[2], row[0])));
    return unit_of(scree_less(n, -d.z, scree_cross(row[0], row[1])));
}

/* The place of two ellipsoids along n, without its points. */
static place place_of_squares(const squares s[2], scree_vec d, scree_vec n)
{
    place out = {.at = {.normal = n, .depth = -scree_dot(n, d)}, .t = across(n)};
    out.u = scree_cross(n, out.t);
    out.gt = -scree_dot(out.t, d);
    out.gu = -scree_dot(out.u, d);
    for (int k = 0; k < 2; k++) {
        const scree_vec at = times(&s[k], out.t), au = times(&s[k], out.u);
        const double h = sqrt(scree_dot(n, times(&s[k], n))), by = 1.0 / h;
        const double gt = by * scree_dot(n, at), gu = by * scree_dot(n, au);
        out.at.depth += h;
        out.gt += gt;
        out.gu += gu;
        out.tt += by * (scree_dot(out.t, at) - gt * gt);
        out.uu += by * (scree_dot(out.u, au) - gu * gu);
        out.tu += by * (scree_dot(out.t, au) - gt * gu);
    }
    out.slope = sqrt(out.gt * out.gt + out.gu * out.gu);
    return out;
}

static scree_vec start(const convex *a, const convex *b, scree_vec d)
{
    const double size = size_of(a, b);
    const squares s[2] = {squares_of(a), squares_of(b)};
    place p = place_of_squares(s, d, between(s, d));
    for (int k = 0; k < MOST_ROUNDS; k++) {
        const scree_vec step = step_from(&p, 1e-3 * size);
        const place next = place_of_squares(s, d, unit_of(scree_sum(p.at.normal, step)));
        if (!(next.slope < p.slope))
            break;
        p = next;
        if (p.slope <= STILL * size)
            break;
    }
    return p.at.normal;
}

/* ---- the search ---- */

/* The normal of a body's surface on the ray from its centre to a point. */
static scree_vec normal_at(const convex *c, scree_vec p)
{
    const scree_vec x = turned_back(c, scree_less(p, 1.0, c->centre));
    const double by = 1.0 / c->scale, at[3] = {by * x.x, by * x.y, by * x.z};
    const double *const from[3] = {&at[0], &at[1], &at[2]};
    double value, g[3], *const gradient[3] = {&g[0], &g[1], &g[2]};
    c->implicit->value(c->implicit->ctx, 1, from, &value, gradient);
    return turned(c, scree_vec_of(g[0], g[1], g[2]));
}

/* The direction after a step. In a flat place a small turn moves the farthest point far: there the
 * point takes the step, and the direction is the normal where it arrives. */
static scree_vec turn_by(const convex *const body[2], const place *p, scree_vec step)
{
    const double dt = scree_dot(step, p->t), du = scree_dot(step, p->u);
    scree_vec move[2];
    double length[2];
    for (int k = 0; k < 2; k++) {
        const double *r = p->of[k];
        move[k] = scree_sum(scree_scaled(r[0] * dt + r[2] * du, p->t),
                            scree_scaled(r[2] * dt + r[1] * du, p->u));
        length[k] = length_of(move[k]);
    }
    const int k = length[1] > length[0];
    const convex *c = body[k];
    if (!c->implicit || !(length[k] > FLAT * c->radius * length_of(step)))
        return unit_of(scree_sum(p->at.normal, step));
    const scree_vec from = k ? p->at.on_b : p->at.on_a;
    const scree_vec n = normal_at(c, scree_less(from, k ? 1.0 : -1.0, move[k]));
    return unit_of(scree_scaled(k ? -1.0 : 1.0, n));
}

/* Finds the next place, where f or the slope is less; 0: none. */
static int go_on(const convex *const body[2], double least, place *p)
{
    const scree_vec step = step_from(p, least);
    const double fall = p->gt * scree_dot(step, p->t) + p->gu * scree_dot(step, p->u);
    double part = 1.0;
    for (int cut = 0; cut < MOST_CUTS; cut++, part *= 0.25) {
        const place next = place_at(body[0], body[1], turn_by(body, p, scree_scaled(part, step)));
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
    const convex *const body[2] = {a, b};
    out->depth = (double)INFINITY;
    if (!(radius > 0.0) || !(scree_dot(d, d) > 0.0))
        return ROLL_UNKNOWN;
    place p = place_at(a, b, start(a, b, d));
    for (int k = 0; k < MOST_STEPS && p.slope > STILL * size; k++) {
        if (p.at.depth < -range - slack)
            break;
        const int last = p.slope <= LEFT * size;
        const double least = scree_max(0.5 * (radius - p.at.depth), 1e-3 * size);
        if (!go_on(body, least, &p) || last)
            break;
    }
    *out = p.at;
    if (p.at.depth < -range - slack)
        return ROLL_FAR;
    if (!roll_proves(a, b, p.at.depth, p.slope))
        return ROLL_UNKNOWN;
    return p.at.depth >= -range ? ROLL_LEAST : ROLL_FAR;
}
