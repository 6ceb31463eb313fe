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

#define SNAP 1e-12     /* part of the size: an edge has to be better than a face by this */
#define ROUNDED 1e-26  /* squared: the part of a cross product that has no sign */
#define PARALLEL 1e-16 /* squared sine of two edges, below which they have no normal */
#define NEARLY 1e-8    /* squared sine, below which the normal is off by 1e-12 and more */

enum { NO_POINT = 0xffff };

void axes_face(const convex *a, const convex *b, int of_b, uint32_t f, axis *best)
{
    const convex *faces = of_b ? b : a, *other = of_b ? a : b;
    const scree_vec out = face_normal(faces, f);
    uint32_t v;
    const scree_vec p = convex_farthest(other, scree_scaled(-1.0, out), &v);
    const double depth = face_offset(faces, f) - scree_dot(out, p);
    if (!(depth < best->span.depth - SNAP * size_of(a, b)))
        return;
    const scree_vec q = scree_less(p, -depth, out);
    best->span = (span){scree_scaled(of_b ? -1.0 : 1.0, out), depth, of_b ? p : q, of_b ? q : p};
    best->type = of_b ? AXIS_FACE_B : AXIS_FACE_A;
    best->i = of_b ? v : f;
    best->j = of_b ? f : v;
}

/* Tries the axes of the faces of one body; 0: one of them parts the bodies. */
static int try_faces(const convex *a, const convex *b, int of_b, uint32_t only, double range,
                     axis *best)
{
    const convex *faces = of_b ? b : a;
    for (uint32_t f = 0; f < faces->flat->n_faces; f++) {
        if ((only != SCREE_NONE && f != only) || (faces->number && faces->number[f] != NO_POINT))
            continue;
        axes_face(a, b, of_b, f, best);
        if (best->span.depth < -range)
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
    const edge *e = &a->flat->edges[i], *f = &b->flat->edges[j];
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

/* 1: both n and -n are outside the normals of an edge by more than rounding. */
static inline int is_across(const edge *e, scree_vec n, double square)
{
    const double x = scree_dot(n, e->side[0]), y = scree_dot(n, e->side[1]);
    return x * y < 0.0 && x * x > ROUNDED * square && y * y > ROUNDED * square;
}

static scree_vec nearest_on(const convex *c, const edge *e, scree_vec to)
{
    const scree_vec p = corner(c, e->from), u = scree_less(corner(c, e->to), 1.0, p);
    const double at = scree_dot(scree_less(to, 1.0, p), u) / scree_dot(u, u);
    return scree_less(p, -scree_max(scree_min(at, 1.0), 0.0), u);
}

/* Tries two edges that are nearly parallel. Rounding turns their normal along both edges, so the
 * overlap of the whole bodies along it is taken, which is never below the least. The points are on
 * both edges. */
static void try_nearly(const convex *a, const convex *b, axis at, double limit, axis *best)
{
    at.span.depth = span_along(a, b, at.span.normal).depth;
    if (!(at.span.depth < limit))
        return;
    const edge *e = &a->flat->edges[at.i], *f = &b->flat->edges[at.j];
    for (int k = 0; k < 2; k++) { // in the first round an end of one may be beyond the other
        at.span.on_a = nearest_on(a, e, at.span.on_b);
        at.span.on_b = nearest_on(b, f, at.span.on_a);
    }
    *best = at;
}

void axes_pair(const convex *a, const convex *b, uint32_t i, uint32_t j, const edge *e, axis *best)
{
    const edge at = edge_of(b, j), *f = &at;
    const scree_vec p = corner(a, e->from), q = corner(b, f->from);
    const scree_vec u = scree_less(corner(a, e->to), 1.0, p),
                    v = scree_less(corner(b, f->to), 1.0, q);
    scree_vec n = scree_cross(u, v);
    const double square = scree_dot(n, n);
    if (!(square > PARALLEL * scree_dot(u, u) * scree_dot(v, v)) || is_across(e, n, square) ||
        is_across(f, n, square))
        return;
    n = scree_scaled(1.0 / sqrt(square), n);
    for (int turn = 0; turn < 2; turn++, n = scree_scaled(-1.0, n)) {
        const double depth = scree_dot(n, scree_less(p, 1.0, q)),
                     limit = best->span.depth - SNAP * size_of(a, b);
        if (!(depth < limit && has_normal(e, n) && has_normal(f, scree_scaled(-1.0, n))))
            continue;
        if (square >= NEARLY * scree_dot(u, u) * scree_dot(v, v))
            *best = axes_edges(a, b, i, j, n);
        else
            try_nearly(a, b, axes_edges(a, b, i, j, n), limit, best);
    }
}

/* ---- which axes can be the least ---- */

/* The inner points as seen by one of the bodies. */
typedef struct sieve {
    scree_vec point[INNER_MOST];
    uint32_t n;
    double most;
} sieve;

static void turn_inner(const convex *c, double sign, const inner *in, sieve *s)
{
    s->n = in->n;
    s->most = in->most;
    for (uint32_t k = 0; k < in->n; k++)
        s->point[k] = scree_scaled(sign, turned_back(c, in->point[k]));
}

/* For each face of a body finds the first inner point that is too high along its normal. */
static void sift_faces(const convex *c, const sieve *s)
{
    for (uint32_t f = 0; f < c->flat->n_faces; f++) {
        const scree_vec n = c->flat->normal[f];
        uint32_t k = 0;
        while (k < s->n && !(scree_dot(n, s->point[k]) > s->most))
            k++;
        c->number[f] = (uint16_t)(k < s->n ? k : NO_POINT);
    }
}

/* Is an inner point too high along both normals at an edge? Then it is too high along all normals
 * between, because their sum with parts x and y is at most x + y long. */
static int is_sifted(const convex *c, const edge *e, const sieve *s)
{
    const uint16_t i = c->number[e->face[0]], j = c->number[e->face[1]];
    if (i == NO_POINT || j == NO_POINT)
        return 0;
    if (i == j)
        return 1;
    const scree_vec m = c->flat->normal[e->face[0]], n = c->flat->normal[e->face[1]];
    for (uint32_t k = 0; k < s->n; k++)
        if (scree_dot(m, s->point[k]) > s->most && scree_dot(n, s->point[k]) > s->most)
            return 1;
    return 0;
}

/* Returns the depth [m] along some direction: no axis may be left when all faces are too high. */
static double sift_by_points(const convex *a, const convex *b, const distance *d, void *room,
                             sieve s[2])
{
    const inner in = least_inner(a, b, d, room);
    for (int k = 0; k < 2; k++) {
        const convex *c = k ? b : a;
        turn_inner(c, k ? -1.0 : 1.0, &in, &s[k]);
        if (c->number)
            sift_faces(c, &s[k]);
    }
    return in.depth;
}

/* [m] Depth along the face of c that faces the other body. */
static double depth_facing(const convex *c, const convex *other, uint32_t only)
{
    const scree_vec d = scree_less(other->centre, 1.0, c->centre);
    const uint32_t f = only != SCREE_NONE ? only : convex_facing(c, d);
    const scree_vec n = face_normal(c, f);
    return face_offset(c, f) - scree_dot(n, convex_farthest(other, scree_scaled(-1.0, n), NULL));
}

/* The same with a ball inside of the other body. If its centre is x inside the plane of a face, the
 * depth is at least x plus the radius. This also holds between two such faces at their common edge.
 * `most` [m]: the depth along some axis. */
static void sift_by_ball(const convex *c, const convex *other, double most)
{
    const int known = other->flat->inner > 0.0 || other->flat->flat; // the centre is in the body
    const double enough = most - other->scale * other->flat->inner + 1e-9 * size_of(c, other);
    for (uint32_t f = 0; c->number && f < c->flat->n_faces; f++) {
        const double in = face_offset(c, f) - scree_dot(face_normal(c, f), other->centre);
        c->number[f] = known && in > 0.0 && in > enough ? 0 : NO_POINT;
    }
}

/* Edges within reach of the other body; returns their number. */
static uint32_t list_edges(const convex *c, const box *other, const sieve *s)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < c->flat->n_edges; e++) {
        const edge *at = &c->flat->edges[e];
        if ((c->number && is_sifted(c, at, s)) || !meets(c, at, other))
            continue;
        c->list[n++] = e;
    }
    return n;
}

