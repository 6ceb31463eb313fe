// SPDX-License-Identifier: Apache-2.0
// Convex bodies against facets, which have two sides.
/*
 * Idea     A facet is a flat polytope with two faces; only the face towards the body's centre is
 *          used. The search for the direction of the least overlap is the same as for two bodies.
 *          Edges between facets need a rule: no body touches a flat or concave edge; a body touches
 *          a convex edge only along directions between the normals of both facets. If the direction
 *          that was found is not among the normals of its feature, and the body is over the face,
 *          the face's normal replaces it.
 * Touches  polytope on a face    corners of the polytope that are over the facet. If a face of
 *                                the polytope is flat on the facet: also the wall's corners in this
 *                                face, and the crossings of the face's edges with open and convex
 *                                edges of the wall
 *          round body on a face  its deepest point
 *          at an edge or corner  one touch
 * Patches  A touch on a face has the name of the patch, so that bodies do not feel the seams
 *          between the facets of a patch. Where the face touches, touches at its edges and corners
 *          are dropped.
 */
#include "wall.h"

#include "spread.h"

#define NARROW 1e-9         /* sine by which a direction may miss the normals of a feature */
#define SHALLOW 0.05        /* part of the size: an overlap with a face that needs no search */
#define ROUNDED 1e-11       /* part of the size: depths that may be equal up to rounding */
#define DROPPED 0x80000000u /* mark of a touch whose facet ahead replaces it */
#define STRAIGHT 1e-6       /* tangent of the angle between parts of one straight edge */
#define LEVEL 1e-9          /* part of the size: corners equally far along a direction */

/* ---- the wall ---- */

/* The neighbour's side at side s of facet f, as 4 facet + side; SCREE_NONE: it has none. */
static uint32_t opposite(const scree_mesh *m, uint32_t f, uint32_t s)
{
    const uint32_t g = m->neighbour[4 * (uint64_t)f + s];
    const uint32_t n = g == SCREE_NONE ? 0 : sides_of(m, g);
    for (uint32_t k = 0; k < n; k++)
        if (m->neighbour[4 * (uint64_t)g + k] == f && at_side(m, g, k) == at_side(m, f, s + 1))
            return 4 * g + k;
    return SCREE_NONE;
}

static uint32_t root_of(uint32_t *patch, uint32_t f)
{
    for (; patch[f] != f; f = patch[f])
        patch[f] = patch[patch[f]];
    return f;
}

static void measure_sides(wall *w, uint32_t f)
{
    const scree_mesh *m = w->mesh;
    const scree_vec p = vertex_of(m, at_side(m, f, 0));
    const scree_vec u = scree_less(vertex_of(m, at_side(m, f, 1)), 1.0, p);
    w->normal[f] = unit_of(scree_cross(u, scree_less(vertex_of(m, at_side(m, f, 2)), 1.0, p)));
    for (uint32_t s = 0; s < sides_of(m, f); s++) {
        const scree_vec from = vertex_of(m, at_side(m, f, s));
        const scree_vec along = scree_less(vertex_of(m, at_side(m, f, s + 1)), 1.0, from);
        const uint64_t at = 4 * (uint64_t)f + s;
        const uint32_t other = opposite(m, f, s);
        w->inward[at] = unit_of(scree_cross(w->normal[f], along));
        w->edge[at] = other < at ? other : (uint32_t)at;
    }
}

static void list_around(wall *w)
{
    const scree_mesh *m = w->mesh;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < sides_of(m, f); s++)
            w->first[at_side(m, f, s) + 1]++;
    for (uint32_t v = 0; v < m->n_vertices; v++)
        w->first[v + 1] += w->first[v];
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < sides_of(m, f); s++)
            w->around[w->first[at_side(m, f, s)]++] = f;
    for (uint32_t v = m->n_vertices; v > 0; v--)
        w->first[v] = w->first[v - 1];
    w->first[0] = 0;
}

