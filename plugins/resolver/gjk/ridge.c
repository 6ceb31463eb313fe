// SPDX-License-Identifier: Apache-2.0
// Minima of the overlap where a body has many farthest points: along a bar, an edge, a flat end.
/*
 * Idea     There f(n) has a crease: the gradient jumps between that of one end of the bar and that of
 *          the other. A minimum in it is where the ends' gradients are opposite: a point between the two
 *          ends lies along n. Newton's method ends at some place of the crease, or next to it.
 * Steps    1. down the gradient: the zero of the slope on that great circle, to the last bit. Where the
 *             farthest points jump there by e, it is a crease
 *          2. along the crease: on the great circle across e, the zero of the slope. Without a crease
 *             the same with the change of the farthest points: the conjugate direction
 *          3. again, until neither f falls nor the slope is halved
 * Points   ridge_points() mixes the farthest points of directions next to n so that they lie opposite
 *          each other: of 8 directions a triangle at most does. Where these fail, as next to the
 *          border of a round face, ridge_points_wide() turns n towards the error, repeatedly, and
 *          further each time when the search ended short of a minimum.
 */
#include "ridge.h"

enum { MOST_HALVINGS = 100, MOST_ROUNDS = 12, MOST_DOUBLINGS = 14, BESIDE = 8, MOST_WIDE = 40 };
#define LEVEL 1e-14   /* part of the size: a slope that counts as 0 */
#define ENOUGH 1e-15  /* part of the size: a fall that ends the search */
#define JUMP 1e-7     /* part of the size: farthest points farther apart than this are two */
#define NEXT_TO 1e-12 /* [rad] directions next to n */
#define WIDER 10.0    /* factor, where those directions do not help */

static double slope_at(const pair *p, scree_vec n, scree_vec axis)
{
    return scree_dot(difference(p, n), scree_cross(axis, n));
}

/* A zero between two directions, n1 with a slope below 0 and n2 with one above it; both are moved to the
 * last bits next to it. */
