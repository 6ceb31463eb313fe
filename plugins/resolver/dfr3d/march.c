// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: edges of a source body, cell by cell through a target body.
 *
 * Source   R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 3.5.
 * Steps    1. cells of the source's zone, as far as the runs of its maps reach: the cells with
 *             facets
 *          2. each edge that a facet of such a cell owns, in the frame of the target, cut to its grid
 *          3. the cells that it passes, from face to face; where it passes an edge or corner of a cell, all
 *             axes step at once
 *          4. facets in these cells: which ones it crosses
 * Deviations  "exit" in [1] 3b, 3(c)iii.B is the next cell and the next piece of the edge. End points are
 *          classified too, because an edge that passes through internal cells only meets no facet.
 */
#include "pair.h"

/* ---- parts of a surface ---- */

uint32_t dfr_root(dfr_side *s, uint32_t facet)
{
    while (s->parent[facet] != facet) {
        s->parent[facet] = s->parent[s->parent[facet]];
        facet = s->parent[facet];
    }
    return facet;
}

void dfr_touch(dfr_work *w, int side, uint32_t facet)
{
    dfr_side *s = &w->side[side];
    if (s->facet_stamp[facet] == w->stamp)
        return;
    s->facet_stamp[facet] = w->stamp;
    s->parent[facet] = facet;
    s->touched[s->n_touched++] = facet;
}

void dfr_join(dfr_work *w, int side, uint32_t f, uint32_t g)
{
    dfr_side *s = &w->side[side];
    const uint32_t x = dfr_root(s, f), y = dfr_root(s, g);
    if (x < y)
        s->parent[y] = x;
    else
        s->parent[x] = y;
}

void dfr_touch_edge(dfr_work *w, int side, uint32_t edge)
{
    const dfr_body *b = w->side[side].body;
    const uint32_t *f = b->edge[edge].facet;
    dfr_touch(w, side, f[0]);
    dfr_touch(w, side, f[1]);
    if (b->bend[edge] != DFR_CORNER)
        dfr_join(w, side, f[0], f[1]);
}

/* ---- cells along a segment ---- */

typedef struct walk {
    const dfr_body *body;
    const double *p, *q; // ends of the segment in the body's frame
    void (*hit)(void *ctx, uint32_t facet);
    void *ctx;
    uint32_t n;
    uint64_t tested;
} walk;

static void test_cell(walk *k, const int32_t cell[3])
{
    const dfr_body *b = k->body;
    const int32_t code = dfr_code(b, cell);
    if (code < 0)
        return;
    for (uint32_t f = b->first[code]; f < b->first[code + 1]; f++) {
        const uint32_t *v = b->facet[f];
        double at, from[3], to[3];
        k->tested++;
        sub(k->p, b->vertex[v[0]], from);
        sub(k->q, b->vertex[v[0]], to);
        if ((dot(from, b->normal[f]) > 0.0) == (dot(to, b->normal[f]) > 0.0) ||
            !dfr_crosses(k->p, k->q, b->vertex[v[0]], b->vertex[v[1]], b->vertex[v[2]], &at))
            continue;
        k->n++;
        k->hit(k->ctx, f);
    }
}

/* Cuts a segment in cells, u0 + t (u1 - u0), to the part in the grid. 0: none. */
static int cut_to_grid(const dfr_body *b, const double u0[3], const double u1[3], double t[2])
{
    t[0] = 0.0;
    t[1] = 1.0;
    for (int k = 0; k < 3; k++) {
        const double d = u1[k] - u0[k], n = b->grid.n[k];
        if (d == 0.0) {
            if (u0[k] < 0.0 || u0[k] > n)
                return 0;
            continue;
        }
        const double x = (0.0 - u0[k]) / d, y = (n - u0[k]) / d;
        t[0] = scree_max(t[0], scree_min(x, y));
        t[1] = scree_min(t[1], scree_max(x, y));
    }
    return t[0] <= t[1];
}

