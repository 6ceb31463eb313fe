// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: facets of walls (the planes of [1], closed quadrilaterals) against a body.
 *
 * Source   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 4.1.1.
 * Idea     As in pieces.c, each facet by itself: the edges of the body that cross it, and its own edges
 *          through the body, say where; then the least translation, over the facet's normal, the normals of
 *          the body's facets, and pairs of edges. Facets have two sides: that of the body's origin is in
 *          front. Edges and vertices that a flat neighbour continues are none.
 * Gaps     One contact, the least, where nothing overlaps.
 */
#include "pair.h"

int dfr_wall_make(dfr_wall *wall, const scree_mesh *mesh)
{
    int changed = 1;
    wall->mesh = mesh;
    wall->patch = malloc((mesh->n_facets + 1ull) * sizeof *wall->patch);
    if (!wall->patch)
        return 0;
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        wall->patch[f] = f;
    while (changed) {
        changed = 0;
        for (uint32_t i = 0; i < 4 * mesh->n_facets; i++) {
            const uint32_t g = mesh->neighbour[i];
            if (mesh->facet[i] == SCREE_NONE || g == SCREE_NONE || mesh->edge[i] != SCREE_EDGE_FLAT ||
                wall->patch[g] >= wall->patch[i / 4])
                continue;
            wall->patch[i / 4] = wall->patch[g];
            changed = 1;
        }
    }
    return 1;
}

/** One facet of a wall in the frame of a body. */
typedef struct panel {
    dfr_polygon shape;
    double other[4][3]; // normal of the neighbour across an edge, outward in the plane of an open one
    uint32_t facet, patch;
} panel;

/* Whether the facet g has the vertex v at an edge that can be touched. */
static int is_exposed(const scree_mesh *m, uint32_t f, int corner, int n)
{
    const uint8_t *edge = m->edge + 4ull * f;
    const int before = (corner + n - 1) % n;
    return edge[corner] != SCREE_EDGE_FLAT && edge[before] != SCREE_EDGE_FLAT &&
           (edge[corner] != SCREE_EDGE_CONCAVE || edge[before] != SCREE_EDGE_CONCAVE);
}

static void normal_of(const scree_mesh *m, const dfr_pose *pose, uint32_t f, double n[3])
{
    double x[3][3], u[3], v[3];
    for (int i = 0; i < 3; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = m->vertex[k][m->facet[4ull * f + (uint32_t)i]];
        dfr_to_a(pose, p, x[i]);
    }
    sub(x[1], x[0], u);
    sub(x[2], x[0], v);
    cross(u, v, n);
    normalize(n);
}

