// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: facets of walls (the planes of [1], closed quadrilaterals) against a body.
 *
 * Source   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 4.1.1.
 * Idea     As in pieces.c. Edges of the body that cross a facet, and edges of facets through the body, say
 *          where; facets that meet the body hang together, except across concave edges. Each pair of a part
 *          of the body and of the wall gets the least translation, over the normals of both and pairs of
 *          edges. An edge or a vertex that a flat neighbour continues does not count.
 * Side     Facets have two sides. Those that hang together show the same one to the body: that on which its
 *          origin is, as seen from the nearest of them.
 * Gaps     One contact, the least, where nothing overlaps.
 */
#include "pair.h"

/* ---- where they cross ---- */

typedef struct panel_edge {
    dfr_work *w;
    uint32_t panel, edge;
} panel_edge;

static void add_event(dfr_work *w, uint32_t side, uint32_t edge, uint32_t facet)
{
    if (w->n_events >= w->room)
        w->full = 1;
    else
        w->event[w->n_events++] = (dfr_event){side, edge, facet};
}

/* An edge of a panel crosses a facet of the body. */
static void keep_facet(void *ctx, uint32_t facet)
{
    const panel_edge *e = ctx;
    dfr_touch(e->w, 0, facet);
    e->w->panel[e->panel].touched = 1;
    add_event(e->w, 1, 4 * e->panel + e->edge, facet);
}

static void cross_edge(dfr_work *w, uint32_t panel, uint32_t e)
{
    const dfr_body *b = w->side[0].body;
    const dfr_polygon *p = &w->panel[panel].shape;
    const double *x = b->vertex[b->edge[e].vertex[0]], *y = b->vertex[b->edge[e].vertex[1]];
    double at, from[3], to[3];
    int hit = 0;
    sub(x, p->point[0], from);
    sub(y, p->point[0], to);
    if ((dot(from, p->normal) > 0.0) == (dot(to, p->normal) > 0.0))
        return;
    for (uint32_t k = 1; k + 1 < p->n && !hit; k++)
        hit = dfr_crosses(x, y, p->point[0], p->point[k], p->point[k + 1], &at);
    if (!hit)
        return;
    dfr_touch_edge(w, 0, e);
    w->panel[panel].touched = 1;
    add_event(w, 0, e, panel);
}

/* Whether the plane of the panel may cross a cell. */
static int is_near(const dfr_body *b, const dfr_polygon *p, const int32_t at[3])
{
    double height = 0.0, reach = 0.0;
    for (int k = 0; k < 3; k++) {
        const double middle = b->grid.origin[k] + b->grid.cell[k] * (at[k] + 0.5);
        height += p->normal[k] * (middle - p->point[0][k]);
        reach += 0.51 * b->grid.cell[k] * fabs(p->normal[k]);
    }
    return fabs(height) <= reach;
}

static void bound_panel(const dfr_polygon *p, double lo[3], double hi[3])
{
    for (int k = 0; k < 3; k++) {
        lo[k] = hi[k] = p->point[0][k];
        for (uint32_t i = 1; i < p->n; i++) {
            lo[k] = scree_min(lo[k], p->point[i][k]);
            hi[k] = scree_max(hi[k], p->point[i][k]);
        }
    }
}

static void march_panel(dfr_work *w, uint32_t panel)
{
    const dfr_body *b = w->side[0].body;
    const dfr_polygon *p = &w->panel[panel].shape;
    int32_t lo[3], hi[3], at[3];
    dfr_zone zone;
    bound_panel(p, zone.lo, zone.hi);
    if (!dfr_zone_index(b, &zone, lo, hi))
        return;
    for (at[2] = lo[2]; at[2] <= hi[2]; at[2]++)
        for (at[1] = lo[1]; at[1] <= hi[1]; at[1]++)
            for (at[0] = lo[0]; at[0] <= hi[0]; at[0]++) {
                const int32_t code = dfr_code(b, at);
                w->zone_cells++;
                if (code < 0 || !is_near(b, p, at))
                    continue;
                for (uint32_t e = b->edge_first[b->first[code]];
                     e < b->edge_first[b->first[code + 1]]; e++)
                    cross_edge(w, panel, e);
            }
    for (uint32_t k = 0; k < p->n; k++) {
        panel_edge edge = {w, panel, k};
        dfr_walk(b, p->point[k], p->point[(k + 1) % p->n], keep_facet, &edge, NULL);
        if (dfr_inside(b, p->point[k])) // a panel that is inside all over crosses nothing
            w->panel[panel].touched = 1;
    }
}

