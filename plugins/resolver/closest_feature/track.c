// SPDX-License-Identifier: Apache-2.0
// Closest features of two convex outlines that move, and the crossings of those that overlap.
/*
 * Sources
 *   [1] A. Schinner, Fast algorithms for the simulation of polygonal particles, Granular Matter 2
 *       (1999) 35, section 4: closest features in the plane, by Voronoi regions.
 *   [2] M. C. Lin, Efficient Collision Detection for Animation and Robotics, PhD thesis, University
 *       of California at Berkeley, 1993.
 *   [3] J. O'Rourke, C.-B. Chien, T. Olson, D. Naddor, A new linear algorithm for intersecting
 *       convex polygons, Computer Graphics and Image Processing 19 (1982) 384.
 *
 * Idea     Two features, a vertex or edge each, are the closest ones when each closest point lies
 *          in the Voronoi region of the other's feature. If a point is beyond the ray between two
 *          regions, the neighbour there is closer [1, 2].
 *              vertex - vertex   the next vertex on neither side comes nearer
 *              vertex - edge     the foot is inside the edge; the neighbours are not nearer its line
 *              edge - edge       never the last state: the end that is nearest goes on, as a vertex
 *          Every such test is the sign of a sum of two products of differences of coordinates, and
 *          is decided without rounding (exact.h). So the pair that a search ends with is the same
 *          from wherever it starts.
 *
 * Deviations from [1]
 *   1. Voronoi regions exist only outside: the rays are useless for a point below the edge. A
 *      search that meets such a point continues from the edge that the point is farthest above.
 *      When the point is above no edge, the outlines overlap.
 *   2. "d = 0" is decided by crossings of edges, never by a distance.
 *   3. Overlapping outlines track a crossing, not features.
 *   4. Past 2 (n_a + n_b) moves, and where the outlines overlap or touch, crossings are searched
 *      along both borders [3]. This search ends at the first crossing.
 *   5. Parallel edges: the point is in the middle of the stretch where they face each other.
 */
#include "track.h"

/* Moves of a search for a crossing near the last one, before the search goes elsewhere. */
#define NEARBY 48u
#define STEPS_BACK 4u

/* ---- crossings [3] ---- */

/* Looks for edges that cross, by at most `most` steps along both borders from the edges t->number;
 * 1: found. 2 (n_a + n_b) steps suffice to find an existing crossing. */
static int find_crossing(const placed *a, const placed *b, track *t, uint32_t most)
{
    uint32_t i = t->number[0], j = t->number[1];
    point a0 = vertex_at(a, i), a1 = vertex_at(a, after(a, i));
    point b0 = vertex_at(b, j), b1 = vertex_at(b, after(b, j));
    for (uint32_t step = 0; step < most; step++) {
        // Heads of both edges, as seen from the other edge: 1 inside of the half-plane.
        int a_in = side_of_points(b0, b1, a1, 1), b_in = side_of_points(a0, a1, b1, 0);
        if (a_in != side_of_points(b0, b1, a0, 1) && b_in != side_of_points(a0, a1, b0, 0)) {
            t->state = TRACK_CROSSING;
            t->number[0] = i;
            t->number[1] = j;
            t->moves += step;
            return 1;
        }
        if (turns(a0, a1, b0, b1) >= 0 ? b_in > 0 : a_in < 0) {
            i = after(a, i);
            a0 = a1;
            a1 = vertex_at(a, after(a, i));
        } else {
            j = after(b, j);
            b0 = b1;
            b1 = vertex_at(b, after(b, j));
        }
    }
    t->moves += most;
    return 0;
}

/* ---- closest features ---- */

/* The edge of p that r is farthest above, as 2 k + 1; SCREE_NONE: r is above no edge. */
static uint32_t farthest_edge(const placed *p, point r)
{
    double most = -(double)INFINITY;
    uint32_t best = 0;
    for (uint32_t k = 0; k < p->of->n; k++) {
        double above = dot2(normal_at(p, k), from_to(vertex_at(p, k), r));
        best = above > most ? k : best;
        most = above > most ? above : most;
    }
    return orient(vertex_at(p, best), vertex_at(p, after(p, best)), r) < 0 ? 2 * best + 1
                                                                           : SCREE_NONE;
}