/* 0: another edge continues edge `at` straight beyond its end v. */
static int edge_ends(const wall *w, uint32_t at, uint32_t v)
{
    const scree_mesh *m = w->mesh;
    const uint32_t from = at_side(m, at / 4, at % 4), to = at_side(m, at / 4, at % 4 + 1);
    const scree_vec p = vertex_of(m, v),
                    way = unit_of(scree_less(vertex_of(m, from == v ? to : from), 1.0, p));
    for (uint32_t k = w->first[v]; k < w->first[v + 1]; k++) {
        const uint32_t f = w->around[k], n = sides_of(m, f);
        for (uint32_t s = 0; s < n; s++) {
            const uint32_t i = at_side(m, f, s), j = at_side(m, f, s + 1);
            if (is_flat(w, 4 * f + s) || (i != v && j != v))
                continue;
            const scree_vec d = scree_less(vertex_of(m, i == v ? j : i), 1.0, p);
            if (length_of(scree_cross(d, way)) < -STRAIGHT * scree_dot(d, way))
                return 0;
        }
    }
    return 1;
}

/* A corner is a vertex where an edge that is not flat ends. */
static void find_corners(wall *w)
{
    const scree_mesh *m = w->mesh;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < sides_of(m, f); s++)
            for (uint32_t e = s; e <= s + 1 && !is_flat(w, 4 * f + s); e++) {
                const uint32_t v = at_side(m, f, e);
                w->is_corner[v] |= (uint8_t)edge_ends(w, 4 * f + s, v);
            }
}

wall *wall_new(const scree_mesh *mesh)
{
    const uint64_t f = mesh->n_facets, v = mesh->n_vertices;
    const uint64_t bytes =
        sizeof(wall) + 5 * f * sizeof(scree_vec) + (9 * f + v + 2) * sizeof(uint32_t) + v;
    wall *w = calloc(1, bytes);
    if (!w)
        return NULL;
    w->mesh = mesh;
    w->bytes = bytes;
    w->normal = (scree_vec *)(void *)(w + 1);
    w->inward = w->normal + f;
    w->patch = (uint32_t *)(void *)(w->inward + 4 * f);
    w->edge = w->patch + f;
    w->around = w->edge + 4 * f;
    w->first = w->around + 4 * f;
    w->is_corner = (uint8_t *)(w->first + v + 2);
    for (uint32_t k = 0; k < mesh->n_facets; k++) {
        measure_sides(w, k);
        w->patch[k] = k;
    }
    for (uint32_t k = 0; k < mesh->n_facets; k++)
        for (uint32_t s = 0; s < sides_of(mesh, k); s++) {
            const uint32_t other = mesh->neighbour[4 * (uint64_t)k + s];
            if (mesh->edge[4 * (uint64_t)k + s] != SCREE_EDGE_FLAT || other == SCREE_NONE)
                continue;
            const uint32_t a = root_of(w->patch, k), b = root_of(w->patch, other);
            w->patch[a > b ? a : b] = a < b ? a : b;
        }
    for (uint32_t k = 0; k < mesh->n_facets; k++)
        w->patch[k] = root_of(w->patch, k);
    list_around(w);
    find_corners(w);
    return w;
}

void wall_free(wall *w)
{
    free(w);
}

/* ---- features and their normals ---- */

int wall_edge_allows(const wall *w, uint32_t at, scree_vec m)
{
    const uint32_t other = opposite(w->mesh, at / 4, at % 4);
    return scree_dot(w->inward[at], m) <= NARROW &&
           (other == SCREE_NONE || scree_dot(w->inward[other], m) <= NARROW);
}

/* The facet of another patch that reaches farther along m than facet `facet` at its feature; the
 * least overlap is with that facet. SCREE_NONE: with none. `on_edge`: the feature is side
 * `side`, else that corner. */
