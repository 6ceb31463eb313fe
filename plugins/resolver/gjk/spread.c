// SPDX-License-Identifier: Apache-2.0
// Cylinders and capsules: the touches of a round face on a face, of a bar along a bar or on a face.
/*
 * Idea     A support function says where a solid is flat: next to the normal of a face its farthest points
 *          are far apart. Only solids of revolution about an axis of their shape are looked for.
 *          A face on a flat place touches at four points of its rim, a quarter apart. While the whole rim
 *          is below that place, they are fixed to the body, so that friction holds it; else the first is
 *          the deepest one, which rolls along the rim. Four equal springs, a quarter apart, push and turn
 *          a disc alike however they are turned about its axis: the force does not jump, and it has a
 *          potential.
 *          A bar touches at both ends of the stretch that it shares with another bar or with a
 *          face. Each touch is that of a ball in that end with the other body.
 * Excess   When the least overlap of the pair exceeds the deepest of these touches, as for bars
 *          that cross, the excess is the depth of one more touch, at the least overlap: it goes to
 *          0 as the bars become parallel, so that no force jumps.
 * Limits   Bodies deeper than a tenth of their size, or farther apart, have one touch.
 *          Where the rim of a round face juts out over the edges of another one, the points are on the
 *          border of what they share, in four directions from its centre; there the springs are not the
 *          same in all directions, and the force jumps a little when the last part of it lifts off.
 *          For each other, round faces are polygons of 32 corners.
 */
#include "spread.h"

enum { CORNERS = 32, MOST_CORNERS = 80, QUARTER = CORNERS / 4, RIM_STEPS = 12 };
#define COS_STEP 0.98078528040323044913 /* cosine of 2 pi / CORNERS */
#define SIN_STEP 0.19509032201612826785
#define LEANING 0.26 /* sine of 15 degrees: bars that lie along a face */
#define SAME 1e-9    /* part of the size: lengths that are equal */
#define FINE 1e-13   /* part of the size: an excess that is rounding */
#define ROUGH 1e-7   /* the same for round faces, which are polygons */
#define SHALLOW 0.1  /* part of the size: deeper pairs have only the touch of the least overlap */

/* ---- what a support function shows ---- */

static scree_vec ask(const scree_support *view, uint32_t way, double x, double y, double z)
{
    double d[3], p[3];
    const double *const direction[3] = {&d[0], &d[1], &d[2]};
    double *const point[3] = {&p[0], &p[1], &p[2]};
    d[way] = z;
    d[(way + 1) % 3] = x;
    d[(way + 2) % 3] = y;
    view->farthest(view->ctx, 1, direction, point);
    return scree_vec_of(p[(way + 1) % 3], p[(way + 2) % 3], p[way]);
}

static int are_equal(double x, double y, double size)
{
    return fabs(x - y) <= SAME * size;
}

static const double around[8][2] = {{1.0, 0.0},  {0.6, 0.8},   {0.0, 1.0},  {-0.8, 0.6},
                                    {-1.0, 0.0}, {-0.6, -0.8}, {0.0, -1.0}, {0.8, -0.6}};

/* [m] Radius of the flat face at one end of an axis; 0: none; -1: one that is not round. */
static double radius_of_end(const scree_support *view, uint32_t way, double end, double size)
{
    double radius[8];
    int flat = 1, round = 1;
    for (int k = 0; k < 8; k++) {
        double found[2];
        for (int far = 0; far < 2; far++) {
            const double by = far ? 1e-9 : 1e-12;
            const scree_vec p = ask(view, way, by * around[k][0], by * around[k][1], end);
            found[far] = p.x * around[k][0] + p.y * around[k][1];
        }
        radius[k] = found[0];
        flat &= found[0] > 1e-3 * size && are_equal(found[0], found[1], size);
        round &= are_equal(radius[k], radius[0], size);
    }
    return !flat ? 0.0 : round ? radius[0] : -1.0;
}

/* Finds the straight mantle about an axis; 0: none. */
static int find_mantle(const scree_support *view, uint32_t way, double size, spread *out)
{
    for (int k = 0; k < 8; k++)
        for (int side = 0; side < 4; side++) {
            const double by = (side & 1 ? 1.0 : -1.0) * (side & 2 ? 1e-9 : 1e-12);
            const scree_vec p = ask(view, way, around[k][0], around[k][1], by);
            const double radius = p.x * around[k][0] + p.y * around[k][1];
            const double half = side & 1 ? p.z : -p.z;
            if (k == 0 && side == 0) {
                out->half = half;
                out->radius = radius;
            }
            if (!are_equal(half, out->half, size) || !are_equal(radius, out->radius, size) ||
                !(half > 1e-3 * size))
                return 0;
        }
    out->axis = way;
    return 1;
}