/* ---- parts of the wall ---- */

static uint32_t panel_root(const dfr_work *w, uint32_t i)
{
    while (w->panel[i].parent != i)
        i = w->panel[i].parent;
    return i;
}

/* The touched panel of facet g, or SCREE_NONE. */
static uint32_t panel_of(const dfr_work *w, uint32_t n, uint32_t g)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) { // ascending by facet
        const uint32_t mid = lo + (hi - lo) / 2;
        if (w->panel[mid].facet < g)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n && w->panel[lo].facet == g && w->panel[lo].touched ? lo : SCREE_NONE;
}

/* Joins touched panels across their edges; but not across those that `hollow` (an edge as seen) says. */
static void join_panels(dfr_work *w, uint32_t n, const dfr_wall *wall, int split)
{
    for (uint32_t i = 0; i < n; i++)
        w->panel[i].parent = i;
    for (uint32_t i = 0; i < n; i++) {
        dfr_panel *p = &w->panel[i];
        for (uint32_t k = 0; p->touched && k < p->shape.n; k++) {
            const uint32_t g = wall->mesh->neighbour[4ull * p->facet + k];
            const uint8_t edge = wall->mesh->edge[4ull * p->facet + k];
            const uint8_t hollow = p->sign > 0.0 ? SCREE_EDGE_CONCAVE : SCREE_EDGE_CONVEX;
            const uint32_t other = g == SCREE_NONE ? SCREE_NONE : panel_of(w, n, g);
            if (other == SCREE_NONE || (split && edge == hollow))
                continue;
            const uint32_t x = panel_root(w, i), y = panel_root(w, other);
            w->panel[x > y ? x : y].parent = x > y ? y : x;
        }
    }
}

/* Squared distance of the body's origin from a panel. */
static double origin_distance2(const dfr_polygon *p)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    double least = HUGE_VAL;
    for (uint32_t k = 1; k + 1 < p->n; k++) {
        double point[3];
        least = scree_min(least, dfr_closest_of_triangle(p->point[0], p->point[k], p->point[k + 1],
                                                         origin, point));
    }
    return least;
}

/* The side of the body's origin, as the nearest panel has it, for all that hang together. Among panels that are as near,
 * across an edge, that whose plane is farther. */
static void choose_sides(dfr_work *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        dfr_panel *p = &w->panel[i], *root = &w->panel[panel_root(w, i)];
        if (!p->touched)
            continue;
        const double height = -dot(p->shape.normal, p->shape.point[0]),
                     away = sqrt(origin_distance2(&p->shape));
        const double slack = 1e-9 * w->side[0].body->size;
        if (root == p || away < root->away - slack || // the root comes first
            (away <= root->away + slack && fabs(height) > fabs(root->height))) {
            root->height = height;
            root->away = away;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        w->panel[i].sign = w->panel[panel_root(w, i)].height < 0.0 ? -1.0 : 1.0;
}

static int holds(const uint32_t *list, uint32_t n, uint32_t value)
{
    uint32_t i = 0;
    while (i < n && list[i] != value)
        i++;
    return i < n;
}

/* Panels that nothing touches are seen as those that they are flat with: list has one panel of each patch. */
static void spread_sides(dfr_work *w, uint32_t n)
{
    uint32_t n_list = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;
        while (k < n_list && w->panel[w->list[k]].patch != w->panel[i].patch)
            k++;
        if (w->panel[i].touched && k == n_list)
            w->list[n_list++] = i;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n_list; k++)
            if (!w->panel[i].touched && w->panel[w->list[k]].patch == w->panel[i].patch)
                w->panel[i].sign = w->panel[w->list[k]].sign;
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
    return depth >= 0.0 && (best->kind < 0 || depth < best->contact.depth * (1.0 - 1e-9));
}

