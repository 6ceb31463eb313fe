// SPDX-License-Identifier: Apache-2.0
// A point and a facet: their distance, from either side.
/*
 * Idea     A point is a ball of radius 0, so it never overlaps a facet, which is thin. The contact is where the
 *          distance has a local minimum: at the foot on the face, or at an edge or corner that no facet around it
 *          comes nearer than.
 */
#include "wall.h"

/* The foot of x in a facet. */
typedef struct foot {
    scree_vec at;     /* [m] */
    uint64_t feature; /* name of the face, edge or corner */
    int minimum;      /* 1: the distance has a local minimum there */
} foot;

static foot foot_on_edge(const wall *w, uint32_t f, uint32_t side, scree_vec x)
{
    const scree_mesh *m = w->mesh;
    const uint32_t at = 4 * f + side;
    const scree_vec from = vertex_of(m, at_side(m, f, side));
    const scree_vec u = scree_less(vertex_of(m, at_side(m, f, side + 1)), 1.0, from);
    const double t = scree_dot(u, scree_less(x, 1.0, from)) / scree_dot(u, u);
    const uint32_t v = at_side(m, f, t > 0.0 ? side + 1 : side);
    foot out = {.feature = feature_of(TOUCH_TIP, v, 0)};
    out.at = t > 0.0 && t < 1.0 ? scree_less(from, -t, u) : vertex_of(m, v);
    const scree_vec off = scree_less(x, 1.0, out.at);
    const double length = length_of(off);
    const scree_vec way = length > 0.0 ? scree_scaled(1.0 / length, off) : w->normal[f];
    if (t > 0.0 && t < 1.0) {
        out.feature = is_flat(w, at) ? feature_of(TOUCH_CORNER, w->patch[f], 0)
                                     : feature_of(TOUCH_EDGE, w->edge[at], 0);
        out.minimum = wall_edge_allows(w, at, way);
    } else {
        out.minimum = wall_vertex_is_nearest(w, v, way);
    }
    return out;
}

static foot foot_in_facet(const wall *w, uint32_t f, scree_vec x)
{
    const scree_mesh *m = w->mesh;
    const uint32_t n = sides_of(m, f);
    foot best = {.feature = feature_of(TOUCH_CORNER, w->patch[f], 0), .minimum = 1};
    double least = (double)INFINITY;
    int inside = 1;
    for (uint32_t s = 0; s < n; s++) {
        const scree_vec off = scree_less(x, 1.0, vertex_of(m, at_side(m, f, s)));
        inside &= scree_dot(off, w->inward[4 * (uint64_t)f + s]) >= 0.0;
    }
    const scree_vec on = vertex_of(m, at_side(m, f, 0));
    best.at = scree_less(x, scree_dot(w->normal[f], scree_less(x, 1.0, on)), w->normal[f]);
    const uint32_t n_edges = inside ? 0 : n;
    for (uint32_t s = 0; s < n_edges; s++) {
        const foot one = foot_on_edge(w, f, s, x);
        const double off = length_of(scree_less(x, 1.0, one.at));
        best = off < least ? one : best;
        least = scree_min(off, least);
    }
    return best;
}

void touch_point(const placed_wall *w, uint32_t facet, double range, int any, touches *out)
{
    const scree_vec x = to_wall(w, scree_scaled(-1.0 / w->scale, w->origin));
    const foot at = foot_in_facet(w->of, facet, x);
    const scree_vec to = scree_less(at.at, 1.0, x);
    const double gap = length_of(to);
    const scree_vec normal =
        gap > 0.0 ? scree_scaled(1.0 / gap, to) : scree_scaled(-1.0, w->of->normal[facet]);
    const scree_vec middle = to_world(w, scree_scaled(0.5 * w->scale, to));
    if ((at.minimum || any) && w->scale * gap <= range)
        add_wall_touch(out, to_world(w, normal), -w->scale * gap, middle, at.feature, facet);
}
