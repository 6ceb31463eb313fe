// SPDX-License-Identifier: Apache-2.0
// The overlap of two outlines: area, resultant of its arcs, and the point where that acts.
/*
 * Idea     Where b moves by dx, the area grows by the flux of dx through the arcs of b that are
 *          inside of a. The flux through an arc is that through its chord, turned right:
 *          dA = -L n·dx with L n = the sum over the arcs of a, since the border is closed. This
 *          holds for any number of crossings, and for none: L n = 0. With two, L is the length of
 *          the chord and n is across it.
 *          Turning b about c gives dA = sum of (m_k - c) × (chord_k turned right), m_k: middle of
 *          the chord of arc k. The contact point is on the line where the sum of these acts; where that
 *          line is beyond the bodies, a couple is left. Where a bar crosses a bar the pushes cancel:
 *          L = 0, the direction of the sum is rounding, and the couple is all that is left.
 * Order    The sums start at the crossing of the lowest edges where a goes into b, and all
 *          positions are relative to it, so that small pieces keep their digits.
 */
#include "overlap.h"

/* A sum of pushes below these parts of their lengths and of the reach of both bodies is rounding. */
static const double OF_WEIGHT = 1e-12, OF_REACH = 1e-14;

point crossing_at(const placed *a, uint32_t i, const placed *b, uint32_t j, double t[2])
{
    point a0 = vertex_at(a, i), b0 = vertex_at(b, j);
    point u = from_to(a0, vertex_at(a, after(a, i))), v = from_to(b0, vertex_at(b, after(b, j)));
    point w = from_to(a0, b0);
    double sine = cross2(u, v), s = cross2(w, v), r = cross2(w, u);
    if (sine == 0.0) { // parallel edges; they cross only by the rule of side_of()
        t[0] = dot2(w, u) / dot2(u, u);
        t[1] = -dot2(w, v) / dot2(v, v);
    } else {
        t[0] = s / sine;
        t[1] = r / sine;
    }
    for (int side = 0; side < 2; side++)
        t[side] = t[side] > 0.0 ? (t[side] < 1.0 ? t[side] : 1.0) : 0.0;
    return moved(a0, t[0], u);
}

/* Sums over the border of a piece, relative to its first crossing. */
typedef struct border {
    point origin, last;
    double area2, length;
    eccentricity_sums sums;
} border;

static void go_to(border *at, int of_a, point to)
{
    const point p = from_to(at->origin, to), step = from_to(at->last, p);
    at->area2 += cross2(at->last, p);
    eccentricity_add_side(&at->sums, of_a, (double[2]){at->last.x, at->last.y},
                          (double[2]){p.x, p.y});
    at->length += sqrt(dot2(step, step));
    at->last = p;
}

static point edge_at(const placed *p, uint32_t e)
{
    return from_to(vertex_at(p, e), vertex_at(p, after(p, e)));
}

/* Adds the crossing at the border's last point. */
static void add_end(border *at, const placed *a, const placed *b, const crossing *c)
{
    if (at->sums.plain)
        return;
    const point of_a = edge_at(a, c->edge[0]), of_b = edge_at(b, c->edge[1]);
    eccentricity_add_end(&at->sums, c->in ? 1.0 : -1.0, (double[2]){at->last.x, at->last.y},
                         (double[2]){of_b.x, of_b.y}, (double[2]){of_a.x, of_a.y});
}

/* Share of `way`, up to 1, that stays in the disc; it starts at `from`, which is in the disc. */
static double share_inside(point from, point way, point centre, double radius)
{
    const point d = from_to(centre, from);
    const double square = dot2(way, way), along = dot2(d, way);
    const double beyond = radius * radius - dot2(d, d);
    if (!(square > 0.0) || !(beyond > 0.0))
        return 0.0;
    const double share = (sqrt(along * along + square * beyond) - along) / square;
    return share < 1.0 ? share : 1.0;
}

void push_piece(piece *one, const chords *sum, point origin, const point centre[2],
                const double radius[2])
{
    const double square = dot2(sum->push, sum->push);
    const double least = OF_WEIGHT * sum->weight + OF_REACH * (radius[0] + radius[1]);
    one->middle = origin;
    if (!(sum->weight > 0.0))
        return;
    const double inverse = 1.0 / sum->weight;
    const point mean = {inverse * sum->weighed.x, inverse * sum->weighed.y};
    const point from = moved(origin, 1.0, mean);
    one->middle = from;
    if (sum->n == 1) {
        one->push = sum->push;
        return;
    }
    if (!(square > least * least)) {
        one->turn = sum->moment;
        return;
    }
    const double off = sum->moment - cross2(mean, sum->push); // moment about the mean
    const double by = off / square;
    const point way = {by * sum->push.y, -by * sum->push.x};
    const double in_a = share_inside(from, way, centre[0], radius[0]);
    const double in_b = share_inside(from, way, centre[1], radius[1]);
    const double share = in_a < in_b ? in_a : in_b;
    one->push = sum->push;
    one->turn = off * (1.0 - share);
    one->middle = moved(from, share, way);
}