/* The panel over the body's deepest vertex there. */
static void try_panel(const dfr_work *w, uint32_t panel, dfr_best *best)
{
    const dfr_panel *p = &w->panel[panel];
    const dfr_body *b = w->side[0].body;
    const double *n = p->shape.normal, down[3] = {-n[0], -n[1], -n[2]};
    const uint32_t v = farthest(&w->side[0], down);
    double to[3];
    sub(b->vertex[v], p->shape.point[0], to);
    const double under = -dot(to, n), depth = scree_max(under, 0.0);
    if (under < -DFR_TOUCH * b->size || !is_less(best, depth) ||
        !dfr_is_over(&p->shape, b->vertex[v]))
        return;
    best->kind = (int)DFR_VERTEX_OF_A;
    best->of_a = v;
    best->of_b = panel;
    best->contact.depth = depth;
    best->contact.feature = DFR_VERTEX_OF_A << 62 | (uint64_t)(v & 0xfffffff) << 34 | p->patch;
    for (int k = 0; k < 3; k++) {
        best->contact.normal[k] = -n[k];
        best->contact.point[k] = b->vertex[v][k] + 0.5 * depth * n[k];
    }
}

/* A facet of the body over the deepest corner of the patches of the part. */
static void try_corner(const dfr_work *w, uint32_t f, dfr_best *best)
{
    const dfr_body *b = w->side[0].body;
    const double *n = b->normal[f], *plane = b->vertex[b->facet[f][0]];
    const dfr_panel *deepest = NULL;
    uint32_t corner = 0;
    double depth = -HUGE_VAL, over[3];
    for (uint32_t i = 0; i < w->n_corners; i++) {
        const dfr_panel *p = &w->panel[w->corner[i] / 4];
        double to[3];
        sub(p->shape.point[w->corner[i] % 4], plane, to);
        if (-dot(to, n) > depth) {
            depth = -dot(to, n);
            deepest = p;
            corner = w->corner[i] % 4;
        }
    }
    if (!deepest || !is_less(best, depth) || deepest->shape.corner[corner] != DFR_OPEN_CORNER)
        return;
    for (int k = 0; k < 3; k++)
        over[k] = deepest->shape.point[corner][k] + depth * n[k];
    if (!dfr_on_group(b, f, over))
        return;
    best->kind = (int)DFR_VERTEX_OF_B;
    best->of_a = f;
    best->of_b = (uint32_t)(deepest - w->panel);
    best->contact.depth = depth;
    best->contact.feature = DFR_VERTEX_OF_B << 62 |
                            (uint64_t)(deepest->shape.vertex[corner] & 0xfffffff) << 34 |
                            dfr_key(b, f);
    copy(n, best->contact.normal);
    for (int k = 0; k < 3; k++)
        best->contact.point[k] = deepest->shape.point[corner][k] + 0.5 * depth * n[k];
}

static void try_edges(const dfr_work *w, const dfr_panel *p, uint32_t e, uint32_t side,
                      dfr_best *best)
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
    if (!is_less(best, depth) ||
        !dfr_in_arc(b->normal[edge->facet[0]], b->normal[edge->facet[1]], n) ||
        !dfr_in_arc(p->shape.normal, p->other[side], minus))
        return;
    if (sqrt(dfr_closest_of_segments(p0, p1, q0, q1, &s, &t)) >
        depth * (1.0 + 1e-6) + 1e-12 * sqrt(size))
        return;
    best->kind = (int)DFR_EDGES;
    best->of_a = e;
    best->of_b = (uint32_t)(p - w->panel);
    best->contact.depth = depth;
    const uint32_t v0 = p->shape.vertex[side], v1 = p->shape.vertex[(side + 1) % p->shape.n];
    best->contact.feature =
        DFR_EDGES << 62 | (uint64_t)e << 34 | (uint64_t)(v0 < v1 ? v0 : v1) << 3 | (v0 + v1) % 8;
    copy(n, best->contact.normal);
    for (int k = 0; k < 3; k++)
        best->contact.point[k] = 0.5 * (p0[k] + s * u[k] + q0[k] + t * v[k]);
}