static uint32_t facet_ahead(const wall *w, uint32_t facet, int on_edge, uint32_t side, scree_vec m)
{
    const scree_mesh *mesh = w->mesh;
    const uint32_t v = at_side(mesh, facet, side), at = 4 * facet + side;
    if (on_edge) {
        const uint32_t other = is_flat(w, at) ? SCREE_NONE : opposite(mesh, facet, side);
        return other != SCREE_NONE && scree_dot(w->inward[other], m) > NARROW ? other / 4
                                                                              : SCREE_NONE;
    }
    for (uint32_t k = w->first[v]; k < w->first[v + 1]; k++) {
        const uint32_t f = w->around[k], n = sides_of(mesh, f);
        for (uint32_t s = 0; w->patch[f] != w->patch[facet] && s < n; s++) {
            const uint32_t i = at_side(mesh, f, s), j = at_side(mesh, f, s + 1);
            if ((i != v && j != v) || is_flat(w, 4 * f + s))
                continue;
            const scree_vec d =
                scree_less(vertex_of(mesh, i == v ? j : i), 1.0, vertex_of(mesh, v));
            if (scree_dot(d, m) > NARROW * length_of(d))
                return f;
        }
    }
    return SCREE_NONE;
}

int wall_vertex_is_nearest(const wall *w, uint32_t v, scree_vec m)
{
    const scree_mesh *mesh = w->mesh;
    for (uint32_t k = w->first[v]; k < w->first[v + 1]; k++) {
        const uint32_t f = w->around[k], n = sides_of(mesh, f);
        for (uint32_t s = 0; s < n; s++) {
            if (at_side(mesh, f, s) != v && at_side(mesh, f, s + 1) != v)
                continue;
            const uint32_t u =
                at_side(mesh, f, s) == v ? at_side(mesh, f, s + 1) : at_side(mesh, f, s);
            const scree_vec d = scree_less(vertex_of(mesh, u), 1.0, vertex_of(mesh, v));
            if (scree_dot(d, m) > NARROW * length_of(d))
                return 0;
        }
    }
    return 1;
}

int wall_vertex_allows(const wall *w, uint32_t v, scree_vec m)
{
    return w->is_corner[v] && wall_vertex_is_nearest(w, v, m);
}

/* ---- a facet as a polytope ---- */

typedef struct room {
    polytope shape;
    double vertex[3][CONVEX_LANES];
    uint32_t first[3], ring[8];
    edge edges[4];
    scree_vec normal[2];
    double offset[2];
    uint32_t list[4];
    uint64_t search[]; /* memory of least_span() */
} room;

uint64_t wall_bytes(void)
{
    return sizeof(room) + least_bytes();
}

static convex facet_at(const placed_wall *w, uint32_t f, room *r)
{
    const scree_mesh *m = w->of->mesh;
    const uint32_t n = sides_of(m, f);
    convex c = {.flat = &r->shape,
                .normal = r->normal,
                .offset = r->offset,
                .edges = r->edges,
                .list = r->list,
                .vertex = {r->vertex[0], r->vertex[1], r->vertex[2]}};
    r->shape = (polytope){.n_vertices = n,
                          .n_faces = 2,
                          .n_edges = n,
                          .flat = 1,
                          .first = r->first,
                          .ring = r->ring,
                          .edges = r->edges};
    r->first[0] = 0;
    r->first[1] = n;
    r->first[2] = 2 * n;
    for (uint32_t s = 0; s < n; s++) {
        const scree_vec p = vertex_of(m, at_side(m, f, s));
        const scree_vec x = scree_less(w->origin, -w->scale, to_world(w, p));
        r->ring[s] = s;
        r->ring[2 * n - 1 - s] = s;
        const uint32_t last = s + 1 < n ? s : CONVEX_LANES - 1;
        for (uint32_t v = s; v <= last; v++) {
            r->vertex[0][v] = x.x;
            r->vertex[1][v] = x.y;
            r->vertex[2][v] = x.z;
        }
        c.centre = scree_less(c.centre, -1.0 / n, x);
        const scree_vec out = to_world(w, w->of->inward[4 * (uint64_t)f + s]);
        r->edges[s] = (edge){.from = s, .to = (s + 1) % n, .face = {0, 1}};
        r->edges[s].side[0] = r->edges[s].side[1] = scree_scaled(-1.0, out);
    }
    for (uint32_t s = 0; s < n; s++)
        c.radius = scree_max(c.radius, length_of(scree_less(corner(&c, s), 1.0, c.centre)));
    r->normal[0] = to_world(w, w->of->normal[f]);
    r->normal[1] = scree_scaled(-1.0, r->normal[0]);
    r->offset[0] = scree_dot(r->normal[0], corner(&c, 0));
    r->offset[1] = -r->offset[0];
    return c;
}

