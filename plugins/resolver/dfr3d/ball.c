// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: balls and planes against a body, entries of [1], table 4.1.
 *
 * Source   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 4.1, 4.2.
 * Ball     Contacts are the places where the surface is nearest to the centre, compared with the places
 *          around: one in the open, two in a corner of two walls. Two whose normals are less than 45 degrees
 *          apart are one. Where the centre is inside, only the nearest counts. A point is a ball of radius 0.
 * Plane    The vertices behind it, in connected parts: the deepest of each; of a part with a flat face on
 *          the plane the corners of the face too.
 */
#include "pair.h"

#define ONE_TOUCH 0.70710678118654752 /* cosine */

/* ---- balls ---- */

/* Is no facet around f's vertices nearer to x than f? */
static int is_nearest(const dfr_body *b, const double x[3], uint32_t f, double d)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t v = b->facet[f][k];
        for (uint32_t i = b->fan_first[v]; i < b->fan_first[v + 1]; i++) {
            const uint32_t g = b->fan[i], *c = b->facet[g];
            double point[3];
            const double other = dfr_closest_of_triangle(b->vertex[c[0]], b->vertex[c[1]],
                                                         b->vertex[c[2]], x, point);
            if (other < d || (other == d && g < f))
                return 0;
        }
    }
    return 1;
}

/* The lowest facet around f's vertices that is equally near up to rounding, for a point on an edge
 * or vertex. */
static uint32_t lowest_of(const dfr_body *b, const double x[3], uint32_t f, double d)
{
    uint32_t lowest = f;
    for (int k = 0; k < 3; k++) {
        const uint32_t v = b->facet[f][k];
        for (uint32_t i = b->fan_first[v]; i < b->fan_first[v + 1] && b->fan[i] < lowest; i++) {
            const uint32_t *c = b->facet[b->fan[i]];
            double point[3];
            const double other = dfr_closest_of_triangle(b->vertex[c[0]], b->vertex[c[1]],
                                                         b->vertex[c[2]], x, point);
            if (sqrt(other) <= sqrt(d) + 1e-10 * b->size)
                lowest = b->fan[i];
        }
    }
    return lowest;
}

static void write_ball(const dfr_body *b, const double centre[3], double radius, int inside,
                       uint32_t f, const double point[3], dfr_contact *out)
{
    sub(point, centre, out->normal);
    double away = normalize(out->normal);
    if (!(away > 0.0)) // the centre is on the surface
        for (int k = 0; k < 3; k++)
            out->normal[k] = -b->normal[f][k];
    else if (inside)
        for (int k = 0; k < 3; k++)
            out->normal[k] = -out->normal[k];
    away = inside ? -away : away;
    out->depth = radius - away;
    for (int k = 0; k < 3; k++)
        out->point[k] = centre[k] + (radius - 0.5 * out->depth) * out->normal[k];
    out->feature = dfr_key(b, lowest_of(b, centre, f, distance2(centre, point)));
}

/* Keeps a contact unless a deeper one is the same touch; drops shallower ones of the same touch. */
static uint32_t keep_ball(dfr_contact *out, uint32_t n, const dfr_contact *c, uint32_t room)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (dot(out[i].normal, c->normal) > ONE_TOUCH &&
            (out[i].depth > c->depth || (out[i].depth == c->depth && out[i].feature < c->feature)))
            return n;
    for (uint32_t i = 0; i < n; i++)
        if (!(dot(out[i].normal, c->normal) > ONE_TOUCH))
            out[kept++] = out[i];
    if (kept < room)
        out[kept] = *c;
    return kept + 1;
}

uint32_t dfr_ball(dfr_work *w, const dfr_body *b, const double centre[3], double radius,
                  double range, int all, dfr_contact *out, uint32_t room)
{
    const int inside = dfr_inside(b, centre);
    double least = inside || !(range < HUGE_VAL) ? HUGE_VAL : (radius + range) * (radius + range);
    double point[3], d;
    uint32_t f, n = 0;
    dfr_contact c;
    if (!dfr_closest(b, centre, &least, point, &f))
        return 0;
    write_ball(b, centre, radius, inside, f, point, &c);
    if (c.depth < -range)
        return 0;
    if (inside || !all || !(c.depth > 0.0)) {
        if (room > 0)
            out[0] = c;
        return 1;
    }
    const uint32_t n_near = dfr_gather(b, centre, radius + range, w->room, w->list);
    if (n_near > w->room) {
        w->full = 1;
        return UINT32_MAX;
    }
    for (uint32_t i = 0; i < n_near; i++) {
        const uint32_t *v = b->facet[w->list[i]];
        d = dfr_closest_of_triangle(b->vertex[v[0]], b->vertex[v[1]], b->vertex[v[2]], centre,
                                    point);
        if (!(sqrt(d) <= radius + range) || !is_nearest(b, centre, w->list[i], d))
            continue;
        write_ball(b, centre, radius, 0, w->list[i], point, &c);
        n = keep_ball(out, n, &c, room);
        if (n > room)
            return n;
    }
    return dfr_sort(out, n);
}

/* ---- planes ---- */

typedef struct behind {
    dfr_work *w;
    const double *t, *n; // plane, in the body's frame
} behind;

static double height_of(const behind *p, uint32_t v)
{
    double to[3];
    sub(p->w->side[0].body->vertex[v], p->t, to);
    return dot(to, p->n);
}