/* The facet, its normal to the side of the body's origin. */
static void make_panel(const dfr_wall *wall, const dfr_pose *pose, uint32_t f, panel *out)
{
    const scree_mesh *m = wall->mesh;
    const uint32_t *v = m->facet + 4ull * f;
    const int n = v[3] == SCREE_NONE ? 3 : 4;
    dfr_polygon *shape = &out->shape;
    double turned = 1.0;
    out->facet = f;
    out->patch = wall->patch[f];
    shape->n = (uint32_t)n;
    normal_of(m, pose, f, shape->normal);
    for (int i = 0; i < n; i++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = m->vertex[k][v[i]];
        dfr_to_a(pose, p, shape->point[i]);
        shape->vertex[i] = v[i];
        const uint8_t edge = m->edge[4ull * f + (uint32_t)i];
        shape->open[i] = edge == SCREE_EDGE_OPEN || edge == SCREE_EDGE_CONVEX;
        shape->corner[i] = (uint8_t)is_exposed(m, f, i, n);
    }
    if (dot(shape->normal, shape->point[0]) > 0.0) // the origin is behind
        turned = -1.0;
    for (int i = 0; i < n; i++) {
        const uint32_t g = m->neighbour[4ull * f + (uint32_t)i];
        double along[3];
        sub(shape->point[(i + 1) % n], shape->point[i], along);
        cross(along, shape->normal, out->other[i]);
        normalize(out->other[i]);
        if (g != SCREE_NONE && m->edge[4ull * f + (uint32_t)i] == SCREE_EDGE_CONVEX && turned > 0.0)
            normal_of(m, pose, g, out->other[i]);
        if (turned < 0.0 && m->edge[4ull * f + (uint32_t)i] != SCREE_EDGE_OPEN) // from its back
            shape->open[i] = m->edge[4ull * f + (uint32_t)i] == SCREE_EDGE_CONCAVE;
    }
    if (turned < 0.0) { // counterclockwise about the normal
        for (int k = 0; k < 3; k++)
            shape->normal[k] = -shape->normal[k];
        for (int i = 0, j = n - 1; i < j; i++, j--) {
            double p[3];
            copy(shape->point[i], p);
            copy(shape->point[j], shape->point[i]);
            copy(p, shape->point[j]);
            const uint32_t vertex = shape->vertex[i];
            shape->vertex[i] = shape->vertex[j];
            shape->vertex[j] = vertex;
            const uint8_t corner = shape->corner[i];
            shape->corner[i] = shape->corner[j];
            shape->corner[j] = corner;
        }
        for (int i = 0, j = n - 2; i < j; i++, j--) { // side k goes from point k
            const uint8_t open = shape->open[i];
            shape->open[i] = shape->open[j];
            shape->open[j] = open;
            double p[3];
            copy(out->other[i], p);
            copy(out->other[j], out->other[i]);
            copy(p, out->other[j]);
        }
    }
    shape->key = out->patch;
    shape->name = out->patch & 0x1ffffff;
}

static int is_over(const panel *p, const double x[3])
{
    for (uint32_t k = 0; k < p->shape.n; k++) {
        double along[3], to[3], out[3];
        sub(p->shape.point[(k + 1) % p->shape.n], p->shape.point[k], along);
        sub(x, p->shape.point[k], to);
        cross(along, p->shape.normal, out);
        if (dot(to, out) > 0.0)
            return 0;
    }
    return 1;
}

/* ---- where they cross ---- */

typedef struct panel_edge {
    dfr_work *w;
    uint32_t side;
} panel_edge;

/* An edge of the panel crosses a facet of the body. */
static void keep_facet(void *ctx, uint32_t facet)
{
    const panel_edge *e = ctx;
    dfr_touch(e->w, 0, facet);
    if (e->w->n_events >= e->w->room)
        e->w->full = 1;
    else
        e->w->event[e->w->n_events++] = (dfr_event){1, e->side, facet};
}

static void cross_edge(dfr_work *w, const panel *p, uint32_t e)
{
    const dfr_body *b = w->side[0].body;
    const double *x = b->vertex[b->edge[e].vertex[0]], *y = b->vertex[b->edge[e].vertex[1]];
    double at;
    int hit = 0;
    for (uint32_t k = 1; k + 1 < p->shape.n && !hit; k++)
        hit = dfr_crosses(x, y, p->shape.point[0], p->shape.point[k], p->shape.point[k + 1], &at);
    if (!hit)
        return;
    dfr_touch_edge(w, 0, e);
    if (w->n_events >= w->room)
        w->full = 1;
    else
        w->event[w->n_events++] = (dfr_event){0, e, 0};
}

static void march_panel(dfr_work *w, const panel *p)
{
    const dfr_body *b = w->side[0].body;
    int32_t lo[3], hi[3], at[3];
    dfr_zone zone;
    for (int k = 0; k < 3; k++) {
        zone.lo[k] = zone.hi[k] = p->shape.point[0][k];
        for (uint32_t i = 1; i < p->shape.n; i++) {
            zone.lo[k] = scree_min(zone.lo[k], p->shape.point[i][k]);
            zone.hi[k] = scree_max(zone.hi[k], p->shape.point[i][k]);
        }
    }
    if (!dfr_zone_index(b, &zone, lo, hi))
        return;
    for (at[2] = lo[2]; at[2] <= hi[2]; at[2]++)
        for (at[1] = lo[1]; at[1] <= hi[1]; at[1]++)
            for (at[0] = lo[0]; at[0] <= hi[0]; at[0]++) {
                const int32_t code = dfr_code(b, at);
                w->zone_cells++;
                if (code < 0)
                    continue;
                for (uint32_t e = b->edge_first[b->first[code]]; e < b->edge_first[b->first[code + 1]]; e++)
                    cross_edge(w, p, e);
            }
    for (uint32_t k = 0; k < p->shape.n; k++) {
        panel_edge edge = {w, k};
        dfr_walk(b, p->shape.point[k], p->shape.point[(k + 1) % p->shape.n], keep_facet, &edge, NULL);
    }
}