/* ---- touches ---- */

/* The number of corners of a facet that are farthest along m; *side: of an edge, or the corner. */
static uint32_t farthest_feature(const convex *c, scree_vec m, double level, uint32_t *side)
{
    const uint32_t n = c->flat->n_vertices;
    double most = -(double)INFINITY;
    uint32_t count = 0;
    int in[4];
    for (uint32_t v = 0; v < n; v++)
        most = scree_max(most, scree_dot(m, corner(c, v)));
    for (uint32_t v = 0; v < n; v++) {
        in[v] = scree_dot(m, corner(c, v)) >= most - level;
        count += (uint32_t)in[v];
        *side = in[v] ? v : *side;
    }
    const uint32_t corners = count == 2 ? n : 0;
    for (uint32_t v = 0; v < corners; v++)
        *side = in[v] && in[(v + 1) % n] ? v : *side;
    return count;
}

/* Keeps corners of the wall in face f of the body, and crossings with edges that can be touched. */
static void filter_faces(const placed_wall *w, uint32_t facet, scree_vec up, uint32_t first,
                         touches *out)
{
    const wall *of = w->of;
    uint32_t n = first;
    for (uint32_t k = first; k < out->n; k++) {
        touch t = out->list[k];
        const uint32_t type = feature_type(t.feature), i = feature_first(t.feature),
                       j = feature_second(t.feature);
        int keep = 1;
        if (type == TOUCH_CORNER) {
            t.feature = feature_of(type, of->patch[facet], j);
        } else if (type == TOUCH_OTHER_CORNER) {
            const uint32_t v = at_side(of->mesh, facet, j);
            keep = wall_vertex_allows(of, v, up);
            t.feature = feature_of(type, v, i);
        } else {
            const uint32_t at = 4 * facet + j;
            keep = !is_flat(of, at) && wall_edge_allows(of, at, up);
            t.feature = feature_of(type, of->edge[at], i);
        }
        t.facet = facet;
        out->list[n] = t;
        n += (uint32_t)keep;
    }
    out->n = n;
}

/* A cylinder or capsule whose mantle lies along the facet: adds the ends of the part over it. An
 * end at a side does not count if other facets continue there in the same plane. */
static void add_bar(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                    uint32_t side, double range, const scree_vec end[2], touches *out)
{
    const scree_vec up = c->normal[side], way = scree_less(end[1], 1.0, end[0]);
    double at[2] = {0.0, 1.0};
    int real[2] = {1, 1};
    for (uint32_t s = 0; s < c->flat->n_edges; s++) {
        const scree_vec in = scree_scaled(-1.0, c->edges[s].side[0]),
                        from = corner(c, c->edges[s].from);
        const double height =
            scree_dot(in, scree_less(end[0], 1.0, from)) + BESIDE_FACE * a->radius;
        const double slope = scree_dot(in, way);
        const int far = slope < 0.0; // which end it cuts
        const double cut = slope != 0.0 ? -height / slope : height < 0.0 ? 2.0 : far;
        if (far ? cut < at[1] : cut > at[0]) {
            at[far] = cut;
            real[far] = !is_flat(w->of, 4 * facet + s);
        }
    }
    for (uint32_t k = 0; k < 2 && at[0] <= at[1]; k++) {
        const scree_vec p = scree_less(end[0], -at[k], way);
        const double depth = c->offset[side] - scree_dot(up, p);
        const uint32_t n = out->n;
        if (!real[k] || depth < -range)
            continue;
        add_touch(out, scree_scaled(-1.0, up), depth, scree_less(p, -0.5 * depth, up),
                  feature_of(TOUCH_CORNER, w->of->patch[facet], 1 + 4 * k));
        if (out->n > n)
            out->list[n].facet = facet;
    }
}