/* Finds facets with a vertex at most `range` before the plane; joins them over such vertices. */
static void find_behind(const behind *p, double range)
{
    dfr_work *w = p->w;
    const dfr_body *b = w->side[0].body;
    uint32_t stack[64], n = 0;
    stack[n++] = 0;
    while (n > 0) {
        const dfr_node *node = &b->node[stack[--n]];
        double least = 0.0;
        for (int k = 0; k < 3; k++)
            least += p->n[k] * ((p->n[k] > 0.0 ? node->lo[k] : node->hi[k]) - p->t[k]);
        if (least > range)
            continue;
        if (node->n == 0) {
            stack[n++] = node->first + 1;
            stack[n++] = node->first;
            continue;
        }
        for (uint32_t i = 0; i < 3 * node->n; i++) {
            const uint32_t v = b->facet[b->tree_facet[node->first + i / 3]][i % 3];
            if (w->side[0].vertex_stamp[v] == w->stamp || !(height_of(p, v) <= range))
                continue;
            w->side[0].vertex_stamp[v] = w->stamp;
            for (uint32_t f = b->fan_first[v]; f < b->fan_first[v + 1]; f++) {
                dfr_touch(w, 0, b->fan[f]);
                dfr_join(w, 0, b->fan[f], b->fan[b->fan_first[v]]);
            }
        }
    }
}

static void write_plane(const behind *p, uint32_t v, dfr_contact *out)
{
    const double depth = -height_of(p, v);
    out->depth = depth;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = -p->n[k];
        out->point[k] = p->w->side[0].body->vertex[v][k] + 0.5 * depth * p->n[k];
    }
    out->feature = DFR_VERTEX_OF_A << 62 | (uint64_t)(v & 0xfffffff) << 34;
}

/* Writes vertex v and the corners, behind the plane, of the flat face around it. */
static uint32_t touch_plane(const behind *p, uint32_t v, dfr_contact *out, uint32_t room)
{
    const dfr_body *b = p->w->side[0].body;
    const double down[3] = {-p->n[0], -p->n[1], -p->n[2]};
    const double near = 0.01 * b->grid.cell[0];
    static const dfr_pose none = {.ratio = 1.0};
    dfr_polygon face;
    uint32_t n = 0;
    int there = 0;
    dfr_contact deepest;
    write_plane(p, v, &deepest);
    if (deepest.depth > 0.0 &&
        dfr_face_at(p->w, &none, 0, DFR_AT_VERTEX, v, down, DFR_EDGE_ON, &face))
        for (uint32_t k = 0; k < face.n; k++) {
            dfr_contact c;
            write_plane(p, face.vertex[k], &c);
            if (!(c.depth > 0.0))
                continue;
            if (!there && distance2(b->vertex[v], b->vertex[face.vertex[k]]) < near * near) {
                there = 1;
                const uint64_t feature = c.feature;
                c = deepest;
                c.feature = feature;
            }
            if (n < room)
                out[n] = c;
            n++;
        }
    if (there)
        return n;
    if (n < room)
        out[n] = deepest;
    return n + 1;
}

/* The lower of two vertices, the lower number if they are equally low; SCREE_NONE is the
 * highest. */
static uint32_t lower_of(const behind *p, uint32_t v, uint32_t w)
{
    if (v == SCREE_NONE || w == SCREE_NONE)
        return v == SCREE_NONE ? w : v;
    const double x = height_of(p, v), y = height_of(p, w);
    return x < y || (x == y && v < w) ? v : w;
}

/* lowest[root]: the deepest vertex of each part. Returns the deepest of all. */
static uint32_t find_lowest(const behind *p, uint32_t *lowest)
{
    dfr_side *s = &p->w->side[0];
    uint32_t all = SCREE_NONE;
    for (uint32_t i = 0; i < s->n_touched; i++)
        lowest[s->touched[i]] = SCREE_NONE;
    for (uint32_t i = 0; i < 3 * s->n_touched; i++) {
        const uint32_t f = s->touched[i / 3], root = dfr_root(s, f), v = s->body->facet[f][i % 3];
        lowest[root] = lower_of(p, lowest[root], v);
        all = lower_of(p, all, v);
    }
    return all;
}

uint32_t dfr_plane(dfr_work *w, const double t[3], const double n[3], double range, int all,
                   dfr_contact *out, uint32_t room)
{
    const behind p = {w, t, n};
    dfr_side *s = &w->side[0];
    uint32_t n_out = 0, *lowest = s->marked;
    find_behind(&p, range);
    const uint32_t deepest = find_lowest(&p, lowest);
    if (deepest == SCREE_NONE)
        return 0;
    if (!all || height_of(&p, deepest) >= 0.0) {
        n_out = touch_plane(&p, deepest, out, room);
        return n_out > room ? n_out : dfr_sort(out, n_out);
    }
    for (uint32_t i = 0; i < s->n_touched; i++) {
        const uint32_t f = s->touched[i];
        if (dfr_root(s, f) != f || !(height_of(&p, lowest[f]) < 0.0))
            continue;
        n_out += touch_plane(&p, lowest[f], out + (n_out < room ? n_out : 0),
                             n_out < room ? room - n_out : 0);
    }
    return n_out > room ? n_out : dfr_sort(out, n_out);
}
