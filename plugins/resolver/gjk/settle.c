// SPDX-License-Identifier: Apache-2.0
// Local minima of the overlap along a direction.
/*
 * Idea     f(n) = max n·a - min n·b = n·w(n), where w leads from b's farthest point to a's. Its
 *          gradient on the unit sphere is the part of w across n: at a minimum w is along n, and the
 *          two points are those that touch last.
 * Steps    smooth      Newton's method, with differences of w for its Jacobian J: step
 *                      -(J - f)^-1 w_across, shortened until f or the gradient falls
 *          polytope    next to one of its corners v: Newton's method with the point v fixed; on the
 *                      arcs of normals of its edges the zero of the slope, by false position; the
 *                      normals of its faces. The least of these by the true f; again from there
 *                      until nothing is less.
 * Error    of the direction: w_across is down to about 1e-15 of the size; an arc ends at the last bit.
 */
#include "settle.h"

#include "ridge.h"

enum { MOST_STEPS = 10, MOST_CUTS = 12, MOST_ROUNDS = 8 };
#define STILL 1e-15   /* part of the size */
#define LEFT 1e-12    /* part of the size: a slope that is more than rounding */
#define LEVEL 1e-9    /* part of the size: corners that are equally far along a direction */
#define SETTLED 1e-11 /* part of the size: a slope that counts as 0 */
#define BESIDE 0.998  /* cosine of 0.06 rad */
#define SNAP 1e-13    /* part of the size: a face that is at most this worse beats its edges */

static void differences(const pair *p, const scree_vec n[3], scree_vec w[3])
{
    scree_vec back[3], on_a[3], on_b[3];
    for (int k = 0; k < 3; k++) {
        back[k] = scree_scaled(-1.0, n[k]);
        on_a[k] = on_b[k] = p->fixed;
    }
    if (p->faces != p->a)
        convex_farthest3(p->a, n, on_a);
    if (p->faces != p->b)
        convex_farthest3(p->b, back, on_b);
    for (int k = 0; k < 3; k++)
        w[k] = scree_less(on_a[k], 1.0, on_b[k]);
}

/* State of Newton's method. */
typedef struct place {
    scree_vec n, w;
    double f, slope; /* [m] n·w, |part of w across n| */
} place;

static place place_at(const pair *p, scree_vec n)
{
    place at = {.n = n, .w = difference(p, n)};
    at.f = scree_dot(n, at.w);
    at.slope = length_of(scree_less(at.w, at.f, n));
    return at;
}

/* The step of Newton's method across n; h: step of the differences. */
static scree_vec newton_step(const pair *p, const place *at, double h)
{
    const scree_vec t = across(at->n), u = scree_cross(at->n, t);
    const scree_vec n[3] = {at->n, unit_of(scree_less(at->n, -h, t)),
                            unit_of(scree_less(at->n, -h, u))};
    scree_vec w[3];
    differences(p, n, w);
    const scree_vec wt = scree_scaled(1.0 / h, scree_less(w[1], 1.0, w[0]));
    const scree_vec wu = scree_scaled(1.0 / h, scree_less(w[2], 1.0, w[0]));
    double tt = scree_dot(t, wt) - at->f, uu = scree_dot(u, wu) - at->f;
    const double tu = 0.5 * (scree_dot(t, wu) + scree_dot(u, wt));
    const double gt = scree_dot(t, at->w), gu = scree_dot(u, at->w);
    const double middle = 0.5 * (tt + uu), half = 0.5 * (tt - uu);
    const double lowest = middle - sqrt(half * half + tu * tu), least = 1e-3 * p->size;
    if (!(lowest >= least)) { // no minimum is near: a step down the slope instead
        tt += least - lowest;
        uu += least - lowest;
    }
    const double det = tt * uu - tu * tu;
    const double dt = (tu * gu - uu * gt) / det, du = (tu * gt - tt * gu) / det;
    const scree_vec step = scree_sum(scree_scaled(dt, t), scree_scaled(du, u));
    const double length = length_of(step);
    return length > 0.5 ? scree_scaled(0.5 / length, step) : step;
}