/* All sides of the part's panels with all edges of the part of the body. */
static void try_all_edges(const dfr_work *w, dfr_best *best)
{
    const dfr_side *s = &w->side[0];
    for (uint32_t i = 0; i < w->n_open; i++)
        for (uint32_t k = 0; k < 3 * s->n_marked; k++) {
            const uint32_t f = s->marked[k / 3], e = s->body->facet_edge[f][k % 3];
            if (s->body->edge[e].facet[0] == f)
                try_edges(w, &w->panel[w->open[i] / 4], e, w->open[i] % 4, best);
        }
}

/* The corners of a face that are over a panel; how many contacts there are then. */
static uint32_t touch_corners(const dfr_polygon *face, const dfr_panel *p, dfr_contact *out,
                              uint32_t n, uint32_t room)
{
    for (uint32_t k = 0; k < face->n && n < room; k++)
        if (dfr_corner_touch(face, k, &p->shape, -1.0, &out[n]))
            out[n++].feature =
                DFR_VERTEX_OF_A << 62 | (uint64_t)(face->vertex[k] & 0xfffffff) << 34 | p->patch;
    return n;
}

/* A flat face on the panels that are flat with that of the best contact; flat: not on its edge only. */
static uint32_t touch_faces(const dfr_work *w, uint32_t n_panels, const dfr_best *best,
                            const dfr_polygon *face, int flat, dfr_contact *out, uint32_t room)
{
    const double near = 0.01 * w->side[0].body->grid.cell[0];
    const dfr_panel *on = &w->panel[best->of_b];
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_panels && n < room; i++) {
        const dfr_panel *p = &w->panel[i];
        if (!p->touched || p->patch != on->patch || p->sign != on->sign)
            continue;
        if (flat)
            n += dfr_face_contacts(face, &p->shape, NULL, near, out + n, room - n);
        if (!flat)
            n = touch_corners(face, p, out, n, room);
    }
    return n < room ? dfr_add_best(out, dfr_sort(out, n), &best->contact, near) : n;
}

/* The panels of a part of the wall, and those that are flat with them; lists their corners and open sides. */
static void mark_panels(dfr_work *w, uint32_t n, uint32_t root)
{
    uint32_t n_patches = 0;
    w->n_corners = w->n_open = 0;
    for (uint32_t i = 0; i < n; i++) {
        dfr_panel *p = &w->panel[i];
        p->in_part = p->touched && panel_root(w, i) == root;
        if (p->in_part && !holds(w->list, n_patches, p->patch))
            w->list[n_patches++] = p->patch;
    }
    for (uint32_t i = 0; i < n; i++) {
        dfr_panel *p = &w->panel[i];
        p->in_part = p->in_part || holds(w->list, n_patches, p->patch);
        for (uint32_t k = 0; k < p->shape.n; k++) {
            if (p->in_part && p->shape.corner[k] != DFR_NO_CORNER)
                w->corner[w->n_corners++] = 4 * i + k;
            if (p->in_part && p->shape.open[k])
                w->open[w->n_open++] = 4 * i + k;
        }
    }
}

/* Takes the panel of the part that faces the contact most, of those at an edge. The cosine. */
static double face_wall(const dfr_work *w, uint32_t n, dfr_best *best)
{
    double most = -dot(best->contact.normal, w->panel[best->of_b].shape.normal);
    for (uint32_t i = 0; i < n; i++) {
        const double facing = -dot(best->contact.normal, w->panel[i].shape.normal);
        if (!w->panel[i].in_part || !w->panel[i].touched || !(facing > most + 1e-9))
            continue;
        most = facing;
        best->of_b = i;
    }
    return most;
}