/* Adds points of a cylinder or capsule over the facet. */
static void add_spread(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                       uint32_t side, double range, touches *out)
{
    const scree_vec down = scree_scaled(-1.0, c->normal[side]);
    scree_vec points[SPREAD_POINTS], end[2];
    uint32_t numbers[SPREAD_POINTS];
    const uint32_t n = spread_points(a, down, -c->offset[side], points, numbers);
    if (spread_line(a, down, end)) {
        add_bar(a, c, w, facet, side, range, end, out);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double depth = scree_dot(down, points[k]) + c->offset[side];
        const uint32_t before = out->n;
        if (depth < -range || !convex_is_over(c, side, points[k], BESIDE_FACE * a->radius))
            continue;
        add_touch(out, down, depth, scree_less(points[k], 0.5 * depth, down),
                  feature_of(TOUCH_CORNER, w->of->patch[facet], 1 + numbers[k]));
        if (out->n > before)
            out->list[before].facet = facet;
    }
}

/* Adds the touches of the body on side `side` of the facet. */
static void touch_face(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                       uint32_t side, double range, const axis *least, touches *out)
{
    const scree_vec up = c->normal[side], down = scree_scaled(-1.0, up);
    const double slack = BESIDE_FACE * a->radius;
    const uint32_t first = out->n;
    const span s = span_along(a, c, down);
    if (a->spread) {
        add_spread(a, c, w, facet, side, range, out);
        drop_overlaps(least, first, out);
        return;
    }
    if (!a->flat) {
        if (convex_is_over(c, side, s.on_a, slack))
            add_touch(out, down, s.depth, scree_less(s.on_a, 0.5 * s.depth, down),
                      feature_of(TOUCH_CORNER, w->of->patch[facet], 0));
        if (out->n > first)
            out->list[first].facet = facet;
        drop_overlaps(least, first, out);
        return;
    }
    const axis best = {.span = s};
    const uint32_t f = convex_facing(a, down);
    if (scree_dot(face_normal(a, f), down) > ALIGNED)
        add_faces(a, c, f, side, range, &best, out);
    else
        add_corners(a, c, side, range, slack, out);
    drop_overlaps(least, first, out);
    filter_faces(w, facet, to_wall(w, up), first, out);
}

/* Is the direction of the least overlap a normal of the facet's edge or corner there? *feature: its
 * name; *ahead: 1 + the facet, across that edge or corner, to which it belongs, or 0. */
static int touches_rim(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                       const axis *best, uint64_t *feature, uint32_t *ahead)
{
    const scree_vec m = scree_scaled(-1.0, best->span.normal), local = to_wall(w, m);
    uint32_t side = best->j, count = 2;
    if (!a->flat || best->type != AXIS_EDGES)
        count = farthest_feature(c, m, LEVEL * size_of(a, c), &side);
    *ahead = count > 2 ? 0 : 1 + facet_ahead(w->of, facet, count == 2, side, local);
    if (count > 2)
        return 0;
    if (count == 2) {
        const uint32_t at = 4 * facet + side;
        *feature = feature_of(TOUCH_EDGE, w->of->edge[at], 0);
        return !is_flat(w->of, at) && wall_edge_allows(w->of, at, local);
    }
    const uint32_t v = at_side(w->of->mesh, facet, side);
    *feature = feature_of(TOUCH_TIP, v, 0);
    return wall_vertex_allows(w->of, v, local);
}

