// SPDX-License-Identifier: Apache-2.0
// Contacts of two polytopes: a face on a face has as many as the polygon that they share has corners.
/*
 * Idea     Where the faces that look at each other are within 15 degrees of parallel, every pair of
 *          features that can touch there is a contact of its own: a corner and the face under it,
 *          with the normal of that face; two edges that cross, with the normal across both. Each
 *          depth is then a function of the poses with its normal as gradient, so that a law of the
 *          depth has a potential, and each contact keeps its name while it lasts. Else the one
 *          contact of the least depth. None is deeper than that: deep in each other, a corner can be
 *          farther behind the face under it than the bodies would have to move; it counts at the
 *          contact of the least depth.
 * Stiffness  a law acts at each contact: a cube on a face is four times as stiff as one
 *          on a corner, and where a corner slides out over an edge, two crossings take
 *          its place. A step has to resolve the stiffest case.
 * Limits   corners and crossings closer than 1e-7 of the size count once.
 */
#include "graph.h"
#include "ridge.h"
#include "touch.h"

#define DEEPER 1e-12   /* part of the size: touches may be so much deeper than the least */
#define PARALLEL 1e-16 /* squared sine of sides that do not cross: corners are at sides */
#define NEARLY 1e-8    /* squared sine of nearly parallel sides */
#define LEANING 0.26   /* sine of 15 degrees: edges that lie along a face */

enum { MOST_UNDER = 128 };

/* Lists corners of c, with a depth of at least -range, that may be over face f of `of`, or up to
 * `more` away from it; ascending. SCREE_NONE: use all corners. */
static uint32_t corners_under(const convex *c, const convex *of, uint32_t f, double range,
                              double more, uint32_t list[MOST_UNDER])
{
    const uint32_t n = c->flat->graph ? convex_ring_size(of, f) : 0;
    const scree_vec q = corner(of, convex_ring(of, f, 0));
    double square = 0.0;
    for (uint32_t k = 1; k < n; k++) {
        const scree_vec d = scree_less(corner(of, convex_ring(of, f, k)), 1.0, q);
        square = scree_max(square, scree_dot(d, d));
    }
    if (n == 0)
        return SCREE_NONE;
    return graph_under(c, face_normal(of, f), q, range, sqrt(square) + more, list, MOST_UNDER);
}

void add_corners(const convex *a, const convex *b, uint32_t g, double range, double slack,
                 touches *out)
{
    const scree_vec n = face_normal(b, g);
    const double offset = face_offset(b, g);
    uint32_t list[MOST_UNDER];
    const uint32_t under = corners_under(a, b, g, range, slack, list);
    const uint32_t count = under == SCREE_NONE ? a->flat->n_vertices : under;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t v = under == SCREE_NONE ? k : list[k];
        const scree_vec p = corner(a, v);
        const double depth = offset - scree_dot(n, p);
        if (depth >= -range && convex_is_over(b, g, p, slack))
            add_touch(out, scree_scaled(-1.0, n), depth, scree_less(p, -0.5 * depth, n),
                      feature_of(TOUCH_CORNER, g, v));
    }
}

/* Is a corner at one that is a contact already? */
static int is_taken(const convex *a, const touches *out, uint32_t first, scree_vec p, double slack)
{
    for (uint32_t k = first; k < out->n; k++) {
        const scree_vec q = corner(a, feature_second(out->list[k].feature));
        const scree_vec d = scree_less(q, 1.0, p);
        const double along = scree_dot(d, out->list[k].normal);
        if (scree_dot(d, d) - along * along < slack * slack)
            return 1;
    }
    return 0;
}

/* Adds corners of b over face f of a, except those at corners of a that are contacts already. */
static void add_other_corners(const convex *a, const convex *b, uint32_t f, double range,
                              double slack, touches *out)
{
    const uint32_t n_before = out->n;
    const scree_vec n = face_normal(a, f);
    const double offset = face_offset(a, f);
    uint32_t list[MOST_UNDER];
    const uint32_t under = corners_under(b, a, f, range, slack, list);
    const uint32_t count = under == SCREE_NONE ? b->flat->n_vertices : under;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t v = under == SCREE_NONE ? k : list[k];
        const scree_vec p = corner(b, v);
        const double depth = offset - scree_dot(n, p);
        touches before = {out->list, n_before, n_before};
        if (depth >= -range && convex_is_over(a, f, p, slack) &&
            !is_taken(a, &before, 0, p, 4.0 * slack))
            add_touch(out, n, depth, scree_less(p, -0.5 * depth, n),
                      feature_of(TOUCH_OTHER_CORNER, f, v));
    }
}