static uint32_t touch_part(dfr_work *w, uint32_t n_panels, const dfr_link *link, dfr_contact *out,
                           uint32_t room)
{
    static const dfr_pose none = {.ratio = 1.0};
    static const int at[] = {DFR_AT_FACET, DFR_AT_VERTEX, DFR_AT_EDGE};
    dfr_side *s = &w->side[0];
    dfr_best best = {.kind = -1};
    dfr_polygon face;
    w->mark++;
    dfr_mark_part(w, 0, link->root[0]);
    mark_panels(w, n_panels, link->root[1]);
    for (uint32_t i = 0; i < n_panels; i++)
        if (w->panel[i].in_part && w->panel[i].touched)
            try_panel(w, i, &best);
    for (uint32_t f = 0; f < s->n_marked; f++)
        try_corner(w, s->marked[f], &best);
    try_all_edges(w, &best);
    if (best.kind < 0 || room == 0)
        return best.kind >= 0;
    const double facing = face_wall(w, n_panels, &best);
    const double least = best.kind == (int)DFR_VERTEX_OF_A ? DFR_EDGE_ON : DFR_FLAT_ON;
    if (facing > least &&
        dfr_face_at(w, &none, 0, at[best.kind], best.of_a, best.contact.normal, least, &face))
        return touch_faces(w, n_panels, &best, &face,
                           -dot(face.normal, w->panel[best.of_b].shape.normal) > DFR_FLAT_ON, out,
                           room);
    out[0] = best.contact;
    return 1;
}

/* ---- gaps ---- */

static int panel_gap(const dfr_body *b, const dfr_panel *p, double far, dfr_contact *out)
{
    double least = far * far, on[2][3] = {{0}}, lo[3], hi[3];
    uint32_t stack[64], n = 0, nearest = 0;
    int found = 0;
    bound_panel(&p->shape, lo, hi);
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

/* Links of parts of the body and of the wall, by the events. */
static void find_links(dfr_work *w)
{
    for (uint32_t i = 0; i < w->n_events; i++) {
        const dfr_event *e = &w->event[i];
        const uint32_t panel = panel_root(w, e->side ? e->edge / 4 : e->facet);
        for (int k = 0; k < 2; k++)
            dfr_add_link(
                w,
                dfr_root(&w->side[0], e->side ? e->facet : w->side[0].body->edge[e->edge].facet[k]),
                panel);
    }
}

static uint32_t least_gap(const dfr_work *w, uint32_t n_panels, double range, dfr_contact *out)
{
    dfr_contact gap;
    uint32_t n = 0;
    double far = range;
    for (uint32_t i = 0; i < n_panels; i++)
        if (panel_gap(w->side[0].body, &w->panel[i], far, &gap) &&
            (n == 0 || gap.depth > out->depth)) {
            *out = gap;
            far = -gap.depth;
            n = 1;
        }
    return n;
}

uint32_t dfr_wall_contacts(dfr_work *w, const dfr_body *a, const dfr_wall *wall,
                           const dfr_pose *pose, const uint32_t *parts, uint32_t n_parts,
                           double range, int all, dfr_contact *out, uint32_t room)
{
    uint32_t n = 0;
    if (n_parts > w->room) {
        w->full = 1;
        return UINT32_MAX;
    }
    dfr_work_start(w, a, a);
    for (uint32_t i = 0; i < n_parts; i++) {
        dfr_place_panel(wall, pose, parts[i], &w->panel[i]);
        march_panel(w, i);
    }
    join_panels(w, n_parts, wall, 0);
    choose_sides(w, n_parts);
    join_panels(w, n_parts, wall, 1);
    spread_sides(w, n_parts);
    for (uint32_t i = 0; i < n_parts; i++)
        dfr_face_panel(wall, pose, w->panel[i].sign, &w->panel[i]);
    find_links(w);
    if (w->full)
        return UINT32_MAX;
    for (uint32_t i = 0; i < w->n_links; i++)
        n += touch_part(w, n_parts, &w->link[i], out + (n < room ? n : 0), n < room ? room - n : 0);
    if (n >= room)
        return n > room ? n : room + 1;
    if (n == 0)
        return range > 0.0 ? least_gap(w, n_parts, range, out) : 0;
    n = dfr_sort(out, n);
    if (all)
        return n;
    for (uint32_t i = 1; i < n; i++) // the deepest
        if (out[i].depth > out[0].depth)
            out[0] = out[i];
    return 1;
}