spread spread_find(const scree_support *view, uint32_t *flat)
{
    spread out = {0};
    double size = 0.0, end[3][2];
    *flat = 0;
    for (uint32_t way = 0; way < 3; way++)
        size = scree_max(size, ask(view, way, 0.0, 0.0, 1.0).z);
    for (uint32_t way = 0; way < 3; way++)
        for (int side = 0; side < 2; side++) {
            end[way][side] = radius_of_end(view, way, side ? 1.0 : -1.0, size);
            *flat |= end[way][side] != 0.0;
        }
    for (uint32_t way = 0; way < 3; way++) {
        if (!find_mantle(view, way, size, &out))
            continue;
        const scree_vec cap = ask(view, way, 0.6, 0.0, 0.8);
        if (are_equal(end[way][0], out.radius, size) && are_equal(end[way][1], out.radius, size)) {
            out.ends = 1;
            return out;
        }
        if (are_equal(cap.x, 0.6 * out.radius, size) &&
            are_equal(cap.z, out.half + 0.8 * out.radius, size))
            return out;
    }
    return (spread){0};
}

/* ---- a body at its place ---- */

typedef struct bar {
    scree_vec u, x, y; /* its axis, and two across it */
    double half, radius;
} bar;

static bar bar_of(const convex *c)
{
    const spread *s = c->spread;
    return (bar){.u = c->axis[s->axis],
                 .x = c->axis[(s->axis + 1) % 3],
                 .y = c->axis[(s->axis + 2) % 3],
                 .half = c->scale * s->half,
                 .radius = c->scale * s->radius};
}

static scree_vec end_of(const convex *c, const bar *b, int end)
{
    return scree_less(c->centre, end ? -b->half : b->half, b->u);
}

/* The quarter, 0 to 3, in which a direction is. */
static uint32_t quarter_of(const bar *b, scree_vec d)
{
    const double x = scree_dot(d, b->x), y = scree_dot(d, b->y);
    if (fabs(x) >= fabs(y))
        return x >= 0.0 ? 0 : 2;
    return y >= 0.0 ? 1 : 3;
}

/* Four points of the rim about `centre`; they are a quarter apart, from `first` on, a unit vector
 * across u. */
static void rim_points(const bar *b, scree_vec centre, scree_vec first, uint32_t end,
                       scree_vec *points, uint32_t *numbers)
{
    const scree_vec next = scree_cross(b->u, first);
    const scree_vec way[4] = {first, next, scree_scaled(-1.0, first), scree_scaled(-1.0, next)};
    const uint32_t number = quarter_of(b, first);
    for (uint32_t k = 0; k < 4; k++) {
        points[k] = scree_less(centre, -b->radius, way[k]);
        numbers[k] = 4 * end + (number + k) % 4;
    }
}

uint32_t spread_points(const convex *c, scree_vec n, double level, scree_vec *points,
                       uint32_t *numbers)
{
    const bar b = bar_of(c);
    const scree_vec w = scree_less(n, scree_dot(n, b.u), b.u);
    const double leans = length_of(w);
    for (uint32_t end = 0; end < 2; end++) {
        const scree_vec centre = end_of(c, &b, (int)end);
        if (!c->spread->ends) {
            points[end] = scree_less(centre, -b.radius, n);
            numbers[end] = end;
            continue;
        }
        const int whole = !(leans > 0.0) || scree_dot(n, centre) - level >= b.radius * leans;
        rim_points(&b, centre, whole ? b.x : scree_scaled(1.0 / leans, w), end, points + 4 * end,
                   numbers + 4 * end);
    }
    return c->spread->ends ? 8 : 2;
}

int spread_adjoins(uint32_t i, uint32_t j)
{
    return i / 4 == j / 4 && ((i + 1) % 4 == j % 4 || (j + 1) % 4 == i % 4);
}

int spread_meets(const convex *a, const convex *b)
{
    return (a->spread && (b->spread || b->flat)) || (b->spread && a->flat);
}

/* ---- lines and faces ---- */

/* The face or line of a body that faces n. */
typedef struct outline {
    uint32_t n; /* 0, 2, or the corners, counterclockwise as seen from outside */
    scree_vec point[MOST_CORNERS];
    scree_vec normal; /* normal of a face */
} outline;