static void try_edges(const convex *a, const convex *b, double reach, const sieve s[2], axis *best)
{
    const box of_a = box_of(a, reach), of_b = box_of(b, reach);
    const uint32_t n = list_edges(a, &of_b, &s[0]), m = n ? list_edges(b, &of_a, &s[1]) : 0;
    for (uint32_t k = 0; k < n; k++) {
        const edge e = edge_of(a, a->list[k]);
        for (uint32_t l = 0; l < m; l++)
            axes_pair(a, b, a->list[k], b->list[l], &e, best);
    }
}

static int is_inside(const convex *c, scree_vec p)
{
    for (uint32_t f = 0; f < c->flat->n_faces; f++)
        if (!(scree_dot(face_normal(c, f), p) <= face_offset(c, f)))
            return 0;
    return 1;
}

/* Is the middle of the least axis inside both bodies? Then they overlap and need no distance. */
static int is_overlap(const convex *a, const convex *b, const axis *least)
{
    const scree_vec p = middle_of(least->span.on_a, least->span.on_b);
    return least->span.depth > 1e-9 * size_of(a, b) && least->span.depth < (double)INFINITY &&
           is_inside(a, p) && is_inside(b, p);
}

/* [m] How far edges may be from the other body; `most`: bound of the depth when no face gives
 * one. */
