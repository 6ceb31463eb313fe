// SPDX-License-Identifier: Apache-2.0
// dfr3d: the least translation of a part of a body from a part of a wall, and where they touch then.
#include "pair.h"

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

/* Tries the panel over the body's deepest vertex there. */
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

/* Tries a facet of the body over the deepest corner of the patches of the part. */
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

/* Tries all sides of the part's panels with all edges of the part of the body. */
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

/* Adds the corners of a face that are over a panel; returns the new number of contacts. */
static uint32_t touch_corners(const dfr_polygon *face, const dfr_panel *p, dfr_contact *out,
                              uint32_t n, uint32_t room)
{
    for (uint32_t k = 0; k < face->n && n < room; k++)
        if (dfr_corner_touch(face, k, &p->shape, -1.0, &out[n]))
            out[n++].feature =
                DFR_VERTEX_OF_A << 62 | (uint64_t)(face->vertex[k] & 0xfffffff) << 34 | p->patch;
    return n;
}

/* Contacts of a flat face with the best contact's panel and panels in its plane; flat: not only an
 * edge of the face is on the panels. */
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

static int holds(const uint32_t *list, uint32_t n, uint32_t value)
{
    uint32_t i = 0;
    while (i < n && list[i] != value)
        i++;
    return i < n;
}

/* Marks the panels of a part of the wall and those of their flat patches; lists their corners and
 * open sides. */
static void mark_panels(dfr_work *w, uint32_t n, uint32_t root)
{
    uint32_t n_patches = 0;
    w->n_corners = w->n_open = 0;
    for (uint32_t i = 0; i < n; i++) {
        dfr_panel *p = &w->panel[i];
        p->in_part = p->touched && dfr_panel_root(w, i) == root;
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

/* Takes the panel at an edge that faces the contact most; returns the cosine. */
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

uint32_t dfr_touch_part(dfr_work *w, uint32_t n_panels, const dfr_link *link, dfr_contact *out,
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
        if (w->panel[i].in_part)
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