uint32_t edge_between(const convex *c, uint32_t v, uint32_t w)
{
    const uint32_t low = v < w ? v : w, high = v < w ? w : v;
    const graph *g = c->flat->graph;
    const uint32_t first = g ? g->first[v] : 0, last = g ? g->first[v + 1] : 0;
    for (uint32_t k = first; k < last; k++)
        if (g->near[k] == w)
            return g->edge[k];
    for (uint32_t e = 0; e < c->flat->n_edges; e++) {
        const uint32_t i = c->flat->edges[e].from, j = c->flat->edges[e].to;
        if ((i < j ? i : j) == low && (i < j ? j : i) == high)
            return e;
    }
    return 0;
}

/* A side of a face: the edge from p to q. */
typedef struct side {
    scree_vec p, u;
    uint32_t v, w;
} side;

static side side_of(const convex *c, uint32_t f, uint32_t k)
{
    side s = {.v = convex_ring(c, f, k), .w = convex_ring(c, f, k + 1)};
    s.p = corner(c, s.v);
    s.u = scree_less(corner(c, s.w), 1.0, s.p);
    return s;
}

/* Adds the crossing of two sides, if it is away from the ends of both. */
static void add_crossing(const convex *a, const convex *b, const side *x, const side *y,
                         double range, double slack, scree_vec along, touches *out)
{
    scree_vec n = scree_cross(x->u, y->u);
    const scree_vec w = scree_less(y->p, 1.0, x->p);
    const double square = scree_dot(n, n);
    const double x2 = scree_dot(x->u, x->u), y2 = scree_dot(y->u, y->u);
    if (!(square > PARALLEL * x2 * y2))
        return;
    const double s = scree_dot(scree_cross(w, y->u), n) / square;
    const double t = scree_dot(scree_cross(w, x->u), n) / square;
    const double end_x = slack / sqrt(x2), end_y = slack / sqrt(y2);
    if (!(s > end_x && s < 1.0 - end_x && t > end_y && t < 1.0 - end_y))
        return;
    n = scree_scaled((scree_dot(n, along) < 0.0 ? -1.0 : 1.0) / sqrt(square), n);
    double depth = -scree_dot(n, w);
    const scree_vec at = middle_of(scree_less(x->p, -s, x->u), scree_less(y->p, -t, y->u));
    if (square <
        NEARLY * x2 * y2) // rounding turns n along both sides, which are long: here they are close
        depth =
            scree_dot(n, scree_less(scree_less(x->p, -s, x->u), 1.0, scree_less(y->p, -t, y->u)));
    if (depth < -range || scree_dot(n, along) < ALIGNED)
        return;
    add_touch(out, n, depth, at,
              feature_of(TOUCH_CROSSING, edge_between(a, x->v, x->w), edge_between(b, y->v, y->w)));
}

void drop_overlaps(const axis *least, uint32_t first, touches *out)
{
    if (least->span.depth >= 0.0)
        return;
    for (uint32_t k = first; k < out->n;)
        if (out->list[k].depth >= 0.0)
            out->list[k] = out->list[--out->n];
        else
            k++;
}

void add_faces(const convex *a, const convex *b, uint32_t f, uint32_t g, double range,
               const axis *best, touches *out)
{
    const double slack = BESIDE_FACE * size_of(a, b);
    const uint32_t first = out->n;
    add_corners(a, b, g, range, slack, out);
    add_other_corners(a, b, f, range, slack, out);
    for (uint32_t k = 0; k < convex_ring_size(a, f); k++) {
        const side x = side_of(a, f, k);
        for (uint32_t l = 0; l < convex_ring_size(b, g); l++) {
            const side y = side_of(b, g, l);
            add_crossing(a, b, &x, &y, range, slack, best->span.normal, out);
        }
    }
    drop_overlaps(best, first, out);
}

