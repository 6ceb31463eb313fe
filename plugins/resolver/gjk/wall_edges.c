// SPDX-License-Identifier: Apache-2.0
// Edges of a wall along a face of a polytope.
/*
 * Idea     An edge that lies along a face, within 15 degrees, touches it at both ends of the part that is over the face: as
 *          with faces on faces, each end is a contact with its own depth, a function of the poses with its normal as
 *          gradient. So nothing jumps where the edge goes through parallel, and its ends elsewhere in the wall do not
 *          matter, however far they are.
 * Ends     a corner of the wall         along the normal of the face
 *          a side of the face           along the normal across it and the edge; where the two are parallel to 1e-8,
 *                                       along the normal of the face
 *          a seam of the straight edge  none: the other part has the rest
 */
#include "wall.h"

#define LEANING 0.26   /* sine of 15 degrees: edges that lie along a face */
#define PARALLEL 1e-16 /* squared sine of two edges that have no normal */

/* The part of an edge over a face. */
typedef struct part {
    scree_vec from, way;
    double at[2];   /* [-] its ends, in parts of the edge */
    uint32_t by[2]; /* sides of the face that cut it there; SCREE_NONE: the edge ends */
} part;

static part part_over(const convex *a, uint32_t f, scree_vec from, scree_vec way)
{
    const scree_vec up = face_normal(a, f);
    part out = {from, way, {0.0, 1.0}, {SCREE_NONE, SCREE_NONE}};
    for (uint32_t k = 0; k < convex_ring_size(a, f); k++) {
        const scree_vec p = corner(a, convex_ring(a, f, k));
        const scree_vec in =
            unit_of(scree_cross(up, scree_less(corner(a, convex_ring(a, f, k + 1)), 1.0, p)));
        const double height = scree_dot(in, scree_less(from, 1.0, p)) + BESIDE_FACE * a->radius,
                     slope = scree_dot(in, way);
        const int far = slope < 0.0; // the end that it cuts
        const double cut = slope != 0.0 ? -height / slope : height < 0.0 ? 2.0 : far;
        if (far ? cut < out.at[1] : cut > out.at[0]) {
            out.at[far] = cut;
            out.by[far] = k;
        }
    }
    return out;
}

/* A place of a touch: points of the body and of the edge, and the normal. */
typedef struct place {
    scree_vec n, on_a, on_b;
} place;

/* The end where a side of the face cuts edge `at` of the wall; the side is edge i of the body, from
 * `from` along u. Returns 0 where the normal across both is neither near that of the face nor among
 * the normals of both. */
static int cross_side(const convex *a, scree_vec from, scree_vec u, uint32_t i,
                      const placed_wall *w, const part *p, uint32_t at, place *out)
{
    const scree_vec c = scree_cross(u, p->way), gap = scree_less(p->from, 1.0, from), up = out->n;
    const double square = scree_dot(c, c);
    if (!(square > PARALLEL * scree_dot(u, u) * scree_dot(p->way, p->way)))
        return 1;
    const double sign = scree_dot(c, up) < 0.0 ? -1.0 : 1.0;
    const double s = scree_dot(scree_cross(gap, p->way), c) / square,
                 t = scree_dot(scree_cross(gap, u), c) / square;
    const edge side = edge_of(a, i);
    out->n = scree_scaled(sign / sqrt(square), c);
    out->on_a = scree_less(from, -scree_max(scree_min(s, 1.0), 0.0), u);
    out->on_b = scree_less(p->from, -scree_max(scree_min(t, 1.0), 0.0), p->way);
    return scree_dot(out->n, up) > ALIGNED ||
           (has_normal(&side, out->n) &&
            wall_edge_allows(w->of, at, to_wall(w, scree_scaled(-1.0, out->n))));
}

static void add_end(const convex *a, uint32_t f, const placed_wall *w, uint32_t facet, uint32_t s,
                    const part *p, int end, double range, touches *out)
{
    const uint32_t v = at_side(w->of->mesh, facet, s + (uint32_t)end), k = p->by[end];
    const uint32_t at = 4 * facet + s;
    place it = {.n = face_normal(a, f), .on_b = scree_less(p->from, -p->at[end], p->way)};
    uint64_t name = feature_of(TOUCH_TIP, v, 0);
    it.on_a = scree_less(it.on_b, scree_dot(it.n, it.on_b) - face_offset(a, f), it.n);
    if (k == SCREE_NONE && !wall_vertex_allows(w->of, v, to_wall(w, scree_scaled(-1.0, it.n))))
        return;
    if (k != SCREE_NONE) {
        const uint32_t from = convex_ring(a, f, k), to = convex_ring(a, f, k + 1),
                       i = edge_between(a, from, to);
        const scree_vec q = corner(a, from);
        if (!cross_side(a, q, scree_less(corner(a, to), 1.0, q), i, w, p, at, &it))
            return;
        name = feature_of(TOUCH_EDGE, w->of->edge[at], 1 + i);
    }
    const double depth = scree_dot(it.n, scree_less(it.on_a, 1.0, it.on_b));
    if (depth >= -range)
        add_wall_touch(out, it.n, depth, middle_of(it.on_a, it.on_b), name, facet);
}

/* Adds the touches of side s of the facet, if it lies along face f of the body. */
static void add_side(const convex *a, uint32_t f, const convex *c, const placed_wall *w,
                     uint32_t facet, uint32_t s, double range, touches *out)
{
    const scree_vec up = face_normal(a, f), from = corner(c, s),
                    way = scree_less(corner(c, (s + 1) % c->flat->n_edges), 1.0, from);
    const uint32_t at = 4 * facet + s;
    if (is_flat(w->of, at) || fabs(scree_dot(way, up)) > LEANING * length_of(way) ||
        !wall_edge_allows(w->of, at, to_wall(w, scree_scaled(-1.0, up))))
        return;
    const part p = part_over(a, f, from, way);
    for (int end = 0; end < 2 && p.at[0] <= p.at[1]; end++)
        add_end(a, f, w, facet, s, &p, end, range, out);
}

void wall_add_ends(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                   double range, const axis *best, touches *out)
{
    if (best->type == AXIS_EDGES) {
        const uint32_t *f = a->flat->edges[best->i].face;
        add_side(a, f[0], c, w, facet, best->j, range, out);
        add_side(a, f[1], c, w, facet, best->j, range, out);
        return;
    }
    for (uint32_t s = 0; s < c->flat->n_edges; s++)
        add_side(a, best->i, c, w, facet, s, range, out);
}