/* A polytope at an edge or a corner of the facet. If a face of it lies on the facet, all touches of
 * that face count, as if the least overlap were with the facet: nothing changes when the body tips
 * over the edge. Otherwise both ends of the part over a face count. `feature`: that of the least
 * overlap, or 0 if the wall does not have its direction; then touch_face() is needed, too, and the
 * function returns 0. */
static int touch_rim(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                     uint32_t side, double range, const axis *best, uint64_t feature, touches *out)
{
    const scree_vec down = scree_scaled(-1.0, c->normal[side]);
    const uint32_t first = out->n;
    const int lies = scree_dot(best->span.normal, down) > ALIGNED &&
                     scree_dot(face_normal(a, convex_facing(a, down)), down) > ALIGNED;
    if (lies && feature)
        touch_face(a, c, w, facet, side, range, best, out);
    else if (!lies)
        wall_add_ends(a, c, w, facet, range, best, out);
    if (!feature)
        return 0;
    for (uint32_t k = first; k < out->n; k++)
        if (out->list[k].depth > best->span.depth - ROUNDED * size_of(a, c))
            return 1;
    const uint32_t of_wall = feature_first(feature);
    if (lies) // it counts like the touches with the face
        feature = feature_type(feature) == TOUCH_EDGE
                      ? feature_of(TOUCH_CROSSING, of_wall, best->i)
                      : feature_of(TOUCH_OTHER_CORNER, of_wall, best->i);
    add_wall_touch(out, best->span.normal, best->span.depth,
                   middle_of(best->span.on_a, best->span.on_b), feature, facet);
    return 1;
}

/* Is the deepest point of a round body over the facet, and farther from every edge that bodies
 * touch than its depth? Then that depth is the least. */
static int is_plain(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                    uint32_t side, scree_vec p, double depth)
{
    if (a->flat || depth > SHALLOW * size_of(a, c) || !convex_is_over(c, side, p, 0.0))
        return 0;
    for (uint32_t s = 0; s < c->flat->n_edges; s++) {
        const scree_vec off = scree_less(corner(c, s), 1.0, p);
        if (!is_flat(w->of, 4 * facet + s) && scree_dot(off, c->edges[s].side[0]) < depth)
            return 0;
    }
    return 1;
}

void touch_facet(const convex *a, const placed_wall *w, uint32_t facet, double range, int any,
                 void *memory, touches *out)
{
    room *r = memory;
    const convex c = facet_at(w, facet, r);
    const uint32_t side = scree_dot(c.normal[0], a->centre) < c.offset[0];
    const scree_vec down = scree_scaled(-1.0, c.normal[side]);
    const scree_vec p = convex_farthest(a, down, NULL);
    const double most = scree_dot(down, p) + c.offset[side];
    axis best = {.type = AXIS_GAP};
    uint64_t feature = feature_of(TOUCH_CORNER, w->of->patch[facet], 0);
    if (most < -range)
        return;
    if (is_plain(a, &c, w, facet, side, p, most)) {
        best.span.depth = most;
        touch_face(a, &c, w, facet, side, range, &best, out);
        return;
    }
    if (a->flat ? !axes_least(a, &c, range, side, r->search, &best)
                : !least_span(a, &c, range, r->search, &best.span))
        return;
    const uint32_t first = out->n;
    uint32_t ahead = 0;
    const int on_face = scree_dot(best.span.normal, down) > 1.0 - 1e-14,
              on_rim = !on_face && touches_rim(a, &c, w, facet, &best, &feature, &ahead);
    if (!on_face && a->flat && best.type != AXIS_GAP &&
        touch_rim(a, &c, w, facet, side, range, &best, on_rim ? feature : 0, out))
        return;
    if (on_rim || any)
        add_wall_touch(out, best.span.normal, best.span.depth,
                       a->flat ? middle_of(best.span.on_a, best.span.on_b)
                               : span_point(a, &c, &best.span),
                       feature, facet);
    else
        touch_face(a, &c, w, facet, side, range, &best, out);
    const uint32_t other = on_rim || any ? 0 : ahead;
    for (uint32_t k = first; k < out->n; k++)
        out->list[k].ahead = other;
}

