// SPDX-License-Identifier: Apache-2.0
// Two polytopes: the least overlap over the normals of faces and of pairs of edges.
/*
 * Sources  [1] D. Gregorius, The separating axis test between convex polyhedra, Game Developers
 *              Conference 2013: a pair of edges makes a face of a - b only where the arcs of their
 *              normals cross.
 * Idea     a - b is a polytope, whose faces have the normals of the faces of a, of those of b, and
 *          across pairs of edges. The least depth is along one of them: all are tried, so it is exact.
 *          Where two polytopes are apart, and closest at a corner, that normal is none of these: then
 *          distance_of() has it.
 *          Edges farther from the other body than the bodies would be moved are left out, which
 *          holds for bodies that overlap, or are apart by no more than that: distance_of() comes first.
 * Cost     faces times corners, and the product of the numbers of edges that are close to the other body.
 */
#include "axes.h"

#define SNAP 1e-12     /* of the size: an edge has to be better than a face by this */
#define PARALLEL 1e-16 /* squared sine of two edges, below which they have no normal */

/* Axes of the faces of one body; 0: one of them parts the bodies. */
static int try_faces(const convex *a, const convex *b, int of_b, uint32_t only, double range,
                     axis *best)
{
    const convex *faces = of_b ? b : a, *other = of_b ? a : b;
    for (uint32_t f = 0; f < faces->flat->n_faces; f++) {
        const scree_vec out = faces->normal[f];
        uint32_t v;
        if (only != SCREE_NONE && f != only)
            continue;
        const scree_vec p = convex_farthest(other, scree_scaled(-1.0, out), &v);
        const double depth = faces->offset[f] - scree_dot(out, p);
        if (!(depth < best->span.depth - SNAP * size_of(a, b)))
            continue;
        const scree_vec q = scree_less(p, -depth, out);
        best->span =
            (span){scree_scaled(of_b ? -1.0 : 1.0, out), depth, of_b ? p : q, of_b ? q : p};
        best->type = of_b ? AXIS_FACE_B : AXIS_FACE_A;
        best->i = of_b ? v : f;
        best->j = of_b ? f : v;
        if (depth < -range)
            return 0;
    }
    return 1;
}

typedef struct box {
    double low[3], high[3];
} box;

static box box_of(const convex *c, double more)
{
    box all;
    for (int k = 0; k < 3; k++) {
        const double *x = c->vertex[k];
        all.low[k] = all.high[k] = x[0];
        for (uint32_t v = 1; v < c->flat->n_vertices; v++) {
            all.low[k] = scree_min(all.low[k], x[v]);
            all.high[k] = scree_max(all.high[k], x[v]);
        }
        all.low[k] -= more;
        all.high[k] += more;
    }
    return all;
}

static int meets(const convex *c, const edge *e, const box *b)
{
    int in = 1;
    for (int k = 0; k < 3; k++) {
        const double p = c->vertex[k][e->from], q = c->vertex[k][e->to];
        in &= scree_min(p, q) <= b->high[k] && scree_max(p, q) >= b->low[k];
    }
    return in;
}

axis axes_edges(const convex *a, const convex *b, uint32_t i, uint32_t j, scree_vec n)
{
    const edge *e = &a->edges[i], *f = &b->edges[j];
    const scree_vec p = corner(a, e->from), q = corner(b, f->from);
    const scree_vec u = scree_less(corner(a, e->to), 1.0, p),
                    v = scree_less(corner(b, f->to), 1.0, q);
    const scree_vec c = scree_cross(u, v), w = scree_less(q, 1.0, p);
    const double square = scree_dot(c, c);
    double s = scree_dot(scree_cross(w, v), c) / square,
           t = scree_dot(scree_cross(w, u), c) / square;
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    axis out = {.type = AXIS_EDGES, .i = i, .j = j};
    out.span = (span){.normal = n,
                      .depth = -scree_dot(n, w),
                      .on_a = scree_less(p, -s, u),
                      .on_b = scree_less(q, -t, v)};
    return out;
}

/* Whether n is among the normals of a body at an edge. */
static inline int has_normal(const edge *e, scree_vec n)
{
    return scree_dot(n, e->side[0]) >= 0.0 && scree_dot(n, e->side[1]) >= 0.0;
}

static void try_pair(const convex *a, const convex *b, uint32_t i, uint32_t j, axis *best)
{
    const edge *e = &a->edges[i], *f = &b->edges[j];
    const scree_vec p = corner(a, e->from), q = corner(b, f->from);
    const scree_vec u = scree_less(corner(a, e->to), 1.0, p),
                    v = scree_less(corner(b, f->to), 1.0, q);
    scree_vec n = scree_cross(u, v);
    const double square = scree_dot(n, n);
    if (!(square > PARALLEL * scree_dot(u, u) * scree_dot(v, v)))
        return;
    n = scree_scaled(1.0 / sqrt(square), n);
    for (int turn = 0; turn < 2; turn++, n = scree_scaled(-1.0, n)) {
        const double depth = scree_dot(n, scree_less(p, 1.0, q));
        if (depth < best->span.depth - SNAP * size_of(a, b) && has_normal(e, n) &&
            has_normal(f, scree_scaled(-1.0, n)))
            *best = axes_edges(a, b, i, j, n);
    }
}

/* Edges within `reach` of the other body. */
static void try_edges(const convex *a, const convex *b, double reach, axis *best)
{
    const box of_a = box_of(a, reach), of_b = box_of(b, reach);
    for (uint32_t i = 0; i < a->flat->n_edges; i++) {
        if (!meets(a, &a->edges[i], &of_b))
            continue;
        for (uint32_t j = 0; j < b->flat->n_edges; j++)
            if (meets(b, &b->edges[j], &of_a))
                try_pair(a, b, i, j, best);
    }
}

int axes_least(const convex *a, const convex *b, double range, uint32_t side, axis *out)
{
    out->span.depth = (double)INFINITY;
    if (!try_faces(a, b, 0, SCREE_NONE, range, out) || !try_faces(a, b, 1, side, range, out))
        return 0;
    const distance d = distance_of(a, b, range, 1e-15);
    if (d.state == DISTANCE_FAR) {
        out->span.normal = d.normal;
        return 0;
    }
    const double gap = d.state == DISTANCE_GAP ? d.gap : 0.0, nothing = 1e-8 * size_of(a, b);
    try_edges(a, b, scree_max(out->span.depth, 0.0) + gap + nothing, out);
    // For thin bodies the search may end at a gap that is not there: where no
    // axis parts them, they overlap.
    const double slack = 1e-10 * size_of(a, b);
    if (d.state == DISTANCE_GAP && !(out->span.depth > slack) && gap > -out->span.depth + slack) {
        out->span = (span){d.normal, -gap, d.on_a, d.on_b};
        out->type = AXIS_GAP;
        out->i = d.vertex[0];
        out->j = d.vertex[1];
    }
    return out->span.depth >= -range;
}