static void add_rim(const convex *c, const bar *b, scree_vec out, scree_vec first, outline *o)
{
    const double sign = scree_dot(b->u, out) < 0.0 ? -1.0 : 1.0;
    const scree_vec centre = end_of(c, b, sign > 0.0);
    scree_vec next = scree_cross(o->normal = scree_scaled(sign, b->u), first);
    double x = 1.0, y = 0.0;
    for (o->n = 0; o->n < CORNERS; o->n++) {
        if (o->n % QUARTER == 0) { // exact again
            x = o->n == 0 ? 1.0 : o->n == 2 * QUARTER ? -1.0 : 0.0;
            y = o->n == QUARTER ? 1.0 : o->n == 3 * QUARTER ? -1.0 : 0.0;
        }
        o->point[o->n] =
            scree_less(scree_less(centre, -b->radius * x, first), -b->radius * y, next);
        const double turned = COS_STEP * x - SIN_STEP * y;
        y = SIN_STEP * x + COS_STEP * y;
        x = turned;
    }
}

static void add_line(const convex *c, const bar *b, scree_vec out, outline *o)
{
    const scree_vec w = unit_of(scree_less(out, scree_dot(out, b->u), b->u));
    for (int end = 0; end < 2; end++)
        o->point[end] = scree_less(end_of(c, b, end), -b->radius, c->spread->ends ? w : out);
    o->n = 2;
}

int spread_line(const convex *c, scree_vec n, scree_vec end[2])
{
    const bar b = bar_of(c);
    outline line;
    if (!(fabs(scree_dot(b.u, n)) < LEANING))
        return 0;
    add_line(c, &b, n, &line);
    end[0] = line.point[0];
    end[1] = line.point[1];
    return 1;
}

/* `along`: direction of a round face's first corner; 0: fixed to the body. */
static void outline_of(const convex *c, scree_vec out, scree_vec along, outline *o)
{
    o->n = 0;
    if (c->flat) {
        const uint32_t f = convex_facing(c, out), n = convex_ring_size(c, f);
        if (!(scree_dot(face_normal(c, f), out) > ALIGNED) || n > CORNERS)
            return;
        for (; o->n < n; o->n++)
            o->point[o->n] = corner(c, convex_ring(c, f, o->n));
        o->normal = face_normal(c, f);
        return;
    }
    if (!c->spread)
        return;
    const bar b = bar_of(c);
    const double up = fabs(scree_dot(b.u, out));
    const scree_vec w = scree_less(along, scree_dot(along, b.u), b.u);
    if (up < LEANING)
        add_line(c, &b, out, o);
    else if (up > ALIGNED && c->spread->ends)
        add_rim(c, &b, out, scree_dot(w, w) > 0.0 ? unit_of(w) : b.x, o);
}

/* Clips `o` to the part over the face `by`, along n. */
static void clip(outline *o, const outline *by, scree_vec n)
{
    const scree_vec up = scree_dot(by->normal, n) < 0.0 ? scree_scaled(-1.0, n) : n;
    for (uint32_t s = 0; s < by->n && o->n; s++) {
        const scree_vec from = by->point[s];
        const scree_vec in = scree_cross(up, scree_less(by->point[(s + 1) % by->n], 1.0, from));
        outline part = {.normal = o->normal};
        for (uint32_t k = 0; k < o->n; k++) {
            const uint32_t next = (k + 1) % o->n;
            const scree_vec p = o->point[k], q = o->point[next];
            const double at_p = scree_dot(in, scree_less(p, 1.0, from));
            const double at_q = scree_dot(in, scree_less(q, 1.0, from));
            if (at_p >= 0.0 && part.n < MOST_CORNERS)
                part.point[part.n++] = p;
            if ((at_p >= 0.0) != (at_q >= 0.0) && part.n < MOST_CORNERS && (o->n > 2 || next))
                part.point[part.n++] = scree_less(p, -at_p / (at_p - at_q), scree_less(q, 1.0, p));
        }
        *o = part;
    }
}

/* The point of the plane of a face that is over or under p, along n. */
static scree_vec across_to(const outline *face, scree_vec p, scree_vec n)
{
    const double way = scree_dot(face->normal, scree_less(face->point[0], 1.0, p));
    return scree_less(p, -way / scree_dot(face->normal, n), n);
}

