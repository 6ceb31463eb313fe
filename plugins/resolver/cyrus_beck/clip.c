// SPDX-License-Identifier: Apache-2.0
/*
 * clip: the points in which two convex polyhedra touch.
 *
 * Sources  [1] I. E. Sutherland, G. W. Hodgman, Reentrant polygon clipping, Communications of the ACM 17,
 *              1974, 32; as Cyrus and Beck, each side of the face is a half-space.
 * Idea     The face whose plane parts the bodies is the reference face. The most opposite face of
 *          the other body is cut to the sides of the reference face; its remaining points below the
 *          plane touch. Two edges touch in one point, the middle of their closest points.
 * Normals  Each point has the normal of its own features, which is the gradient of its depth: a
 *          vertex has the normal of the other body's face, a crossing the normal across both edges.
 *          On parallel faces they are the same.
 * Names    a corner of the remaining polygon lies between two lines, each an edge of the one or the
 *          other body: two of one body are its vertex, one of each their crossing. So a point keeps
 *          its name whichever of the two faces is the one of reference.
 */
#include "polyhedra.h"

static const double NEAR =
    0.90630778703664996; // [-] cosine of 25 degrees: faces that lie on each other

/* A corner of a polygon, and the edge that leaves it. */
typedef struct point {
    scree_vec x; // [m] in the frame of a
    uint32_t edge, vertex;
    int32_t own; // 1: the edge is of the incident body, 0: of the other one
    int32_t at;  // 1: `vertex` of the incident body is here
} point;

typedef struct clipper {
    cyrus_pair *pair;
    const cyrus_polyhedron *reference, *incident;
    uint32_t kind;
    point *now, *next; // [n]
    uint32_t n;
} clipper;

static scree_vec vertex_at(const cyrus_pair *pair, uint32_t side, uint32_t v)
{
    return side ? scree_vec_at((const double *const *)pair->vb, v) : cyrus_vertex(pair->a, v);
}

static scree_vec normal_at(const cyrus_pair *pair, uint32_t side, uint32_t f)
{
    const scree_vec n = cyrus_normal(side ? pair->b : pair->a, f);
    return side ? scree_scaled(1.0 / pair->ratio, solid_mul(&pair->m, n)) : n;
}

/* The face most opposite to n. */
static uint32_t find_incident(const clipper *c, scree_vec n)
{
    double least = HUGE_VAL;
    uint32_t at = 0;
    for (uint32_t f = 0; f < c->incident->n_faces; f++) {
        const double cosine = scree_dot(normal_at(c->pair, !c->kind, f), n);
        at = cosine < least ? f : at;
        least = scree_min(cosine, least);
    }
    return at;
}

static void begin(clipper *c, uint32_t f)
{
    c->n = 0;
    for (uint32_t k = c->incident->first[f]; k < c->incident->first[f + 1]; k++) {
        const uint32_t v = c->incident->corner[k];
        c->now[c->n++] = (point){vertex_at(c->pair, !c->kind, v), c->incident->side[k], v, 1, 1};
    }
}

/* Keeps the part on the inner side of a line; the line has the edge of this number. */
static void cut(clipper *c, scree_vec from, scree_vec inward, uint32_t edge)
{
    uint32_t m = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        const point *p = &c->now[k], *q = &c->now[k + 1 < c->n ? k + 1 : 0];
        const double g = scree_dot(scree_less(p->x, 1.0, from), inward);
        const double h = scree_dot(scree_less(q->x, 1.0, from), inward);
        if (g >= 0.0)
            c->next[m++] = *p;
        if ((g >= 0.0) == (h >= 0.0))
            continue;
        const scree_vec x = scree_less(p->x, -g / (g - h), scree_less(q->x, 1.0, p->x));
        // Going out, the line of the cut leaves the new corner; coming in, the old edge goes on.
        c->next[m++] = g >= 0.0 ? (point){x, edge, 0, 0, 0} : (point){x, p->edge, 0, p->own, 0};
    }
    point *keep = c->now;
    c->now = c->next;
    c->next = keep;
    c->n = m;
}

static void cut_all(clipper *c, uint32_t f, scree_vec n)
{
    const cyrus_polyhedron *r = c->reference;
    for (uint32_t k = r->first[f]; k < r->first[f + 1]; k++) {
        const uint32_t last = k + 1 < r->first[f + 1] ? k + 1 : r->first[f];
        const scree_vec from = vertex_at(c->pair, c->kind, r->corner[k]);
        const scree_vec along = scree_less(vertex_at(c->pair, c->kind, r->corner[last]), 1.0, from);
        c->pair->tests += c->n;
        cut(c, from, scree_cross(n, along), r->side[k]);
    }
}

