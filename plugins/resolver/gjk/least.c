// SPDX-License-Identifier: Apache-2.0
// The least overlap of two convex bodies over all directions, with a bound from below.
/*
 * Sources  [1] G. van den Bergen, Proximity queries and penetration depth computation on 3D game
 *              objects, Game Developers Conference 2001: a polytope of support points grows where it is
 *              closest to the origin.
 * Idea     The points a - b of two overlapping bodies hold the origin, and the least depth is its
 *          distance to their border. Support points span a polytope inside of them: no direction has
 *          less depth than its closest face is away, and each support point gives a depth that is no
 *          less than the least. [1] goes on until the two bounds meet, for which round bodies need
 *          ever more points. Here a face whose bounds are 2e-3 of the size apart hands over to
 *          settle(), which ends at the last bits; what is found shuts out the faces around it, and
 *          the search is over when no other face is closer to the origin than what was found. Where
 *          settle() ended without a minimum, as where creases of both bodies meet, the polytope goes on
 *          growing to a tenth of the distance, and so on.
 * Smooth bodies  first roll.c, which needs no search of all directions for overlaps that are not deep.
 * Bodies that are apart  by more than 1e-2 of the size: from the direction of distance_of(), as then
 *          there is one minimum. Closer ones: a - b is grown by a ball, which adds its radius to the
 *          depth along all directions, so that the origin is inside of it.
 * Cost     some 15 to 40 support points of each body.
 * Deviations from [1]: the above; a point is added to the polytope by the faces that it can see, however
 *          they hang together, and a face without area is never looked at: rounding spoils no walk
 *          along a horizon.
 * Limits   minima closer than 0.03 rad to one that was found are not looked for, and of a polytope only
 *          by the features of its corner. Of 160 points the search ends with the best so far.
 */
#include "least.h"

#include "ridge.h"
#include "rim.h"
#include "roll.h"

enum { MOST_POINTS = INNER_MOST, MOST_TRIANGLES = 2 * MOST_POINTS, MOST_FOUND = 16 };
_Static_assert((int)MOST_POINTS <= (int)RIM_POINTS, "numbers of corners fit in the rim");
#define HAND_OVER 2e-3 /* part of the size */
#define APART 1e-2     /* part of the size */
#define ROUNDING 1e-9  /* part of the size */
#define CLOSE 1e-4     /* part of the size: bounds of polytopes between which all axes are tried */
#define GROWN 0.1      /* part of the size: radius of the ball */
#define OPPOSITE                                                                                   \
    1e-10 /* part of the size: points of a span that are farther off the normal are not opposite */
#define MINIMUM 1e-8  /* part of the size by which points may miss each other at a minimum */
#define LOSS 1e-15    /* part of the size: rounding of a depth */
#define BESIDE 0.9995 /* cosine of 0.03 rad */

typedef struct triangle {
    uint32_t v[3];
    uint32_t reserved;
    scree_vec normal;
    double offset; /* [m] distance of its plane from the origin; infinite without an area */
} triangle;

typedef struct search {
    const convex *a, *b;
    double size, grown, near; /* [m] near: closer bounds hand over */
    uint32_t n_points, n_triangles, n_found;
    scree_vec point[MOST_POINTS];
    triangle triangles[MOST_TRIANGLES];
    uint8_t rim[3 * MOST_TRIANGLES][2];
    scree_vec found[MOST_FOUND];
    span best;
} search;

uint64_t least_bytes(void)
{
    return sizeof(search);
}

static scree_vec grown_point(const search *s, const span *along)
{
    return scree_less(scree_less(along->on_a, 1.0, along->on_b), -s->grown, along->normal);
}

