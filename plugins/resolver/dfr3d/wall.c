// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: facets of walls (the planes of [1], closed quadrilaterals) against a body.
 *
 * Source   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 4.1.1.
 * Idea     As in pieces.c. Edges of the body that cross a facet, and edges of facets through the
 *          body, give the places; facets that meet the body form parts, which end at concave edges.
 *          Each pair of a part of the body and of the wall gets the least translation, over the
 *          normals of both and pairs of edges. An edge or a vertex that a flat neighbour continues
 *          does not count.
 * Side     Facets have two sides. Connected facets show the same side to the body: the side of its
 *          origin, as seen from the nearest of these facets. Their normals are turned alike
 *          (panels.c).
 * Gaps     One contact, the least, where nothing overlaps.
 *
 *      wall_touch.c    the least translation of two parts, and what touches there
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

/* Called for each facet of the body that an edge of a panel crosses. */
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

/* May the plane of the panel cross a cell? */
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
        if (dfr_inside(b, p->point[k])) // a panel that is wholly inside crosses nothing
            w->panel[panel].touched = 1;
    }
}

/* ---- parts of the wall ---- */

uint32_t dfr_panel_root(const dfr_work *w, uint32_t i)
{
    while (w->panel[i].parent != i)
        i = w->panel[i].parent;
    return i;
}

/* The touched panel that is facet g, or SCREE_NONE. */
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

/* Joins touched panels across their edges, except those for which `hollow` is true. */
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
            const uint32_t x = dfr_panel_root(w, i), y = dfr_panel_root(w, other);
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

/* Gives connected panels the side of the body's origin, as seen from the nearest one. If panels are
 * equally near, at an edge, the one whose plane is farther decides. */
static void choose_sides(dfr_work *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        dfr_panel *p = &w->panel[i], *root = &w->panel[dfr_panel_root(w, i)];
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
        w->panel[i].sign = w->panel[dfr_panel_root(w, i)].height < 0.0 ? -1.0 : 1.0;
}

/* Gives untouched panels the side of their flat patch: list has one panel of each patch. */
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

/* Links parts of the body and of the wall, by the events. */
static void find_links(dfr_work *w)
{
    for (uint32_t i = 0; i < w->n_events; i++) {
        const dfr_event *e = &w->event[i];
        const uint32_t panel = dfr_panel_root(w, e->side ? e->edge / 4 : e->facet);
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
        n += dfr_touch_part(w, n_parts, &w->link[i], out + (n < room ? n : 0),
                            n < room ? room - n : 0);
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