/* Adds the touch of p, of a or of b, with the face of the other one. n: from a to b. */
static void add_point(const outline *face, scree_vec p, int of_b, scree_vec n, double range,
                      uint64_t feature, touches *out)
{
    const scree_vec q = across_to(face, p, n), d = scree_less(p, 1.0, q);
    const double depth = of_b ? -scree_dot(n, d) : scree_dot(n, d);
    if (depth >= -range)
        add_touch(out, n, depth, middle_of(p, q), feature);
}

/* Is p in the outline, or off it by at most `slack`, along n? */
static int is_in_outline(const outline *o, scree_vec p, scree_vec n, double slack)
{
    const double sign = scree_dot(o->normal, n) < 0.0 ? -1.0 : 1.0;
    for (uint32_t k = 0; k < o->n; k++) {
        const scree_vec e = scree_less(o->point[(k + 1) % o->n], 1.0, o->point[k]);
        const scree_vec in = scree_scaled(sign, scree_cross(n, e));
        if (!(scree_dot(in, scree_less(p, 1.0, o->point[k])) >= -slack * length_of(e)))
            return 0;
    }
    return 1;
}

/* The centroid; of an outline that is too narrow to have an area, the mean of its corners. */
static scree_vec middle_of_area(const outline *o, scree_vec n, double slack)
{
    scree_vec sum = {0, 0, 0}, mean = {0, 0, 0};
    double all = 0.0;
    for (uint32_t k = 1; k + 1 < o->n; k++) {
        const scree_vec p = scree_less(o->point[k], 1.0, o->point[0]);
        const scree_vec q = scree_less(o->point[k + 1], 1.0, o->point[0]);
        const double area = scree_dot(n, scree_cross(p, q));
        all += area;
        sum = scree_less(sum, -area / 3.0, scree_sum(p, q));
    }
    const scree_vec middle = scree_less(o->point[0], all != 0.0 ? -1.0 / all : 0.0, sum);
    if (is_in_outline(o, middle, n, slack))
        return middle;
    for (uint32_t k = 0; k < o->n; k++)
        mean = scree_less(mean, -1.0 / o->n, o->point[k]);
    return mean;
}

/* Where a ray from o, inside, along d leaves the outline. It is not farther than the farthest
 * corner, even when the ray nearly follows a side. */
static scree_vec border_along(const outline *o, scree_vec from, scree_vec d, scree_vec n,
                              double slack)
{
    double least = (double)INFINITY, farthest = 0.0;
    const double sign = scree_dot(o->normal, n) < 0.0 ? -1.0 : 1.0;
    for (uint32_t k = 0; k < o->n; k++) {
        const scree_vec p = o->point[k], e = scree_less(o->point[(k + 1) % o->n], 1.0, p);
        const scree_vec in = scree_scaled(sign, scree_cross(n, e));
        const double slope = scree_dot(in, d);
        farthest = scree_max(farthest, scree_dot(d, scree_less(p, 1.0, from)));
        if (slope < 0.0)
            least = scree_min(least, scree_dot(in, scree_less(p, 1.0, from)) / slope);
    }
    if (least > farthest + slack) // not that of rounding
        least = farthest;
    return scree_less(from, -scree_max(least, 0.0), d);
}

/* ---- pairs ---- */

typedef struct meeting {
    const convex *a, *b;
    const convex *frame; /* the round face whose axes place the points */
    scree_vec n;         /* from a to b */
    double range;
} meeting;

static uint32_t number_on(const convex *c, scree_vec d)
{
    if (!c->spread || !c->spread->ends)
        return 0;
    const bar b = bar_of(c);
    return quarter_of(&b, d);
}

/* The part of b's face that is over a's face. */
static void shared_face(const meeting *m, scree_vec along, outline *fa, outline *shared)
{
    outline_of(m->a, m->n, along, fa);
    outline_of(m->b, scree_scaled(-1.0, m->n), along, shared);
    clip(shared, fa, m->n);
}

/* The direction across n along which the overlap of two planes grows. */
static scree_vec deeper_way(const outline *fa, const outline *fb, scree_vec n)
{
    const scree_vec to = scree_less(scree_scaled(1.0 / scree_dot(fb->normal, n), fb->normal),
                                    1.0 / scree_dot(fa->normal, n), fa->normal);
    const scree_vec w = scree_less(to, scree_dot(to, n), n);
    return scree_dot(w, w) > 0.0 ? unit_of(w) : w;
}

static int is_whole(const outline *fa, const outline *shared, scree_vec n)
{
    for (uint32_t k = 0; k < shared->n; k++)
        if (scree_dot(n, scree_less(across_to(fa, shared->point[k], n), 1.0, shared->point[k])) <
            0.0)
            return 0;
    return 1;
}