static void add_triangle(search *s, uint32_t i, uint32_t j, uint32_t k)
{
    triangle *t = &s->triangles[s->n_triangles++];
    const scree_vec p = s->point[i];
    const scree_vec c =
        scree_cross(scree_less(s->point[j], 1.0, p), scree_less(s->point[k], 1.0, p));
    const double area = length_of(c);
    *t = (triangle){.v = {i, j, k}, .offset = (double)INFINITY};
    if (!(area > 1e-14 * s->size * s->size))
        return;
    t->normal = scree_scaled(1.0 / area, c);
    t->offset = scree_dot(t->normal, p);
}

static void start(search *s)
{
    static const double corners[4][3] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
    const scree_vec d = scree_less(s->b->centre, 1.0, s->a->centre);
    const scree_vec x = scree_dot(d, d) > 0.0 ? unit_of(d) : scree_vec_of(1.0, 0.0, 0.0);
    const scree_vec y = across(x), z = scree_cross(x, y);
    for (int k = 0; k < 4; k++) {
        scree_vec n = scree_sum(scree_scaled(corners[k][0], x), scree_scaled(corners[k][1], y));
        n = unit_of(scree_sum(n, scree_scaled(corners[k][2], z)));
        const span along = span_along(s->a, s->b, n);
        s->point[s->n_points++] = grown_point(s, &along);
        if (along.depth < s->best.depth)
            s->best = along;
    }
    const scree_vec u = scree_less(s->point[1], 1.0, s->point[0]);
    const scree_vec v = scree_less(s->point[2], 1.0, s->point[0]);
    const scree_vec w = scree_less(s->point[3], 1.0, s->point[0]);
    const uint32_t i = scree_dot(scree_cross(u, v), w) < 0.0 ? 2 : 3, j = 5 - i;
    add_triangle(s, 0, j, 1);
    add_triangle(s, 0, i, j);
    add_triangle(s, 0, 1, i);
    add_triangle(s, 1, j, i);
}

/* Removes the triangles that see p, and joins their rim to p. 0: there is no room. */
static int add_point(search *s, scree_vec p)
{
    uint32_t n_rim = 0, n_seen = 0;
    const double slack = 1e-13 * s->size;
    if (s->n_points == MOST_POINTS)
        return 0;
    for (uint32_t t = 0; t < s->n_triangles;) {
        const triangle *at = &s->triangles[t];
        if (!(scree_dot(at->normal, p) > at->offset + slack)) {
            t++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            n_rim = rim_turn(s->rim, n_rim, at->v[k], at->v[(k + 1) % 3]);
        s->triangles[t] = s->triangles[--s->n_triangles];
        n_seen++;
    }
    if (n_seen == 0 || s->n_triangles + n_rim > MOST_TRIANGLES)
        return 0;
    s->point[s->n_points++] = p;
    for (uint32_t r = 0; r < n_rim; r++)
        add_triangle(s, s->rim[r][0], s->rim[r][1], s->n_points - 1);
    return 1;
}

static int is_found(const search *s, scree_vec n)
{
    for (uint32_t k = 0; k < s->n_found; k++)
        if (scree_dot(s->found[k], n) > BESIDE)
            return 1;
    return 0;
}

/* The triangle closest to the origin that is not near what was found. */
static triangle *closest(search *s)
{
    triangle *best = NULL;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        triangle *at = &s->triangles[t];
        if ((!best || at->offset < best->offset) && at->offset < (double)INFINITY &&
            !is_found(s, at->normal))
            best = at;
    }
    return best;
}

/* [m] By how much the points of a span are not opposite each other. */
static double off_normal(const span *along)
{
    const scree_vec w = scree_less(along->on_a, 1.0, along->on_b);
    return length_of(scree_less(w, scree_dot(w, along->normal), along->normal));
}

/* Is a span a local minimum? Sets its points. */
static int is_minimum(const convex *a, const convex *b, span *along)
{
    const double size = size_of(a, b);
    return off_normal(along) <= OPPOSITE * size || ridge_points(a, b, along) <= MINIMUM * size;
}