static uint64_t feature_of_axis(const axis *best)
{
    switch (best->type) {
    case AXIS_FACE_A:
        return feature_of(TOUCH_OTHER_CORNER, best->i, best->j);
    case AXIS_FACE_B:
        return feature_of(TOUCH_CORNER, best->j, best->i);
    case AXIS_EDGES:
        return feature_of(TOUCH_CROSSING, best->i, best->j);
    default:
        return feature_of(TOUCH_GAP, best->i, best->j);
    }
}

/* Adds the crossings of edge e, which lies along a face, with the sides of the face. */
static void add_edge(const convex *a, const convex *b, const axis *best, uint32_t e, double range,
                     double slack, touches *out)
{
    const int of_b = best->type == AXIS_FACE_B;
    const convex *face = of_b ? b : a, *other = of_b ? a : b;
    const uint32_t f = of_b ? best->j : best->i;
    const scree_vec up = face_normal(face, f);
    const edge *at = &other->flat->edges[e];
    const side x = {.p = corner(other, at->from),
                    .u = scree_less(corner(other, at->to), 1.0, corner(other, at->from)),
                    .v = at->from,
                    .w = at->to};
    if (fabs(scree_dot(x.u, up)) > LEANING * length_of(x.u))
        return;
    const edge placed = edge_of(other, e);
    if (!has_normal(&placed, scree_scaled(-1.0, up)))
        return;
    for (uint32_t k = 0; k < convex_ring_size(face, f); k++) {
        const side y = side_of(face, f, k);
        if (of_b)
            add_crossing(a, b, &x, &y, range, slack, best->span.normal, out);
        else
            add_crossing(a, b, &y, &x, range, slack, best->span.normal, out);
    }
}

/* Lists edges of c, which has few corners, with an end at a depth of at least -range under face f
 * of `of`; ascending. */
static uint32_t edges_of_few(const convex *c, const convex *of, uint32_t f, double range,
                             uint32_t list[2 * MOST_UNDER])
{
    const polytope *p = c->flat;
    const scree_vec n = face_normal(of, f);
    const double most = face_offset(of, f) + range + 1e-9 * c->radius;
    uint64_t in = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->n_vertices; v++)
        in |= (uint64_t)(scree_dot(n, corner(c, v)) <= most) << v;
    for (uint32_t e = 0; e < p->n_edges; e++)
        if ((in >> p->edges[e].from | in >> p->edges[e].to) & 1)
            list[count++] = e;
    return count;
}

/* Lists edges of c that may cross the sides of face f of `of`, ascending; SCREE_NONE: use all
 * edges. */
static uint32_t edges_under(const convex *c, const convex *of, uint32_t f, double range,
                            uint32_t list[2 * MOST_UNDER])
{
    uint32_t corners[MOST_UNDER], count = 0;
    const graph *g = c->flat->graph;
    if (!g && c->flat->n_vertices <= GRAPH_FEW)
        return edges_of_few(c, of, f, range, list);
    const uint32_t under =
        g ? corners_under(c, of, f, range, c->scale * g->longest, corners) : SCREE_NONE;
    if (under == SCREE_NONE)
        return SCREE_NONE;
    for (uint32_t k = 0; k < under; k++)
        for (uint32_t l = g->first[corners[k]]; l < g->first[corners[k] + 1]; l++)
            if (!graph_insert(list, &count, 2 * MOST_UNDER, g->edge[l]))
                return SCREE_NONE;
    return count;
}

/* Adds corners over a face on which no other face lies, and crossings of its sides with edges along
 * it. An edge that is nowhere below the face's plane has no crossing. */
static void add_edges(const convex *a, const convex *b, const axis *best, double range,
                      double slack, touches *out)
{
    const int of_b = best->type == AXIS_FACE_B;
    const convex *face = of_b ? b : a, *other = of_b ? a : b;
    const uint32_t f = of_b ? best->j : best->i, first = out->n;
    uint32_t list[2 * MOST_UNDER];
    if (of_b)
        add_corners(a, b, f, range, slack, out);
    else
        add_other_corners(a, b, f, range, slack, out);
    const uint32_t under = edges_under(other, face, f, range, list);
    const uint32_t count = under == SCREE_NONE ? other->flat->n_edges : under;
    for (uint32_t k = 0; k < count; k++)
        add_edge(a, b, best, under == SCREE_NONE ? k : list[k], range, slack, out);
    drop_overlaps(best, first, out);
}