static void touch_faces(const meeting *m, touches *out)
{
    const scree_vec none = {0, 0, 0}, n = m->n;
    const bar b = bar_of(m->frame);
    const double slack = SAME * size_of(m->a, m->b);
    outline fa, shared;
    shared_face(m, none, &fa, &shared);
    if (fa.n < 3 ||
        shared.n < 3) // of two that are farther from parallel than the least is from both
        return;
    scree_vec first = b.x;
    if (!is_whole(&fa, &shared, n)) {
        first = deeper_way(&fa, &shared, n);
        if (!(scree_dot(first, first) > 0.0))
            first = b.x;
        shared_face(m, first, &fa, &shared);
        if (shared.n < 3)
            return;
    }
    first = unit_of(scree_less(first, scree_dot(first, n), n));
    const scree_vec next = scree_cross(n, first), middle = middle_of_area(&shared, n, slack);
    const scree_vec way[4] = {first, next, scree_scaled(-1.0, first), scree_scaled(-1.0, next)};
    for (int k = 0; k < 4; k++) {
        const scree_vec p = across_to(&shared, border_along(&shared, middle, way[k], n, slack), n);
        add_point(&fa, p, 1, n, m->range,
                  feature_of(TOUCH_SPREAD, number_on(m->a, way[k]), number_on(m->b, way[k])), out);
    }
}

/* Adds the touches of a bar, on a or b, with a face of the other body. */
static void touch_line(const meeting *m, int of_b, touches *out)
{
    const convex *c = of_b ? m->b : m->a;
    const scree_vec none = {0, 0, 0}, back = scree_scaled(-1.0, m->n);
    const bar b = bar_of(c);
    outline line, face;
    outline_of(c, of_b ? back : m->n, none, &line);
    outline_of(of_b ? m->a : m->b, of_b ? m->n : back, none, &face);
    if (line.n != 2 || face.n < 3)
        return;
    clip(&line, &face, m->n);
    for (uint32_t k = 0; k < line.n; k++) {
        const uint32_t end =
            scree_dot(b.u, line.point[k]) > scree_dot(b.u, line.point[(k + 1) % line.n]);
        add_point(&face, line.point[k], of_b, m->n, m->range,
                  feature_of(TOUCH_SPREAD, of_b ? 0 : end, of_b ? end : 0), out);
    }
}

/* The point of the circle of radius r about p, across u, that is closest to a line along `line`, next to the
 * direction w, which is across u. */
static scree_vec closest_of_rim(scree_vec p, scree_vec u, double r, scree_vec w, scree_vec line,
                                scree_vec on_axis)
{
    const scree_vec v = scree_cross(u, w);
    const scree_vec from = scree_less(p, 1.0, on_axis);
    const scree_vec c = scree_less(from, scree_dot(from, line), line);
    const scree_vec x = scree_scaled(r, scree_less(w, scree_dot(w, line), line));
    const scree_vec y = scree_scaled(r, scree_less(v, scree_dot(v, line), line));
    double cosine = 1.0, sine = 0.0;
    for (int k = 0; k < RIM_STEPS; k++) { // Newton's method for the slope of the squared distance
        const scree_vec out = scree_sum(scree_scaled(cosine, x), scree_scaled(sine, y));
        const scree_vec on = scree_less(scree_scaled(cosine, y), sine, x);
        const scree_vec at = scree_sum(c, out);
        const double slope = scree_dot(at, on), bend = scree_dot(on, on) - scree_dot(at, out);
        if (!(bend > 0.0) || !(fabs(slope) > 1e-16 * bend))
            break;
        const double step = -slope / bend, turned = cosine - step * sine;
        sine += step * cosine;
        const double length = sqrt(turned * turned + sine * sine);
        cosine = turned / length;
        sine /= length;
    }
    return scree_less(p, -r, scree_sum(scree_scaled(cosine, w), scree_scaled(sine, v)));
}

/* The end of the bar of c next to the bar of the other body: the ball of a capsule, or the point of
 * a cylinder's rim closest to that axis. *x: the point whose distance from the axis counts; returns
 * the radius about it. */