/* ---- the least translation ---- */

static uint32_t farthest(const dfr_side *s, const double direction[3])
{
    uint32_t best = s->body->facet[s->marked[0]][0];
    double most = dot(s->body->vertex[best], direction);
    for (uint32_t i = 0; i < 3 * s->n_marked; i++) {
        const uint32_t v = s->body->facet[s->marked[i / 3]][i % 3];
        const double x = dot(s->body->vertex[v], direction);
        if (x > most || (x == most && v < best)) {
            most = x;
            best = v;
        }
    }
    return dfr_climb(s->body, direction, best);
}

static int is_less(const dfr_best *best, double depth)
{
    return depth > 0.0 && (best->kind < 0 || depth < best->contact.depth * (1.0 - 1e-9));
}

/* The panel over the body's deepest vertex there. */
static void try_panel(const dfr_work *w, const panel *p, dfr_best *best)
{
    const dfr_body *b = w->side[0].body;
    const double *n = p->shape.normal, down[3] = {-n[0], -n[1], -n[2]};
    const uint32_t v = farthest(&w->side[0], down);
    double to[3];
    sub(b->vertex[v], p->shape.point[0], to);
    const double depth = -dot(to, n);
    if (!is_less(best, depth) || !is_over(p, b->vertex[v]))
        return;
    best->kind = (int)DFR_VERTEX_OF_A;
    best->of_a = v;
    best->contact.depth = depth;
    best->contact.feature = DFR_VERTEX_OF_A << 62 | (uint64_t)(v & 0xfffffff) << 34 | p->patch;
    for (int k = 0; k < 3; k++) {
        best->contact.normal[k] = -n[k];
        best->contact.point[k] = b->vertex[v][k] + 0.5 * depth * n[k];
    }
}

/* A facet of the body over the panel's deepest corner. */
static void try_corner(const dfr_work *w, const panel *p, uint32_t f, dfr_best *best)
{
    const dfr_body *b = w->side[0].body;
    const double *n = b->normal[f];
    uint32_t deepest = 0;
    double depth = -HUGE_VAL, over[3];
    for (uint32_t k = 0; k < p->shape.n; k++) {
        double to[3];
        sub(p->shape.point[k], b->vertex[b->facet[f][0]], to);
        if (-dot(to, n) > depth) {
            depth = -dot(to, n);
            deepest = k;
        }
    }
    if (!is_less(best, depth) || !p->shape.corner[deepest])
        return;
    for (int k = 0; k < 3; k++)
        over[k] = p->shape.point[deepest][k] + depth * n[k];
    if (!dfr_on_group(b, f, over))
        return;
    best->kind = (int)DFR_VERTEX_OF_B;
    best->of_a = f;
    best->contact.depth = depth;
    best->contact.feature =
        DFR_VERTEX_OF_B << 62 | (uint64_t)(p->shape.vertex[deepest] & 0xfffffff) << 34 | dfr_key(b, f);
    copy(n, best->contact.normal);
    for (int k = 0; k < 3; k++)
        best->contact.point[k] = p->shape.point[deepest][k] + 0.5 * depth * n[k];
}