/* The vertex that two edges share, or SCREE_NONE. */
static uint32_t shared(const cyrus_polyhedron *p, uint32_t e, uint32_t f)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (p->edge[e][i] == p->edge[f][j])
                return p->edge[e][i];
    return SCREE_NONE;
}

/* Features that meet in a corner: a vertex of one of the bodies, or an edge of each. */
typedef struct meeting {
    int32_t edges, found; // 0: two lines that do not meet (rounding)
    uint32_t vertex, side;
    uint32_t a, b; // edges
} meeting;

static meeting meeting_at(const clipper *c, uint32_t k)
{
    const point *out = &c->now[k], *in = &c->now[k > 0 ? k - 1 : c->n - 1];
    if (out->at)
        return (meeting){.found = 1, .vertex = out->vertex, .side = !c->kind};
    if (in->own != out->own) {
        const uint32_t incident = in->own ? in->edge : out->edge;
        const uint32_t reference = in->own ? out->edge : in->edge;
        return (meeting){.edges = 1,
                         .found = 1,
                         .a = c->kind ? incident : reference,
                         .b = c->kind ? reference : incident};
    }
    const uint32_t v = shared(in->own ? c->incident : c->reference, in->edge, out->edge);
    return (meeting){.found = v != SCREE_NONE, .vertex = v, .side = in->own ? !c->kind : c->kind};
}

static solid_touch touch_of(const cyrus_pair *pair, scree_vec middle, scree_vec normal,
                            double depth, uint64_t name)
{
    return (solid_touch){
        .depth = depth * pair->scale,
        .normal = solid_mul(&pair->turn, normal),
        .at = solid_mul(&pair->turn, scree_scaled(pair->scale, middle)),
        .feature = name,
    };
}

/* Touch in the middle of the closest points of the lines of two edges. */
static solid_touch touch_edges(const cyrus_pair *pair, const cyrus_axis *axis)
{
    const uint32_t *ea = pair->a->edge[axis->first], *eb = pair->b->edge[axis->second];
    const scree_vec p = vertex_at(pair, 0, ea[0]), q = vertex_at(pair, 1, eb[0]);
    const scree_vec u = scree_less(vertex_at(pair, 0, ea[1]), 1.0, p);
    const scree_vec v = scree_less(vertex_at(pair, 1, eb[1]), 1.0, q);
    const scree_vec w = scree_less(q, 1.0, p);
    const double uu = scree_dot(u, u), vv = scree_dot(v, v), uv = scree_dot(u, v);
    const double square = uu * vv - uv * uv;
    const double s = (scree_dot(w, u) * vv - scree_dot(w, v) * uv) / square;
    const double t = (scree_dot(w, u) * uv - scree_dot(w, v) * uu) / square;
    const scree_vec middle =
        scree_scaled(0.5, scree_sum(scree_less(p, -s, u), scree_less(q, -t, v)));
    return touch_of(pair, middle, axis->normal, axis->depth,
                    cyrus_name_edges(pair->b, axis->first, axis->second));
}

/* A vertex behind face f of the other body. */
static solid_touch touch_vertex(const cyrus_pair *pair, uint32_t vertex, uint32_t side, uint32_t f)
{
    const cyrus_polyhedron *other = side ? pair->a : pair->b;
    const scree_vec n = normal_at(pair, !side, f), x = vertex_at(pair, side, vertex);
    const scree_vec on = vertex_at(pair, !side, other->corner[other->first[f]]);
    const double depth = -scree_dot(scree_less(x, 1.0, on), n);
    return touch_of(pair, scree_less(x, -0.5 * depth, n), scree_scaled(side ? 1.0 : -1.0, n), depth,
                    cyrus_name_vertex(vertex, side));
}

/* Touch of two edges, along the normal across both on the side of n; its depth is -1 when no such
 * normal is near n. */
static solid_touch touch_crossing(const cyrus_pair *pair, const meeting *m, scree_vec n)
{
    const uint32_t *ea = pair->a->edge[m->a], *eb = pair->b->edge[m->b];
    const scree_vec p = vertex_at(pair, 0, ea[0]), q = vertex_at(pair, 1, eb[0]);
    const scree_vec across = solid_unit(scree_cross(scree_less(vertex_at(pair, 0, ea[1]), 1.0, p),
                                                    scree_less(vertex_at(pair, 1, eb[1]), 1.0, q)));
    cyrus_axis axis = {.kind = 2, .first = m->a, .second = m->b};
    axis.normal = scree_dot(across, n) < 0.0 ? scree_scaled(-1.0, across) : across;
    axis.depth = -scree_dot(axis.normal, scree_less(q, 1.0, p));
    if (scree_dot(axis.normal, n) < NEAR)
        return (solid_touch){.depth = -1.0};
    return touch_edges(pair, &axis);
}