static double reach_of(const convex *a, const convex *b, double gap, double most, const axis *best)
{
    const double deep = best->span.depth < (double)INFINITY ? best->span.depth : most;
    return scree_max(deep, 0.0) + gap + 1e-8 * size_of(a, b);
}

/* Searches bodies with few faces. 1: `best` is the least; 0: they are farther apart than the range;
 * -1: the distance is needed. */
static int least_of_few(const convex *a, const convex *b, double range, uint32_t side, sieve s[2],
                        axis *best)
{
    const double most = scree_min(depth_facing(a, b, SCREE_NONE), depth_facing(b, a, side));
    s[0].n = s[1].n = 0;
    sift_by_ball(a, b, most);
    sift_by_ball(b, a, most);
    if (!try_faces(a, b, 0, SCREE_NONE, range, best) || !try_faces(a, b, 1, side, range, best))
        return 0;
    const axis faces = *best;
    if (best->span.depth > 0.0 && side == SCREE_NONE) {
        try_edges(a, b, reach_of(a, b, 0.0, most, best), s, best);
        if (is_overlap(a, b, best))
            return 1;
    }
    *best = faces;
    return -1;
}

int axes_least(const convex *a, const convex *b, double range, uint32_t side, void *room, axis *out)
{
    const int many = has_many_faces(a->flat) || has_many_faces(b->flat);
    double most = 0.0;
    sieve s[2];
    out->span.depth = (double)INFINITY;
    const int known = many ? -1 : least_of_few(a, b, range, side, s, out);
    if (known >= 0)
        return known;
    const distance d = distance_of(a, b, range, 1e-15);
    if (d.state == DISTANCE_FAR) {
        out->span.normal = d.normal;
        return 0;
    }
    if (many) {
        most = sift_by_points(a, b, &d, room, s);
        if (!try_faces(a, b, 0, SCREE_NONE, range, out) || !try_faces(a, b, 1, side, range, out))
            return 0;
    }
    const double gap = d.state == DISTANCE_GAP ? d.gap : 0.0, slack = 1e-10 * size_of(a, b);
    try_edges(a, b, reach_of(a, b, gap, most, out), s, out);
    // For thin bodies the search may report a false gap: they overlap when no axis parts them. No
    // axis is left when they are apart next to a corner.
    const int apart = out->span.depth == (double)INFINITY || !(out->span.depth > slack);
    if (d.state == DISTANCE_GAP && apart && gap > -out->span.depth + slack) {
        out->span = (span){d.normal, -gap, d.on_a, d.on_b};
        out->type = AXIS_GAP;
        out->i = d.vertex[0];
        out->j = d.vertex[1];
    }
    return out->span.depth >= -range;
}