static void try_edges(const dfr_work *w, const panel *p, uint32_t e, uint32_t side, dfr_best *best)
{
    const dfr_body *b = w->side[0].body;
    const dfr_edge *edge = &b->edge[e];
    const double *p0 = b->vertex[edge->vertex[0]], *p1 = b->vertex[edge->vertex[1]];
    const double *q0 = p->shape.point[side], *q1 = p->shape.point[(side + 1) % p->shape.n];
    double u[3], v[3], n[3], between[3], s, t;
    if (b->bend[e] != DFR_CONVEX || !p->shape.open[side])
        return;
    sub(p1, p0, u);
    sub(q1, q0, v);
    cross(u, v, n);
    const double size = sqrt(dot(u, u) * dot(v, v));
    if (!(normalize(n) > 1e-9 * size))
        return;
    sub(p0, q0, between);
    const double sign = dot(between, n) < 0.0 ? -1.0 : 1.0, depth = sign * dot(between, n);
    double minus[3];
    for (int k = 0; k < 3; k++) {
        n[k] *= sign;
        minus[k] = -n[k];
    }
    if (!is_less(best, depth) || !dfr_in_arc(b->normal[edge->facet[0]], b->normal[edge->facet[1]], n) ||
        !dfr_in_arc(p->shape.normal, p->other[side], minus))
        return;
    if (sqrt(dfr_closest_of_segments(p0, p1, q0, q1, &s, &t)) > depth * (1.0 + 1e-6) + 1e-12 * sqrt(size))
        return;
    best->kind = (int)DFR_EDGES;
    best->of_a = e;
    best->contact.depth = depth;
    const uint32_t v0 = p->shape.vertex[side], v1 = p->shape.vertex[(side + 1) % p->shape.n];
    best->contact.feature = DFR_EDGES << 62 | (uint64_t)e << 34 | (uint64_t)(v0 < v1 ? v0 : v1) << 3 | (v0 + v1) % 8;
    copy(n, best->contact.normal);
    for (int k = 0; k < 3; k++)
        best->contact.point[k] = 0.5 * (p0[k] + s * u[k] + q0[k] + t * v[k]);
}

static void try_all_edges(dfr_work *w, const panel *p, uint32_t root, dfr_best *best)
{
    const dfr_body *b = w->side[0].body;
    for (uint32_t i = 0; i < w->n_events; i++) {
        const dfr_event *event = &w->event[i];
        if (event->side == 1) { // a side of the panel through a facet
            if (dfr_root(&w->side[0], event->facet) == root)
                for (uint32_t k = 0; k < 12; k++) {
                    uint32_t g = event->facet;
                    if (k >= 3) {
                        const dfr_edge *e = &b->edge[b->facet_edge[g][k / 3 - 1]];
                        g = e->facet[0] == g ? e->facet[1] : e->facet[0];
                    }
                    try_edges(w, p, b->facet_edge[g][k % 3], event->edge, best);
                }
        } else if (dfr_root(&w->side[0], b->edge[event->edge].facet[0]) == root) {
            for (uint32_t k = 0; k < p->shape.n; k++)
                try_edges(w, p, event->edge, k, best);
        }
    }
}

static uint32_t touch_panel(dfr_work *w, const panel *p, uint32_t root, dfr_contact *out, uint32_t room)
{
    static const dfr_pose none = {.ratio = 1.0};
    static const int at[] = {DFR_AT_FACET, DFR_AT_VERTEX, DFR_AT_EDGE};
    dfr_side *s = &w->side[0];
    dfr_best best = {.kind = -1};
    dfr_polygon face;
    w->mark++;
    dfr_mark_part(w, 0, root);
    try_panel(w, p, &best);
    for (uint32_t i = 0; i < s->n_marked; i++)
        try_corner(w, p, s->marked[i], &best);
    try_all_edges(w, p, root, &best);
    if (best.kind < 0)
        return 0;
    if (room > 0 && -dot(best.contact.normal, p->shape.normal) > 0.8 &&
        dfr_face_at(w, &none, 0, at[best.kind], best.of_a, best.contact.normal, &face))
        return dfr_face_contacts(&face, &p->shape, &best.contact, 0.01 * s->body->grid.cell[0], out, room);
    if (room > 0)
        out[0] = best.contact;
    return 1;
}