piece piece_of(const placed *a, const placed *b, const crossing *cycle, uint32_t n)
{
    double t[2];
    chords all = {0};
    border at = {.origin = crossing_at(a, cycle[0].edge[0], b, cycle[0].edge[1], t),
                 .sums = {.plain = a->plain}};
    piece sum = {0};
    for (uint32_t k = 0; k < n; k++) {
        const crossing *from = &cycle[k], *to = &cycle[k + 1 < n ? k + 1 : 0];
        const placed *along = from->in ? b : a;
        const point start = at.last;
        uint32_t v = from->edge[from->in];
        add_end(&at, a, b, from);
        for (uint32_t step = 0; step < from->steps; step++) {
            v = after(along, v);
            go_to(&at, !from->in, vertex_at(along, v));
        }
        go_to(&at, !from->in,
              k + 1 < n ? crossing_at(a, to->edge[0], b, to->edge[1], t) : at.origin);
        if (!from->in)
            add_chord(&all, start, at.last);
    }
    sum.area = scree_max(0.5 * at.area2, 0.0);
    const double reach[2] = {a->scale * a->of->radius, b->scale * b->of->radius};
    sum.across = scree_min(0.5 * at.length, reach[0] + reach[1]); // borders of stars are longer
    push_piece(&sum, &all, at.origin, (point[2]){a->at, b->at}, reach);
    const point middle = from_to(at.origin, sum.middle);
    sum.off = eccentricity_of(&at.sums, (double[2]){middle.x, middle.y});
    return sum;
}

/* ---- convex outlines ---- */

/* Finds the edge by which edge e leaves the other outline p, starting at `from`. The tail of that
 * edge is right of the line of e, its head is left. A line leaves a convex outline only once. */
static uint32_t exit_of(const placed *p, uint32_t e, const placed *other, uint32_t from)
{
    const point tail = vertex_at(p, e), head = vertex_at(p, after(p, e));
    uint32_t up = from, down = from;
    int tail_up = side_of_points(tail, head, vertex_at(other, from), p->second);
    int head_down = tail_up;
    for (uint32_t k = 0; k <= other->of->n; k++) {
        uint32_t next = after(other, up), last = before(other, down);
        int head_up = side_of_points(tail, head, vertex_at(other, next), p->second);
        if (tail_up < 0 && head_up > 0)
            return up;
        int tail_down = side_of_points(tail, head, vertex_at(other, last), p->second);
        if (tail_down < 0 && head_down > 0)
            return last;
        tail_up = head_up;
        head_down = tail_down;
        up = next;
        down = last;
    }
    return from; // does not happen when the line crosses the convex outline
}

static int precedes(const crossing *x, const crossing *y)
{
    return x->edge[0] != y->edge[0] ? x->edge[0] < y->edge[0] : x->edge[1] < y->edge[1];
}

/* Rotates a cycle so that it begins at the lowest edges where a goes into b; behind it follows
 * room for a copy. */
static void turn_cycle(crossing *list, uint32_t n)
{
    uint32_t low = list[0].in == 0 ? 0 : 1;
    for (uint32_t k = low + 2; k < n; k += 2)
        low = precedes(&list[k], &list[low]) ? k : low;
    if (low == 0)
        return;
    memcpy(list + n, list, low * sizeof *list);
    memmove(list, list + low, n * sizeof *list);
}

uint32_t overlap_convex(const placed *a, const placed *b, uint32_t i, uint32_t j, crossing *list)
{
    const uint32_t most = 2 * (a->of->n + b->of->n);
    const placed *const both[2] = {a, b};
    uint32_t at[2] = {i, j}, n = 0;
    int in = side_of(b, j, after(b, j), vertex_at(a, after(a, i))) > 0 ? 0 : 1;
    const int first = in;
    for (uint32_t turn = 0; turn < most; turn++) {
        const placed *p = both[in], *other = both[1 - in];
        crossing *c = &list[n++];
        *c = (crossing){.edge = {at[0], at[1]}, .in = in};
        while (convex_holds(other, vertex_at(p, after(p, at[in])))) {
            at[in] = after(p, at[in]);
            if (++c->steps > p->of->n)
                return 0;
        }
        at[1 - in] = exit_of(p, at[in], other, at[1 - in]);
        in = 1 - in;
        if (at[0] == i && at[1] == j && in == first) {
            turn_cycle(list, n);
            return n;
        }
    }
    return 0;
}