/* ---- reduction ---- */

static int is_on_face(const touch *t)
{
    return feature_type(t->feature) < TOUCH_EDGE;
}

/* Is the patch of a facet touched, by more than a gap if the edge overlaps? */
static int has_face(const wall *w, const touches *t, uint32_t facet, double depth)
{
    for (uint32_t k = 0; k < t->n; k++)
        if (is_on_face(&t->list[k]) && !(t->list[k].ahead & ~DROPPED) &&
            w->patch[t->list[k].facet] == w->patch[facet] &&
            (t->list[k].depth >= 0.0 || depth < 0.0))
            return 1;
    return 0;
}

static int is_beaten(const wall *w, const touches *t, const touch *one)
{
    const uint32_t number = feature_first(one->feature);
    if (is_on_face(one))
        return one->ahead && has_face(w, t, one->ahead - 1, one->depth);
    if (feature_type(one->feature) == TOUCH_EDGE) {
        const uint32_t other = opposite(w->mesh, number / 4, number % 4);
        return has_face(w, t, number / 4, one->depth) ||
               (other != SCREE_NONE && has_face(w, t, other / 4, one->depth));
    }
    for (uint32_t k = w->first[number]; k < w->first[number + 1]; k++)
        if (has_face(w, t, w->around[k], one->depth))
            return 1;
    for (uint32_t k = 0; k < t->n; k++) {
        const uint32_t at = feature_first(t->list[k].feature);
        if (feature_type(t->list[k].feature) == TOUCH_EDGE &&
            (at_side(w->mesh, at / 4, at % 4) == number ||
             at_side(w->mesh, at / 4, at % 4 + 1) == number))
            return 1;
    }
    return 0;
}

void reduce_touches(const wall *w, touches *t)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n; k++)
        t->list[k].ahead |= is_beaten(w, t, &t->list[k]) ? DROPPED : 0;
    for (uint32_t k = 0; k < t->n; k++) {
        t->list[n] = t->list[k];
        n += !(t->list[k].ahead & DROPPED);
    }
    t->n = n;
}

/* ---- history ---- */

/* Does a feature have vertex v of the wall? */
static int has_vertex(const wall *w, uint64_t feature, uint32_t v)
{
    const uint32_t type = feature_type(feature), number = feature_first(feature);
    if (type == TOUCH_TIP || type == TOUCH_OTHER_CORNER)
        return number == v;
    if (type == TOUCH_EDGE || type == TOUCH_CROSSING)
        return at_side(w->mesh, number / 4, number % 4) == v ||
               at_side(w->mesh, number / 4, number % 4 + 1) == v;
    for (uint32_t k = w->first[v]; k < w->first[v + 1]; k++)
        if (w->patch[w->around[k]] == number)
            return 1;
    return 0;
}

int wall_adjoins(const wall *w, uint64_t feature, uint64_t other)
{
    const uint32_t type = feature_type(feature), number = feature_first(feature);
    if (type == TOUCH_CORNER) {
        if (feature_type(other) == TOUCH_CORNER)
            return 0;
        return wall_adjoins(w, other, feature);
    }
    if (type == TOUCH_TIP || type == TOUCH_OTHER_CORNER)
        return number < w->mesh->n_vertices && has_vertex(w, other, number);
    return number < 4 * w->mesh->n_facets &&
           (has_vertex(w, other, at_side(w->mesh, number / 4, number % 4)) ||
            has_vertex(w, other, at_side(w->mesh, number / 4, number % 4 + 1)));
}