/* Two vertices, v of p and one of the other outline at r: returns the edge of p that comes nearer,
 * or v. */
static uint32_t leave_vertex(const placed *p, uint32_t v, point r)
{
    const point at = vertex_at(p, v);
    if (along(at, r, at, vertex_at(p, after(p, v))) > 0)
        return 2 * v + 1;
    if (along(at, r, at, vertex_at(p, before(p, v))) > 0)
        return 2 * before(p, v) + 1;
    return 2 * v;
}

/* Moves from vertex v of p or from edge e of q; 0: they are the closest. */
static int move_vertex_edge(const placed *p, const placed *q, uint32_t *v_of_p, uint32_t *e_of_q)
{
    const uint32_t v = *v_of_p / 2, e = *e_of_q / 2, next = after(p, v), last = before(p, v);
    const point at = vertex_at(p, v), tail = vertex_at(q, e), head = vertex_at(q, after(q, e));
    if (orient(tail, head, at) >= 0) {
        *e_of_q = farthest_edge(q, at);
        return 1;
    }
    if (along(tail, at, tail, head) <= 0) {
        *e_of_q = 2 * e;
        return 1;
    }
    if (along(head, at, head, tail) <= 0) {
        *e_of_q = 2 * after(q, e);
        return 1;
    }
    if (turns(tail, head, at, vertex_at(p, next)) > 0) {
        *v_of_p = 2 * v + 1;
        return 1;
    }
    if (turns(tail, head, at, vertex_at(p, last)) > 0) {
        *v_of_p = 2 * last + 1;
        return 1;
    }
    return 0;
}

/* [m^2] Squared distance from r to edge e of p. */
static double square_to(const placed *p, uint32_t e, point r)
{
    point tail = vertex_at(p, e), u = from_to(tail, vertex_at(p, after(p, e))),
          w = from_to(tail, r);
    double t = dot2(u, w) / dot2(u, u);
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    w = moved(w, -t, u);
    return dot2(w, w);
}

/* Is the foot of r on edge e of p inside the edge? */
static int foot_inside(const placed *p, uint32_t e, point r)
{
    const point tail = vertex_at(p, e), head = vertex_at(p, after(p, e));
    return along(tail, r, tail, head) > 0 && along(head, r, head, tail) > 0;
}

/* Leaves two edges. On each edge the end nearest to the line of the other edge is a candidate. It
 * becomes the feature if its foot is inside the other edge; otherwise the ends nearest to each
 * other become the features. */
static void leave_edges(const placed *a, const placed *b, uint32_t number[2])
{
    const uint32_t i = number[0] / 2, j = number[1] / 2;
    const uint32_t of_a[2] = {i, after(a, i)}, of_b[2] = {j, after(b, j)};
    const int turn = turns(vertex_at(b, of_b[0]), vertex_at(b, of_b[1]), vertex_at(a, of_a[0]),
                           vertex_at(a, of_a[1]));
    double least = (double)INFINITY;
    for (int k = 0; k < 2; k++) { // parallel: either end will do
        if (turn != (k ? -1 : 1) && foot_inside(b, j, vertex_at(a, of_a[k]))) {
            number[0] = 2 * of_a[k];
            return;
        }
        if (turn != (k ? 1 : -1) && foot_inside(a, i, vertex_at(b, of_b[k]))) {
            number[1] = 2 * of_b[k];
            return;
        }
    }
    for (int k = 0; k < 4; k++) {
        const point d = from_to(vertex_at(a, of_a[k / 2]), vertex_at(b, of_b[k % 2]));
        if (dot2(d, d) >= least)
            continue;
        least = dot2(d, d);
        number[0] = 2 * of_a[k / 2];
        number[1] = 2 * of_b[k % 2];
    }
}