static scree_vec newton(const pair *p, scree_vec from)
{
    place at = place_at(p, from);
    double h = 1e-4, watched = at.slope;
    for (int k = 0; k < MOST_STEPS && at.slope > STILL * p->size; k++) {
        if (k % 3 == 2 &&
            at.slope > 0.1 * watched) // creases and flat faces: ridge_descend() goes on
            break;
        watched = k % 3 == 2 ? at.slope : watched;
        const scree_vec step = newton_step(p, &at, h);
        double part = 1.0;
        int better = 0;
        for (int cut = 0; cut < MOST_CUTS && !better; cut++, part *= 0.25) {
            const place next = place_at(p, unit_of(scree_less(at.n, -part, step)));
            better =
                next.slope < 0.5 * at.slope || next.f < at.f + 1e-4 * part * scree_dot(step, at.w);
            if (better)
                at = next;
        }
        if (!better)
            break;
        h = scree_min(1e-4, scree_max(1e-9, 0.01 * length_of(step)));
    }
    return at.n;
}

/* The minimum in a crease, or where Newton's method gave up. A further Newton step counts only if
 * it halves the slope and f does not rise: f, at its last bits, shows no fall, and in a crease
 * slopes jump. */
static scree_vec polish(const pair *p, scree_vec n)
{
    if (!(place_at(p, n).slope > STILL * p->size))
        return n;
    place at = place_at(p, ridge_descend(p, n));
    for (int k = 0; k < MOST_STEPS && at.slope > LEFT * p->size; k++) {
        const double h = scree_min(1e-4, scree_max(1e-9, 0.01 * at.slope / p->size));
        const scree_vec step = newton_step(p, &at, h);
        const place next = place_at(p, unit_of(scree_sum(at.n, step)));
        if (!(next.slope < 0.5 * at.slope && next.f <= at.f + STILL * p->size))
            break;
        at = next;
    }
    return at.n;
}

/* 1: n is the best so far. */
static int try_direction(const pair *p, scree_vec n, double slack, span *best)
{
    const span s = span_along(p->a, p->b, n);
    if (!(s.depth < best->depth + slack))
        return 0;
    *best = s;
    return 1;
}

/* The minimum on the arc from n1 to n2; if the ends do not bracket one, it is searched next to the
 * best so far. 1: it is the best so far. */
static int try_arc(const pair *p, scree_vec n1, scree_vec n2, span *best)
{
    const scree_vec axis = unit_of(scree_cross(n1, n2));
    const scree_vec m = unit_of(scree_less(best->normal, scree_dot(best->normal, axis), axis));
    scree_vec n;
    if (ridge_arc(p, n1, n2, &n))
        return try_direction(p, n, 0.0, best);
    return scree_dot(scree_cross(n1, m), axis) > 0.0 && scree_dot(scree_cross(m, n2), axis) > 0.0 &&
           (ridge_arc(p, n1, m, &n) || ridge_arc(p, m, n2, &n)) && try_direction(p, n, 0.0, best);
}

/* Is the round body's farthest point between the ends of an edge? */
static int is_between(const pair *p, const edge *e, const span *s)
{
    const scree_vec from = corner(p->faces, e->from), to = corner(p->faces, e->to);
    const scree_vec x = p->faces == p->a ? s->on_b : s->on_a, u = scree_less(to, 1.0, from);
    return scree_dot(u, scree_less(x, 1.0, from)) >= 0.0 &&
           scree_dot(u, scree_less(to, 1.0, x)) >= 0.0;
}

/* 1: the best so far is a minimum, at this edge. */
static int try_edge(const pair *p, const edge *e, span *best)
{
    const scree_vec n1 = scree_scaled(p->sign, face_normal(p->faces, e->face[0]));
    const scree_vec n2 = scree_scaled(p->sign, face_normal(p->faces, e->face[1]));
    const scree_vec side = scree_scaled(p->sign, e->side[0]);
    int better;
    if (!p->faces->flat->flat)
        better = try_arc(p, n1, n2, best);
    else
        better = try_arc(p, n1, side, best) | try_arc(p, side, n2, best);
    return better && is_between(p, e, best);
}