/* Is the deepest corner behind a face over it? With parallel faces any corner is the deepest. */
static int faces_its_corner(const convex *a, const convex *b, const axis *best, double slack)
{
    return best->type == AXIS_FACE_A   ? convex_is_over(a, best->i, best->span.on_b, slack)
           : best->type == AXIS_FACE_B ? convex_is_over(b, best->j, best->span.on_a, slack)
                                       : 1;
}

/* Touches deeper than the least translation would leave another way before they reach their own
 * face: they get the least depth. The depth of each is then still a function of the poses with its
 * normal as gradient. */
static void cut_deeper(const axis *best, scree_vec at, double size, touches *out)
{
    for (uint32_t k = 0; k < out->n; k++) {
        touch *t = &out->list[k];
        if (!(t->depth > best->span.depth + DEEPER * size))
            continue;
        t->depth = best->span.depth;
        t->normal = best->span.normal;
        t->at = at;
    }
}

/* Adds the touch of the least depth, unless one is at its place. */
static void add_least(const convex *a, const convex *b, const axis *best, double slack,
                      touches *out)
{
    const uint64_t name = feature_of_axis(best);
    const double size = size_of(a, b);
    const scree_vec at = middle_of(best->span.on_a, best->span.on_b);
    uint32_t deepest = SCREE_NONE; // the deepest touch that is not deeper than the least
    for (uint32_t k = 0; k < out->n; k++) {
        const touch *t = &out->list[k];
        const scree_vec d = scree_less(t->at, 1.0, at);
        if (t->feature == name || scree_dot(d, d) < 16.0 * slack * slack) {
            cut_deeper(best, at, size, out);
            return;
        }
        if (t->depth <= best->span.depth + DEEPER * size &&
            (deepest == SCREE_NONE || t->depth > out->list[deepest].depth))
            deepest = k;
    }
    span points = best->span;
    const int over = faces_its_corner(a, b, best, slack);
    if (deepest != SCREE_NONE && !over) {
        cut_deeper(best, out->list[deepest].at, size, out);
        return;
    }
    if (!over) // an edge along the face; its ends are not over the face
        ridge_points(a, b, &points);
    cut_deeper(best, middle_of(points.on_a, points.on_b), size, out);
    add_touch(out, best->span.normal, best->span.depth, middle_of(points.on_a, points.on_b), name);
}

void touch_polytopes(const convex *a, const convex *b, double range, const axis *best, touches *out)
{
    const scree_vec n = best->span.normal;
    const uint32_t f = convex_facing(a, n), g = convex_facing(b, scree_scaled(-1.0, n));
    const double slack = BESIDE_FACE * size_of(a, b);
    const int on_face = scree_dot(face_normal(a, f), face_normal(b, g)) < -ALIGNED;
    if (on_face && best->type != AXIS_GAP)
        add_faces(a, b, f, g, range, best, out);
    else if (best->type == AXIS_FACE_B || best->type == AXIS_FACE_A)
        add_edges(a, b, best, range, slack, out);
    add_least(a, b, best, slack, out);
}

static int order(const touch *x, const touch *y)
{
    return x->feature != y->feature ? x->feature < y->feature : x->depth > y->depth;
}

void tidy(touches *t, double range)
{
    uint32_t n = 0, deepest = 0;
    for (uint32_t k = 1; k < t->n; k++) {
        const touch one = t->list[k];
        uint32_t at = k;
        for (; at > 0 && order(&one, &t->list[at - 1]); at--)
            t->list[at] = t->list[at - 1];
        t->list[at] = one;
    }
    for (uint32_t k = 1; k < t->n; k++)
        deepest = t->list[k].depth > t->list[deepest].depth ? k : deepest;
    const touch last = t->n ? t->list[deepest] : (touch){.depth = 0.0};
    if (t->n && last.depth < -range) { // a pair that is kept
        t->list[0] = last;
        t->n = 1;
        return;
    }
    for (uint32_t k = 0; k < t->n; k++)
        if (t->list[k].depth >= -range && (n == 0 || t->list[k].feature != t->list[n - 1].feature))
            t->list[n++] = t->list[k];
    t->n = n;
}