int track_features(const placed *a, const placed *b, track *t, uint32_t most)
{
    uint32_t *f = &t->number[0], *g = &t->number[1];
    for (uint32_t move = 0; move < most; move++, t->moves++) {
        if (*f % 2 && *g % 2) {
            if (edges_cross(a, *f / 2, b, *g / 2))
                return 0;
            leave_edges(a, b, t->number);
            continue;
        }
        if (*f % 2 || *g % 2) {
            const uint32_t was[2] = {*f, *g};
            if (!(*f % 2 ? move_vertex_edge(b, a, g, f) : move_vertex_edge(a, b, f, g)))
                return 1;
            if (*f == SCREE_NONE || *g == SCREE_NONE) {
                memcpy(t->number, was, sizeof was);
                return 0;
            }
            continue;
        }
        const point p = vertex_at(a, *f / 2), q = vertex_at(b, *g / 2);
        if (p.x == q.x && p.y == q.y)
            return 0;
        const uint32_t from_a = leave_vertex(a, *f / 2, q);
        const uint32_t from_b = from_a == *f ? leave_vertex(b, *g / 2, p) : *g;
        if (from_a == *f && from_b == *g)
            return 1;
        *f = from_a;
        *g = from_b;
    }
    return 0;
}

/* The vertex of p farthest along u, as a place to start. */
static uint32_t extreme(const placed *p, point u)
{
    const point back = point_of(p->cos * u.x + p->sin * u.y, p->cos * u.y - p->sin * u.x);
    double most = -(double)INFINITY;
    uint32_t best = 0;
    for (uint32_t k = 0; k < p->of->n; k++) {
        double far = dot2(p->of->vertex[k], back);
        best = far > most ? k : best;
        most = far > most ? far : most;
    }
    return best;
}

/* Searches all crossings of outlines that may overlap or touch, or that took too many moves. */
static void search_all(const placed *a, const placed *b, track *t)
{
    const uint32_t all = 2 * (a->of->n + b->of->n);
    track apart = *t;
    t->number[0] = stepped_back(a, t->number[0] / 2, STEPS_BACK);
    t->number[1] = stepped_back(b, t->number[1] / 2, STEPS_BACK);
    if (find_crossing(a, b, t, all))
        return;
    t->number[0] = t->number[1] = 0;
    t->state = TRACK_A_IN_B;
    if (convex_holds(b, vertex_at(a, 0)))
        return;
    t->state = TRACK_B_IN_A;
    if (convex_holds(a, vertex_at(b, 0)))
        return;
    // The outlines are apart, or touch.
    apart.state = TRACK_NEW;
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < a->of->n; i++)
        for (uint32_t j = 0; j < b->of->n; j++) {
            double at_a = square_to(b, j, vertex_at(a, i)), at_b = square_to(a, i, vertex_at(b, j));
            double square = at_b < at_a ? at_b : at_a;
            if (!(square < least))
                continue;
            least = square;
            apart.number[0] = at_b < at_a ? 2 * i + 1 : 2 * i;
            apart.number[1] = at_b < at_a ? 2 * j : 2 * j + 1;
        }
    *t = apart;
    if (track_features(a, b, &apart, all))
        *t = apart;
    t->state = TRACK_APART;
}

void track_search(const placed *a, const placed *b, track *t)
{
    const uint32_t n[2] = {a->of->n, b->of->n}, all = 2 * (n[0] + n[1]);
    const uint32_t state = t->state;
    t->moves = 0;
    if (state == TRACK_CROSSING) {
        const uint32_t was[2] = {t->number[0] % n[0], t->number[1] % n[1]};
        t->number[0] = was[0];
        t->number[1] = was[1];
        if (edges_cross(a, was[0], b, was[1]))
            return;
        t->number[0] = stepped_back(a, was[0], STEPS_BACK);
        t->number[1] = stepped_back(b, was[1], STEPS_BACK);
        if (find_crossing(a, b, t, NEARBY < all ? NEARBY : all))
            return;
        t->number[0] = 2 * was[0] + 1;
        t->number[1] = 2 * was[1] + 1;
    } else if (state == TRACK_APART) {
        t->number[0] %= 2 * n[0];
        t->number[1] %= 2 * n[1];
    } else {
        point d = from_to(a->at, b->at);
        t->number[0] = 2 * extreme(a, d);
        t->number[1] = 2 * extreme(b, point_of(-d.x, -d.y));
    }
    t->state = TRACK_APART;
    if (!track_features(a, b, t, all))
        search_all(a, b, t);
}