uint32_t dfr_walk(const dfr_body *b, const double p[3], const double q[3],
                  void (*hit)(void *ctx, uint32_t facet), void *ctx, uint64_t *tested)
{
    walk k = {.body = b, .p = p, .q = q, .hit = hit, .ctx = ctx};
    double u0[3], u1[3], t[2], leave[3], per_cell[3];
    int32_t cell[3], end[3], step[3];
    uint32_t most = 3;
    for (int i = 0; i < 3; i++) {
        u0[i] = b->offset[i] + p[i] * b->inverse[i];
        u1[i] = b->offset[i] + q[i] * b->inverse[i];
    }
    for (int i = 0; i < 3; i++)
        if ((u0[i] < 0.0 && u1[i] < 0.0) || (u0[i] > b->grid.n[i] && u1[i] > b->grid.n[i]))
            return 0;
    if (!cut_to_grid(b, u0, u1, t))
        return 0;
    for (int i = 0; i < 3; i++) {
        const double d = u1[i] - u0[i], last = b->grid.n[i] - 1.0;
        cell[i] = dfr_ordinate(clamp(u0[i] + t[0] * d, 0.0, last));
        end[i] = dfr_ordinate(clamp(u0[i] + t[1] * d, 0.0, last));
        step[i] = (d > 0.0) - (d < 0.0);
        leave[i] = d != 0.0 ? (cell[i] + (d > 0.0) - u0[i]) / d : HUGE_VAL;
        per_cell[i] = d != 0.0 ? fabs(1.0 / d) : HUGE_VAL;
        most += (uint32_t)abs(end[i] - cell[i]);
    }
    test_cell(&k, cell);
    for (uint32_t i = 0; i < most; i++) {
        if (cell[0] == end[0] && cell[1] == end[1] && cell[2] == end[2])
            break;
        const double next = scree_min(scree_min(leave[0], leave[1]), leave[2]);
        if (next > t[1])
            break;
        for (int axis = 0; axis < 3; axis++)
            if (leave[axis] <= next) {
                cell[axis] += step[axis];
                leave[axis] += per_cell[axis];
            }
        test_cell(&k, cell);
    }
    if (tested)
        *tested += k.tested;
    return k.n;
}

/* ---- edges of a zone ---- */

typedef struct source {
    dfr_work *w;
    int side;
    uint32_t edge;
} source;

static void keep_event(void *ctx, uint32_t facet)
{
    const source *s = ctx;
    dfr_work *w = s->w;
    dfr_touch(w, !s->side, facet);
    if (w->n_events >= w->room) {
        w->full = 1;
        return;
    }
    w->event[w->n_events++] = (dfr_event){(uint32_t)s->side, s->edge, facet};
}

static void see_vertex(dfr_work *w, const dfr_pose *pose, int side, uint32_t v)
{
    dfr_side *s = &w->side[side];
    if (s->vertex_stamp[v] == w->stamp)
        return;
    s->vertex_stamp[v] = w->stamp;
    (side ? dfr_to_a : dfr_to_b)(pose, s->body->vertex[v], s->at[v]);
    s->inside[v] = (uint8_t)dfr_inside(w->side[!side].body, s->at[v]);
}

static void march_edge(dfr_work *w, const dfr_pose *pose, int side, uint32_t e)
{
    dfr_side *s = &w->side[side];
    const uint32_t *v = s->body->edge[e].vertex;
    source from = {w, side, e};
    see_vertex(w, pose, side, v[0]);
    see_vertex(w, pose, side, v[1]);
    const uint32_t n = dfr_walk(w->side[!side].body, s->at[v[0]], s->at[v[1]], keep_event, &from,
                                &w->facets_tested);
    if (n > 0 || s->inside[v[0]] || s->inside[v[1]])
        dfr_touch_edge(w, side, e);
}

void dfr_march(dfr_work *w, const dfr_pose *pose, int side, const dfr_zone *zone)
{
    const dfr_body *b = w->side[side].body;
    int32_t lo[3], hi[3], at[3];
    if (!dfr_zone_index(b, zone, lo, hi))
        return;
    for (at[2] = lo[2]; at[2] <= hi[2]; at[2]++)
        for (at[1] = lo[1]; at[1] <= hi[1]; at[1]++)
            for (at[0] = lo[0]; at[0] <= hi[0]; at[0]++) {
                const int32_t code = dfr_code(b, at);
                w->zone_cells++;
                if (code < 0)
                    continue;
                for (uint32_t e = b->edge_first[b->first[code]];
                     e < b->edge_first[b->first[code + 1]]; e++)
                    march_edge(w, pose, side, e);
            }
}