static uint32_t touch_faces(cyrus_pair *pair, const cyrus_axis *axis, solid_touch *out)
{
    point *room = (point *)(void *)(out + cyrus_most_touches(pair->a, pair->b));
    clipper c = {.pair = pair,
                 .reference = axis->kind ? pair->b : pair->a,
                 .incident = axis->kind ? pair->a : pair->b,
                 .kind = axis->kind,
                 .now = room,
                 .next = room + cyrus_most_touches(pair->a, pair->b)};
    const scree_vec n = normal_at(pair, axis->kind, axis->first);
    const uint32_t incident = find_incident(&c, n);
    const int parallel = scree_dot(normal_at(pair, !axis->kind, incident), n) < -NEAR;
    uint32_t n_touches = 0;
    begin(&c, incident);
    cut_all(&c, axis->first, n);
    for (uint32_t k = 0; k < c.n; k++) {
        const meeting m = meeting_at(&c, k);
        const int own = m.side != axis->kind; // a vertex of the incident body
        if (!m.found || (!parallel && (m.edges || !own)))
            continue;
        out[n_touches] = m.edges
                             ? touch_crossing(pair, &m, axis->normal)
                             : touch_vertex(pair, m.vertex, m.side, own ? axis->first : incident);
        n_touches += out[n_touches].depth >= 0.0;
    }
    return n_touches;
}

/* Touch of the deepest vertex when the cut face does not hold it. */
static solid_touch touch_deepest(const cyrus_pair *pair, const cyrus_axis *axis)
{
    const uint32_t side = !axis->kind, n = side ? pair->b->n_vertices : pair->a->n_vertices;
    const scree_vec outward = scree_scaled(side ? 1.0 : -1.0, axis->normal);
    double least = HUGE_VAL;
    uint32_t at = 0;
    for (uint32_t v = 0; v < n; v++) {
        const double height = scree_dot(vertex_at(pair, side, v), outward);
        at = height < least ? v : at;
        least = scree_min(height, least);
    }
    const scree_vec middle = scree_less(vertex_at(pair, side, at), -0.5 * axis->depth, outward);
    return touch_of(pair, middle, axis->normal, axis->depth, cyrus_name_vertex(at, side));
}

uint32_t cyrus_touches(cyrus_pair *pair, const cyrus_axis *axis, solid_touch *out)
{
    if (axis->kind == 2) {
        out[0] = touch_edges(pair, axis);
        return 1;
    }
    const uint32_t n = touch_faces(pair, axis, out);
    double deepest = -HUGE_VAL;
    for (uint32_t k = 0; k < n; k++)
        deepest = scree_max(out[k].depth, deepest);
    if (deepest >= (axis->depth - 1e-9 * pair->size) * pair->scale)
        return n;
    // The deepest vertex is outside the cut face, or belongs to another face.
    const solid_touch deep = touch_deepest(pair, axis);
    uint32_t m = 0;
    for (uint32_t k = 0; k < n; k++)
        if (out[k].feature != deep.feature)
            out[m++] = out[k];
    out[m++] = deep;
    return m;
}

/* Vertices of a feature: its own, or the ends of its two edges. */
static int has_edge_at(const cyrus_polyhedron *p, uint64_t edge, uint64_t vertex)
{
    return edge < p->n_edges && (p->edge[edge][0] == vertex || p->edge[edge][1] == vertex);
}

static int are_ends(const cyrus_polyhedron *p, uint64_t v, uint64_t w)
{
    for (uint32_t e = 0; e < p->n_edges; e++)
        if (has_edge_at(p, e, v) && has_edge_at(p, e, w))
            return 1;
    return 0;
}

int32_t cyrus_adjoins(const cyrus_polyhedron *a, const cyrus_polyhedron *b, uint64_t feature,
                      uint64_t other)
{
    const uint64_t kind[2] = {feature % 4, other % 4}, at[2] = {feature / 4, other / 4};
    if (b->n_edges == 0)
        return 0;
    if (kind[0] == 2 && kind[1] == 2)
        return at[0] / b->n_edges == at[1] / b->n_edges || at[0] % b->n_edges == at[1] % b->n_edges;
    if (kind[0] == 2 || kind[1] == 2) {
        const int edges = kind[0] == 2 ? 0 : 1;
        const uint64_t pair = at[edges], vertex = at[!edges];
        return kind[!edges] ? has_edge_at(b, pair % b->n_edges, vertex)
                            : has_edge_at(a, pair / b->n_edges, vertex);
    }
    return kind[0] != kind[1] || are_ends(kind[0] ? b : a, at[0], at[1]);
}