/* ---- gaps ---- */

/* The gap of parallel edges of a and b, in the middle of the stretch where they face each other. */
static gap gap_of_edges(const placed *a, const placed *b, uint32_t i, uint32_t j)
{
    const point n = normal_at(a, i), line = point_of(-n.y, n.x), tail = vertex_at(a, i);
    const point end[2] = {from_to(tail, vertex_at(b, j)), from_to(tail, vertex_at(b, after(b, j)))};
    const double length = dot2(line, from_to(tail, vertex_at(a, after(a, i))));
    const double to = dot2(line, end[0]), from = dot2(line, end[1]); // they run against each other
    const double low = from > 0.0 ? from : 0.0, high = to < length ? to : length;
    gap g = {.length = dot2(n, end[0]), .normal = n};
    g.middle = moved(moved(tail, 0.5 * (low + high), line), 0.5 * g.length, n);
    return g;
}

/* The gap of a vertex of p and an edge of q; `sign`: 1 when p is a, else -1. */
static gap gap_of_vertex(const placed *p, const placed *q, uint32_t v, uint32_t e, double sign)
{
    const point n = normal_at(q, e), at = vertex_at(p, v);
    gap g = {.length = dot2(n, from_to(vertex_at(q, e), at)), .normal = {-sign * n.x, -sign * n.y}};
    g.middle = moved(at, -0.5 * g.length, n);
    return g;
}

/* The edge of p at vertex v that is parallel to edge e of q and runs against it, or SCREE_NONE. Edges
 * of bodies side by side may lie on one line and run the same way: these do not face each other. */
static uint32_t parallel_at(const placed *p, uint32_t v, const placed *q, uint32_t e)
{
    const point tail = vertex_at(q, e), head = vertex_at(q, after(q, e)), at = vertex_at(p, v);
    const point next = vertex_at(p, after(p, v)), last = vertex_at(p, before(p, v));
    const point way = from_to(tail, head);
    if (turns(tail, head, at, next) == 0 && dot2(way, from_to(at, next)) < 0.0)
        return v;
    if (turns(tail, head, at, last) == 0 && dot2(way, from_to(last, at)) < 0.0)
        return before(p, v);
    return SCREE_NONE;
}

/* Are the edges from vertex i to k of a and from j to l of b at right angles to the line between i
 * and j? */
static int faces(const placed *a, uint32_t i, uint32_t k, const placed *b, uint32_t j, uint32_t l)
{
    const point p = vertex_at(a, i), q = vertex_at(b, j);
    return along(p, q, p, vertex_at(a, k)) == 0 && along(q, p, q, vertex_at(b, l)) == 0 &&
           (p.x != q.x || p.y != q.y);
}

gap track_gap(const placed *a, const placed *b, const track *t)
{
    const uint32_t i = t->number[0] / 2, j = t->number[1] / 2;
    if (t->number[0] % 2) {
        const uint32_t edge = parallel_at(b, j, a, i);
        return edge != SCREE_NONE ? gap_of_edges(a, b, i, edge) : gap_of_vertex(b, a, j, i, -1.0);
    }
    if (t->number[1] % 2) {
        const uint32_t edge = parallel_at(a, i, b, j);
        return edge != SCREE_NONE ? gap_of_edges(a, b, edge, j) : gap_of_vertex(a, b, i, j, 1.0);
    }
    // Corners of parallel edges that face each other exactly: two pairs of corners are equally
    // close.
    if (faces(a, i, after(a, i), b, j, before(b, j)))
        return gap_of_edges(a, b, i, before(b, j));
    if (faces(a, i, before(a, i), b, j, after(b, j)))
        return gap_of_edges(a, b, before(a, i), j);
    const point p = vertex_at(a, i), d = from_to(p, vertex_at(b, j));
    gap g = {.length = sqrt(dot2(d, d)), .normal = normal_at(a, i)};
    if (g.length > 0.0)
        g.normal = point_of(d.x / g.length, d.y / g.length);
    g.middle = moved(p, 0.5, d);
    return g;
}