/* Tries all features that meet in corner v; 1: the best so far is a minimum. */
static int try_corner(pair *p, uint32_t v, span *best)
{
    const polytope *flat = p->faces->flat;
    const int sure = !flat->narrow;
    p->fixed = corner(p->faces, v);
    uint32_t there;
    const scree_vec n = newton(p, best->normal);
    convex_farthest(p->faces, scree_scaled(p->sign, n), &there);
    const int still = there == v && place_at(p, n).slope <= SETTLED * p->size;
    if (try_direction(p, there == v && !still ? polish(p, n) : n, 0.0, best) && still && sure)
        return 1;
    for (uint32_t e = 0; e < flat->n_edges; e++)
        if (flat->edges[e].from == v || flat->edges[e].to == v) {
            const edge at = edge_of(p->faces, e);
            if (try_edge(p, &at, best) && sure)
                return 1;
        }
    for (uint32_t f = 0; f < flat->n_faces; f++)
        for (uint32_t k = flat->first[f]; k < flat->first[f + 1]; k++)
            if (flat->ring[k] == v)
                try_direction(p, scree_scaled(p->sign, face_normal(p->faces, f)), SNAP * p->size,
                              best);
    return 0;
}

/* Does corner v belong to a face whose normal is within 0.06 rad of n? */
static int is_beside(const convex *c, uint32_t v, scree_vec n)
{
    const polytope *p = c->flat;
    for (uint32_t f = 0; f < p->n_faces; f++)
        for (uint32_t k = p->first[f];
             scree_dot(face_normal(c, f), n) > BESIDE && k < p->first[f + 1]; k++)
            if (p->ring[k] == v)
                return 1;
    return 0;
}

/* Tries all corners that are farthest along the best direction so far: all corners of a face, and
 * also those of faces nearly across it, because a lower minimum may be next to this one. 1: the
 * best is a minimum. */
static int try_corners(pair *p, span *best)
{
    const scree_vec n = scree_scaled(p->sign, best->normal);
    const double most = scree_dot(n, convex_farthest(p->faces, n, NULL));
    for (uint32_t v = 0; v < p->faces->flat->n_vertices; v++)
        if ((scree_dot(n, corner(p->faces, v)) >= most - LEVEL * p->size ||
             (p->faces->flat->narrow && is_beside(p->faces, v, n))) &&
            try_corner(p, v, best))
            return 1;
    return 0;
}

/* Finds the face whose normal is nearest to the best direction so far. If the round body's farthest
 * point is over this face, takes the face's normal: no direction near this normal is better. */
static int settle_face(const pair *p, span *best)
{
    const convex *c = p->faces;
    const scree_vec n = scree_scaled(p->sign, best->normal);
    const uint32_t f = convex_facing(c, n);
    if (c->flat->narrow)
        return 0;
    const span s = span_along(p->a, p->b, scree_scaled(p->sign, face_normal(c, f)));
    if (!(s.depth <= best->depth) || !convex_is_over(c, f, c == p->a ? s.on_b : s.on_a, 0.0))
        return 0;
    *best = s;
    return 1;
}

span settle(const convex *a, const convex *b, scree_vec from)
{
    pair p = {.a = a, .b = b, .size = size_of(a, b), .sign = 1.0};
    span best = span_along(a, b, from);
    if (a->flat || b->flat) {
        p.faces = a->flat ? a : b;
        p.sign = a->flat ? 1.0 : -1.0;
    }
    if (!p.faces) {
        try_direction(&p, polish(&p, newton(&p, from)), STILL * p.size, &best);
        return best;
    }
    if (settle_face(&p, &best))
        return best;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const double before = best.depth;
        if (try_corners(&p, &best))
            break;
        if (best.depth < before - SNAP * p.size)
            continue;
        const pair all = {.a = a, .b = b, .size = p.size};
        try_direction(&p, ridge_descend(&all, best.normal), 0.0, &best);
        if (!(best.depth < before - SNAP * p.size))
            break;
    }
    return best;
}