/* The local minimum next to n; 0: settle() found none. */
static int hand_over(search *s, scree_vec n)
{
    span local = settle(s->a, s->b, n);
    const int good = is_minimum(s->a, s->b, &local);
    if (good && s->n_found < MOST_FOUND)
        s->found[s->n_found++] = local.normal;
    if (local.depth < s->best.depth)
        s->best = local;
    return good;
}

/* Lets the polytope grow until no face of it is closer to the origin than the best minimum. */
static void grow(search *s)
{
    int settled = 0;
    for (;;) {
        triangle *t = closest(s);
        if (!t || (settled && t->offset >= s->best.depth + s->grown) || s->n_found == MOST_FOUND)
            break;
        const span along = span_along(s->a, s->b, t->normal);
        if (along.depth < s->best.depth)
            s->best = along;
        if (along.depth + s->grown - t->offset <= s->near) {
            if (hand_over(s, t->normal)) {
                t->offset = (double)INFINITY; // this triangle is done, wherever settle() ended
                settled = 1;
                continue;
            }
            s->near *= 0.1;
        }
        if (!add_point(s, grown_point(s, &along)))
            break;
    }
    if (!settled)
        hand_over(s, s->best.normal);
}

static void begin(search *s, const convex *a, const convex *b, const distance *d)
{
    s->a = a;
    s->b = b;
    s->size = size_of(a, b);
    s->grown = GROWN * s->size + 1.5 * (d->state == DISTANCE_GAP ? d->gap : 0.0);
    s->near = HAND_OVER * s->size;
    s->n_points = s->n_triangles = s->n_found = 0;
    s->best.depth = (double)INFINITY;
    start(s);
}

inner least_inner(const convex *a, const convex *b, const distance *d, void *room)
{
    search *s = room;
    begin(s, a, b, d);
    for (;;) {
        const triangle *t = closest(s);
        if (!t)
            break;
        const span along = span_along(a, b, t->normal);
        if (along.depth < s->best.depth)
            s->best = along;
        if (s->best.depth + s->grown - t->offset <= CLOSE * s->size ||
            !add_point(s, grown_point(s, &along)))
            break;
    }
    const double depth = s->best.depth;
    return (inner){s->point, s->n_points, depth + s->grown + ROUNDING * s->size, depth};
}

/* Goes on where roll_span() ended next to a flat place, whose farthest points rounding moves: mixes
 * those of directions next to the normal, there, or else where settle() ends. 1: that is the least of all. */
static int is_least(const convex *a, const convex *b, span *out)
{
    for (int round = 0; round < 2; round++) {
        span at = round ? settle(a, b, out->normal) : *out;
        const double off = ridge_points(a, b, &at);
        const double mixed = scree_dot(at.normal, scree_less(at.on_a, 1.0, at.on_b));
        *out = at;
        if (at.depth - mixed <= LOSS * size_of(a, b) && roll_proves(a, b, at.depth, off))
            return 1;
    }
    return 0;
}

int least_span(const convex *a, const convex *b, double range, void *room, span *out)
{
    search *s = room;
    const int known = roll_span(a, b, range, out);
    if (known != ROLL_UNKNOWN)
        return known == ROLL_LEAST;
    if (out->depth <= roll_radius(a, b) && is_least(a, b, out))
        return out->depth >= -range;
    const double slack = 1e-9 * (a->radius + b->radius);
    const distance d = distance_of(a, b, range + slack, 1e-4);
    if (d.state == DISTANCE_FAR) {
        out->normal = d.normal;
        return 0;
    }
    if (d.state == DISTANCE_GAP && d.gap > APART * size_of(a, b)) {
        *out = settle(a, b, d.normal);
        if (is_minimum(a, b, out))
            return out->depth >= -range;
    }
    begin(s, a, b, &d);
    grow(s);
    *out = s->best;
    if (!is_minimum(a, b, out))
        ridge_points_wide(a, b, MINIMUM * size_of(a, b), out);
    return out->depth >= -range;
}