static double end_point(const convex *c, const bar *b, const bar *o, const convex *other, int end,
                        scree_vec *x)
{
    const scree_vec p = end_of(c, b, end);
    const double at = scree_dot(o->u, scree_less(p, 1.0, other->centre));
    const scree_vec d = scree_less(scree_less(other->centre, -at, o->u), 1.0, p);
    const scree_vec w = scree_less(d, scree_dot(d, b->u), b->u);
    *x = p;
    if (!c->spread->ends)
        return b->radius;
    if (scree_dot(w, w) > 0.0)
        *x = closest_of_rim(p, b->u, b->radius, unit_of(w), o->u, other->centre);
    return 0.0;
}

/* Adds the ends of one body's bar next to the other body's bar. */
static void add_ends(const meeting *m, int of_b, touches *out)
{
    const convex *c = of_b ? m->b : m->a, *other = of_b ? m->a : m->b;
    const bar b = bar_of(c), o = bar_of(other);
    for (int end = 0; end < 2; end++) {
        scree_vec p;
        const double radius = end_point(c, &b, &o, other, end, &p);
        const double at = scree_dot(o.u, scree_less(p, 1.0, other->centre));
        if (fabs(at) > o.half)
            continue;
        const scree_vec q = scree_less(other->centre, -at, o.u);
        const scree_vec d = of_b ? scree_less(p, 1.0, q) : scree_less(q, 1.0, p);
        const double apart = length_of(d), depth = radius + o.radius - apart;
        if (!(apart > 0.0) || depth < -m->range || !(scree_dot(d, m->n) > 0.0))
            continue;
        const scree_vec n = scree_scaled(1.0 / apart, d);
        const double of_a = of_b ? o.radius : radius;
        const uint32_t on_other = at > 0.0, own = (uint32_t)end;
        const uint64_t name =
            feature_of(TOUCH_SPREAD, of_b ? on_other : own, of_b ? own : on_other);
        int known = 0;
        for (uint32_t k = 0; k < out->n; k++)
            known |= out->list[k].feature == name;
        if (!known)
            add_touch(out, n, depth, scree_less(of_b ? q : p, 0.5 * depth - of_a, n), name);
    }
}

/* The kind of the feature that faces n: 0 nothing, 1 a bar, 2 a round face, 3 a face of a polytope;
 * *normal: that of the face. */
static int kind_of(const convex *c, scree_vec out, scree_vec *normal)
{
    if (c->flat) {
        const uint32_t f = convex_facing(c, out);
        *normal = face_normal(c, f);
        return scree_dot(*normal, out) > ALIGNED && convex_ring_size(c, f) <= CORNERS ? 3 : 0;
    }
    if (!c->spread)
        return 0;
    const scree_vec u = c->axis[c->spread->axis];
    const double up = scree_dot(u, out);
    *normal = scree_scaled(up < 0.0 ? -1.0 : 1.0, u);
    return fabs(up) < LEANING ? 1 : fabs(up) > ALIGNED && c->spread->ends ? 2 : 0;
}

static void touch_meeting(meeting *m, int turned, touches *out)
{
    scree_vec of_a = m->n, of_b = m->n;
    const int ka = kind_of(m->a, m->n, &of_a);
    const int kb = kind_of(m->b, scree_scaled(-1.0, m->n), &of_b);
    if (!ka || !kb)
        return;
    if (ka == 1 && kb == 1) {
        add_ends(m, 0, out);
        add_ends(m, 1, out);
        return;
    }
    // the normal is that of a face of the polytope, if a body is one, else of the face that places the points
    const int by_b = ka == kb ? turned : kb > ka;
    m->n = by_b ? scree_scaled(-1.0, of_b) : of_a;
    m->frame = ka == 2 && (kb != 2 || !turned) ? m->a : m->b;
    if (ka == 1 || kb == 1)
        touch_line(m, kb == 1, out);
    else
        touch_faces(m, out);
}

void touch_spread(const convex *a, const convex *b, double range, const span *best, int turned,
                  touches *out)
{
    meeting m = {.a = a, .b = b, .n = best->normal, .range = range};
    const uint32_t first = out->n;
    const int round = (a->spread && a->spread->ends) || (b->spread && b->spread->ends);
    const double size = size_of(a, b), little = (round ? ROUGH : FINE) * size;
    double most = -(double)INFINITY;
    if (fabs(best->depth) < SHALLOW * size)
        touch_meeting(&m, turned, out);
    for (uint32_t k = first; k < out->n; k++)
        most = scree_max(most, out->list[k].depth);
    if (!(best->depth > most + little))
        return;
    const double excess = best->depth - scree_max(most, 0.0);
    add_touch(out, best->normal, best->depth > 0.0 ? excess : best->depth, span_point(a, b, best),
              0);
}