static scree_vec close_in(const pair *p, scree_vec *n1, scree_vec *n2)
{
    const scree_vec axis = scree_cross(*n1, *n2), from = *n1, to = *n2;
    double low = 0.0, high = 1.0;
    double at_low = slope_at(p, from, axis), at_high = slope_at(p, to, axis);
    const double level = 0.1 * LEVEL * p->size * length_of(axis);
    scree_vec n = from;
    int side = 0;
    for (int k = 0; k < MOST_HALVINGS; k++) {
        double s = (low * at_high - high * at_low) / (at_high - at_low);
        s = k % 3 == 2 || !(s > low && s < high) ? 0.5 * (low + high) : s;
        if (!(s > low && s < high))
            break;
        n = unit_of(scree_sum(scree_scaled(1.0 - s, from), scree_scaled(s, to)));
        const double slope = slope_at(p, n, axis);
        if (fabs(slope) <= level)
            break;
        if (slope < 0.0) {
            *n1 = n;
            low = s;
            at_low = slope;
            at_high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            *n2 = n;
            high = s;
            at_high = slope;
            at_low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
    }
    return n;
}

int ridge_arc(const pair *p, scree_vec n1, scree_vec n2, scree_vec *n)
{
    const scree_vec axis = scree_cross(n1, n2);
    if (!(slope_at(p, n1, axis) < 0.0 && slope_at(p, n2, axis) > 0.0))
        return 0;
    *n = close_in(p, &n1, &n2);
    return 1;
}

/* The next zero of the slope from n towards the unit vector t across it, where f falls at first;
 * *jump: the jump of the farthest points there. */
static scree_vec go_down(const pair *p, scree_vec n, scree_vec t, scree_vec *jump)
{
    const scree_vec axis = scree_cross(n, t);
    scree_vec from = n, to = n;
    double by = 1e-4;
    *jump = scree_vec_of(0.0, 0.0, 0.0);
    for (int k = 0; k < MOST_DOUBLINGS; k++, by *= 2.0) {
        to = unit_of(scree_less(n, -by, t));
        if (slope_at(p, to, axis) > 0.0)
            break;
        from = to;
    }
    if (!(slope_at(p, to, axis) > 0.0) || !(slope_at(p, from, axis) < 0.0))
        return n;
    const scree_vec at = close_in(p, &from, &to);
    *jump = scree_less(difference(p, to), 1.0, difference(p, from));
    return at;
}

static scree_vec across_part(scree_vec w, scree_vec n)
{
    return scree_less(w, scree_dot(w, n), n);
}

/* Step 2 from n, on the great circle across e: in a crease it starts at the nearest point, where
 * the whole slope is across e. */
static scree_vec follow(const pair *p, scree_vec n, scree_vec e, int crease)
{
    const scree_vec u = unit_of(e), start = crease ? unit_of(across_part(n, u)) : n;
    scree_vec none, t = unit_of(scree_cross(u, start));
    if (scree_dot(difference(p, start), t) > 0.0)
        t = scree_scaled(-1.0, t);
    return go_down(p, start, t, &none);
}

/* The move of the farthest points from one side of n to the other, along t. */
static scree_vec change_along(const pair *p, scree_vec n, scree_vec t, double h)
{
    const scree_vec ahead = difference(p, unit_of(scree_less(n, -h, t)));
    return across_part(scree_less(ahead, 1.0, difference(p, unit_of(scree_less(n, h, t)))), n);
}

/* [m] The slope at n without its part along e, which jumps by more than rounding near a flat place
 * of a body. */
static double slope_beside(const pair *p, scree_vec n, scree_vec e)
{
    const scree_vec w = across_part(difference(p, n), n), u = across_part(e, n);
    const double square = scree_dot(u, u);
    return square > 0.0 ? length_of(scree_less(w, scree_dot(w, u) / square, u)) : length_of(w);
}

/* One round from n: steps 1 and 2; *left: slope_beside() before step 2. */
static scree_vec go_on(const pair *p, scree_vec n, scree_vec down, double *left)
{
    scree_vec jump;
    const scree_vec t = unit_of(down), middle = go_down(p, n, t, &jump);
    scree_vec e = across_part(jump, middle);
    const double moved = length_of(scree_less(middle, 1.0, n));
    const int crease = length_of(e) > JUMP * p->size;
    if (!crease)
        e = change_along(p, middle, t, scree_min(1e-4, scree_max(1e-9, 0.1 * moved)));
    *left = slope_beside(p, middle, e);
    if (!(length_of(e) > 0.0))
        return middle;
    const scree_vec next = follow(p, middle, e, crease);
    const double half = scree_dot(middle, difference(p, middle));
    return half + ENOUGH * p->size < scree_dot(next, difference(p, next)) ? middle : next;
}

scree_vec ridge_descend(const pair *p, scree_vec n)
{
    double f = scree_dot(n, difference(p, n));
    for (int k = 0; k < MOST_ROUNDS; k++) {
        const scree_vec down = scree_scaled(-1.0, across_part(difference(p, n), n));
        const double slope = length_of(down);
        double left;
        if (!(slope > LEVEL * p->size))
            break;
        const scree_vec next = go_on(p, n, down, &left);
        const double lower = scree_dot(next, difference(p, next));
        // f does not show the last half of the digits of n, but slopes do
        const double after = length_of(across_part(difference(p, next), next));
        const int flatter =
            lower <= f + ENOUGH * p->size && (after < 0.5 * slope || left > LEVEL * p->size);
        if (!(lower < f) && !flatter)
            break;
        const int done = f - lower < ENOUGH * p->size && !flatter;
        n = next;
        f = lower;
        if (done)
            break;
    }
    return n;
}

/* ---- points ---- */

typedef struct choice {
    scree_vec on_a[BESIDE + 1], on_b[BESIDE + 1], off[BESIDE + 1]; /* off: a - b across n */
} choice;

/* Choice k: the farthest points along m. */
static void choose(const convex *a, const convex *b, scree_vec normal, scree_vec m, int k,
                   choice *c)
{
    c->on_a[k] = convex_farthest(a, m, NULL);
    c->on_b[k] = convex_farthest(b, scree_scaled(-1.0, m), NULL);
    c->off[k] = across_part(scree_less(c->on_a[k], 1.0, c->on_b[k]), normal);
}

static choice choices(const convex *a, const convex *b, const span *s)
{
    static const double round[BESIDE][2] = {{1, 0},  {0.7, 0.7},   {0, 1},  {-0.7, 0.7},
                                            {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}};
    const scree_vec t = across(s->normal), u = scree_cross(s->normal, t);
    choice c;
    for (int k = 0; k <= BESIDE; k++) {
        const double x = k ? NEXT_TO * round[k - 1][0] : 0.0,
                     y = k ? NEXT_TO * round[k - 1][1] : 0.0;
        const scree_vec n = unit_of(scree_less(scree_less(s->normal, -x, t), -y, u));
        choose(a, b, s->normal, n, k, &c);
    }
    return c;
}

/* The point of a triangle closest to 0, as weights of its corners; equal numbers make a segment or
 * a point. */
static double weigh(const choice *c, int i, int j, int k, double weight[3])
{
    const scree_vec p = c->off[i], u = scree_less(c->off[j], 1.0, p),
                    v = scree_less(c->off[k], 1.0, p);
    const double uu = scree_dot(u, u), uv = scree_dot(u, v), vv = scree_dot(v, v);
    const double pu = -scree_dot(p, u), pv = -scree_dot(p, v), det = uu * vv - uv * uv;
    double x = 0.0, y = 0.0;
    if (det > 1e-12 * uu * vv) {
        x = (pu * vv - pv * uv) / det;
        y = (pv * uu - pu * uv) / det;
    } else if (uu > 0.0) {
        x = pu / uu;
    }
    weight[0] = 1.0 - x - y;
    weight[1] = x;
    weight[2] = y;
    if (!(weight[0] >= 0.0 && x >= 0.0 && y >= 0.0))
        return (double)INFINITY;
    return length_of(scree_less(scree_less(p, -x, u), -y, v));
}

static scree_vec mix(const scree_vec *p, const int at[3], const double weight[3])
{
    return scree_sum(
        scree_scaled(weight[0], p[at[0]]),
        scree_sum(scree_scaled(weight[1], p[at[1]]), scree_scaled(weight[2], p[at[2]])));
}

/* The mixture of the first `last` + 1 choices whose points miss by the least; returns that
 * distance. */
static double mix_choices(const choice *c, int last, double slack, int at[3], double best[3])
{
    double least = (double)INFINITY;
    at[0] = at[1] = at[2] = 0;
    best[0] = 1.0;
    best[1] = best[2] = 0.0;
    for (int i = 0; i <= last; i++)
        for (int j = i; j <= last; j++)
            for (int k = j; k <= last; k++) {
                double weight[3];
                const double off = weigh(c, i, i == j ? k : j, k, weight);
                if (!(off < least - slack))
                    continue;
                least = off;
                memcpy(best, weight, sizeof weight);
                at[0] = i;
                at[1] = i == j ? k : j;
                at[2] = k;
            }
    return least;
}

double ridge_points(const convex *a, const convex *b, span *s)
{
    const choice c = choices(a, b, s);
    double best[3];
    int at[3];
    const double least = mix_choices(&c, BESIDE, 1e-12 * size_of(a, b), at, best);
    s->on_a = mix(c.on_a, at, best);
    s->on_b = mix(c.on_b, at, best);
    return least;
}

void ridge_points_wide(const convex *a, const convex *b, double enough, span *s)
{
    choice c;
    double best[3], beside = NEXT_TO, before = (double)INFINITY;
    int at[3], last = 0;
    choose(a, b, s->normal, s->normal, 0, &c);
    for (int round = 0; round < MOST_WIDE; round++) {
        const double least = mix_choices(&c, last, 0.0, at, best);
        s->on_a = mix(c.on_a, at, best);
        s->on_b = mix(c.on_b, at, best);
        if (least <= enough)
            break;
        beside *= least > 0.9 * before ? WIDER : 1.0;
        before = least;
        choice next;
        for (int k = 0; k < 3; k++) {
            next.on_a[k] = c.on_a[at[k]];
            next.on_b[k] = c.on_b[at[k]];
            next.off[k] = c.off[at[k]];
        }
        const scree_vec off = across_part(scree_less(s->on_a, 1.0, s->on_b), s->normal);
        choose(a, b, s->normal, unit_of(scree_less(s->normal, beside / length_of(off), off)), 3,
               &next);
        c = next;
        last = 3;
    }
}