/* ---- gaps ---- */

static int panel_gap(const dfr_body *b, const panel *p, double far, dfr_contact *out)
{
    double least = far * far, on[2][3] = {{0}};
    uint32_t stack[64], n = 0, nearest = 0;
    int found = 0;
    double lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = hi[k] = p->shape.point[0][k];
        for (uint32_t i = 1; i < p->shape.n; i++) {
            lo[k] = scree_min(lo[k], p->shape.point[i][k]);
            hi[k] = scree_max(hi[k], p->shape.point[i][k]);
        }
    }
    stack[n++] = 0;
    while (n > 0) {
        const dfr_node *node = &b->node[stack[--n]];
        double gap2 = 0.0;
        for (int k = 0; k < 3; k++) {
            const double d = scree_max(scree_max(node->lo[k] - hi[k], lo[k] - node->hi[k]), 0.0);
            gap2 += d * d;
        }
        if (gap2 > least)
            continue;
        if (node->n == 0) {
            stack[n++] = node->first + 1;
            stack[n++] = node->first;
            continue;
        }
        for (uint32_t i = 0; i < node->n; i++) {
            const uint32_t f = b->tree_facet[node->first + i];
            double x[3][3], y[3][3], at[2][3];
            for (int k = 0; k < 3; k++)
                copy(b->vertex[b->facet[f][k]], x[k]);
            for (uint32_t t = 1; t + 1 < p->shape.n; t++) {
                copy(p->shape.point[0], y[0]);
                copy(p->shape.point[t], y[1]);
                copy(p->shape.point[t + 1], y[2]);
                const double d = dfr_closest_of_triangles(x, y, at[0], at[1]);
                if (d > least || (d == least && found && f >= nearest))
                    continue;
                found = 1;
                least = d;
                nearest = f;
                memcpy(on, at, sizeof on);
            }
        }
    }
    if (!found)
        return 0;
    sub(on[1], on[0], out->normal);
    out->depth = -normalize(out->normal);
    if (out->depth == 0.0)
        copy(b->normal[nearest], out->normal);
    for (int k = 0; k < 3; k++)
        out->point[k] = 0.5 * (on[0][k] + on[1][k]);
    out->feature = DFR_SIDES << 62;
    return 1;
}

uint32_t dfr_wall_contacts(dfr_work *w, const dfr_body *a, const dfr_wall *wall, const dfr_pose *pose,
                           const uint32_t *parts, uint32_t n_parts, double range, int all,
                           dfr_contact *out, uint32_t room)
{
    uint32_t n = 0, n_gaps = 0;
    dfr_contact nearest = {.depth = -range};
    for (uint32_t i = 0; i < n_parts; i++) {
        panel p;
        make_panel(wall, pose, parts ? parts[i] : i, &p);
        dfr_work_start(w, a, a);
        march_panel(w, &p);
        if (w->full)
            return UINT32_MAX;
        dfr_side *s = &w->side[0];
        for (uint32_t k = 0; k < s->n_touched; k++)
            if (dfr_root(s, s->touched[k]) == s->touched[k])
                n += touch_panel(w, &p, s->touched[k], out + (n < room ? n : 0), n < room ? room - n : 0);
        dfr_contact gap;
        if (n == 0 && range > 0.0 && panel_gap(a, &p, -nearest.depth, &gap) &&
            (n_gaps == 0 || gap.depth > nearest.depth)) {
            nearest = gap;
            n_gaps = 1;
        }
    }
    if (n >= room)
        return n > room ? n : room + 1;
    if (n == 0 && n_gaps > 0)
        out[n++] = nearest;
    n = dfr_sort(out, n);
    if (!all && n > 1) // the deepest
        for (uint32_t i = 1; i < n; i++)
            if (out[i].depth > out[0].depth)
                out[0] = out[i];
    return all ? n : n > 0;
}
