// SPDX-License-Identifier: Apache-2.0
// Penetration distance of two convex outlines: the separating axis with the least overlap.
/*
 * Idea     The Minkowski difference of two convex outlines has the edges of both. For outlines that
 *          overlap, the least translation that separates them is the distance of the origin from
 *          its nearest edge. For each edge this is the depth of the other outline's deepest vertex
 *          below the edge.
 * Cost     n_a + n_b: the edges turn one way around, and so does the deepest vertex. Nothing is
 *          tracked, because the least depth may be far from the previous one.
 * Ties     the lowest edge, of a before b. Where the edge is parallel to one of the other, the
 *          point is in the middle of the stretch where they face each other.
 */
#include "penetration.h"

typedef struct axis {
    double above; /* [m] height of the deepest vertex, below 0 */
    uint32_t edge, vertex;
    int of_b;
} axis;

/* The first vertex with the least n·v. */
static uint32_t deepest(const point *v, uint32_t n, point normal)
{
    uint32_t deep = 0;
    for (uint32_t k = 1; k < n; k++)
        deep = dot2(normal, v[k]) < dot2(normal, v[deep]) ? k : deep;
    return deep;
}

/* The edges of p, turning, against the vertices of q. */
static void try_edges(const placed *p, const placed *q, int of_b, axis *best)
{
    // Both are in the axes of q, so that n·v of a vertex takes two products.
    const double c = p->cos * q->cos + p->sin * q->sin, s = p->sin * q->cos - p->cos * q->sin;
    const point d = from_to(q->at, p->at);
    const point at = {q->cos * d.x + q->sin * d.y, q->cos * d.y - q->sin * d.x};
    const point *v = q->of->vertex;
    const uint32_t n = q->of->n;
    uint32_t deep = 0;
    for (uint32_t e = 0; e < p->of->n; e++) {
        const point m = p->of->normal[e], normal = {c * m.x - s * m.y, s * m.x + c * m.y};
        if (e == 0 || p->of->n == 2) // between the sides of a facet it does not turn
            deep = deepest(v, n, normal);
        double least = dot2(normal, v[deep]);
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t next = deep + 1 < n ? deep + 1 : 0;
            const double there = dot2(normal, v[next]);
            if (!(there < least))
                break;
            least = there;
            deep = next;
        }
        const double line = dot2(normal, at) + p->scale * dot2(m, p->of->vertex[e]);
        const double above = q->scale * least - line;
        if (above > best->above)
            *best = (axis){above, e, deep, of_b};
    }
}

gap convex_penetration(const placed *a, const placed *b, facing *where)
{
    axis best = {.above = -(double)INFINITY};
    try_edges(a, b, 0, &best);
    try_edges(b, a, 1, &best);
    *where = (facing){best.edge, best.vertex, (uint32_t)best.of_b};
    const placed *p = best.of_b ? b : a, *q = best.of_b ? a : b;
    const point tail = vertex_at(p, best.edge), head = vertex_at(p, after(p, best.edge));
    const point n = normal_at(p, best.edge), v = vertex_at(q, best.vertex);
    const double sign = best.of_b ? -1.0 : 1.0;
    gap g = {.normal = {sign * n.x, sign * n.y}, .length = dot2(n, from_to(tail, v))};
    point foot = moved(v, -0.5 * g.length, n);
    const uint32_t other[2] = {after(q, best.vertex), before(q, best.vertex)};
    for (int k = 0; k < 2; k++) {
        const point w = vertex_at(q, other[k]);
        if (turns(tail, head, v, w) != 0)
            continue;
        const point line = {-n.y, n.x}, e = from_to(tail, head), x = from_to(tail, v);
        const double one = dot2(line, x), two = dot2(line, from_to(tail, w)), end = dot2(line, e);
        const double low = scree_max(scree_min(one, two), 0.0);
        const double high = scree_min(scree_max(one, two), end);
        foot = moved(foot, 0.5 * (low + high) - one, line);
        break;
    }
    g.middle = foot;
    return g;
}
