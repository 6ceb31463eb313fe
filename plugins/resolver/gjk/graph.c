// SPDX-License-Identifier: Apache-2.0
// Corners, edges and faces next to each other, so that searches walk instead of looking at all.
/*
 * Idea     Corners of a convex polytope above some level are connected by its edges. So going up
 *          from neighbour to neighbour leads from any corner to the highest. A table of directions
 *          has a corner to start from, which is one or two steps away; as it depends on the
 *          direction only, and the highest corners are all looked at in the end, no walk leaves a
 *          trace in the result.
 * Rounding Heights are compared in the frame of the shape. Those that are within `slack` of the highest are compared
 *          again as corners are placed in the world, and the first of the highest is taken: what looking at all
 *          corners there would find.
 * Faces    the nearest normal need not be of a face at the highest corner: such a face is a bound, and all whose
 *          normals have a first component that is near enough are looked at.
 * Limits   The polytope has to be convex up to rounding, and blunt at its corners: `fit`. Others do without.
 */
#include "graph.h"

#include <stdlib.h>

enum { CELLS = 8, MOST_PLATEAU = 64, LANES = 8, BLOCK = 64 };
#define ROUNDED 1e-13 /* part of the size by which a polytope may deviate from convex */
#define BLUNT 0.1     /* least cosine between the normals at a corner and their mean */
#define SLACK 1e-11   /* part of the size: heights that may be equal up to rounding */

/* ---- making ---- */

static scree_vec corner_at(const polytope *p, uint32_t v)
{
    return scree_vec_of(p->vertex[0][v], p->vertex[1][v], p->vertex[2][v]);
}

/* Is a corner that is higher than its neighbours by `slack` always the highest? Then its direction
 * is a sum of few normals there, with weights of at most 1 / BLUNT. */
static int is_fit(const polytope *p, const graph *g)
{
    if (!(p->off <= ROUNDED * p->size))
        return 0;
    for (uint32_t v = 0; v < p->n_vertices; v++) {
        scree_vec sum = {0, 0, 0};
        for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++)
            for (int i = 0; i < 2; i++)
                sum = scree_sum(sum, p->normal[p->edges[g->edge[k]].face[i]]);
        const double least = BLUNT * length_of(sum);
        for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++)
            for (int i = 0; i < 2; i++)
                if (!(scree_dot(sum, p->normal[p->edges[g->edge[k]].face[i]]) > least))
                    return 0;
    }
    return 1;
}

static void link_corners(const polytope *p, graph *g)
{
    for (uint32_t e = 0; e < p->n_edges; e++) {
        g->first[p->edges[e].from + 1]++;
        g->first[p->edges[e].to + 1]++;
        const scree_vec from = corner_at(p, p->edges[e].from), to = corner_at(p, p->edges[e].to);
        g->longest = scree_max(g->longest, length_of(scree_less(to, 1.0, from)));
    }
    for (uint32_t v = 0; v < p->n_vertices; v++)
        g->first[v + 1] += g->first[v];
    for (uint32_t e = 0; e < p->n_edges; e++)
        for (int k = 0; k < 2; k++) {
            const uint32_t v = k ? p->edges[e].to : p->edges[e].from,
                           w = k ? p->edges[e].from : p->edges[e].to;
            g->near[g->first[v]] = w;
            g->edge[g->first[v]++] = e;
        }
    for (uint32_t v = p->n_vertices; v > 0; v--)
        g->first[v] = g->first[v - 1];
    g->first[0] = 0;
}

/* The highest corner that a walk from v comes to; *near: 1 when a neighbour is equally high within
 * `slack`. */
static uint32_t climb(const polytope *p, scree_vec n, uint32_t v, double slack, int *near)
{
    const graph *g = p->graph;
    const double *x = p->vertex[0], *y = p->vertex[1], *z = p->vertex[2];
    double top = n.x * x[v] + n.y * y[v] + n.z * z[v];
    for (;;) {
        uint32_t to = v;
        double most = top, next = -(double)INFINITY;
        for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
            const uint32_t w = g->near[k];
            const double at = n.x * x[w] + n.y * y[w] + n.z * z[w];
            next = scree_max(next, at);
            to = at > most ? w : to;
            most = scree_max(most, at);
        }
        *near = next >= top - slack;
        if (to == v)
            return v;
        v = to;
        top = most;
    }
}

/* The cell of a direction in the table: a cube with CELLS * CELLS cells on each side. */
static uint32_t cell_of(scree_vec n)
{
    const double c[3] = {n.x, n.y, n.z}, a[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
    const uint32_t k = a[0] >= a[1] && a[0] >= a[2] ? 0 : a[1] >= a[2] ? 1 : 2;
    const double by = a[k] > 0.0 ? 0.5 * CELLS / a[k] : 0.0;
    const double u = c[(k + 1) % 3] * by + 0.5 * CELLS, v = c[(k + 2) % 3] * by + 0.5 * CELLS;
    const uint32_t i = u < CELLS - 1 ? (uint32_t)u : CELLS - 1,
                   j = v < CELLS - 1 ? (uint32_t)v : CELLS - 1;
    return ((2 * k + (c[k] < 0.0)) * CELLS + i) * CELLS + j;
}

static void fill_starts(const polytope *p)
{
    uint32_t v = 0;
    for (uint32_t cell = 0; cell < 6 * CELLS * CELLS; cell++) {
        const uint32_t side = cell / (CELLS * CELLS), k = side / 2;
        double c[3];
        int near;
        c[k] = side % 2 ? -1.0 : 1.0;
        c[(k + 1) % 3] = (cell / CELLS % CELLS + 0.5) * 2.0 / CELLS - 1.0;
        c[(k + 2) % 3] = (cell % CELLS + 0.5) * 2.0 / CELLS - 1.0;
        v = climb(p, scree_vec_of(c[0], c[1], c[2]), v, 0.0, &near);
        p->graph->start[cell] = v;
    }
}

typedef struct ranked {
    double x;
    uint32_t face;
} ranked;

static int by_x(const void *l, const void *r)
{
    const ranked *a = l, *b = r;
    return a->x < b->x ? -1 : a->x > b->x ? 1 : a->face < b->face ? -1 : a->face > b->face;
}

static int order_faces(const polytope *p, graph *g)
{
    ranked *all = calloc(p->n_faces, sizeof *all);
    if (!all)
        return 0;
    for (uint32_t f = 0; f < p->n_faces; f++)
        all[f] = (ranked){p->normal[f].x, f};
    qsort(all, p->n_faces, sizeof *all, by_x);
    for (uint32_t f = 0; f < p->n_faces; f++)
        g->order[f] = all[f].face;
    free(all);
    return 1;
}

void graph_make(polytope *p)
{
    const uint64_t v = p->n_vertices, e = p->n_edges, f = p->n_faces;
    const uint64_t cells = 6ull * CELLS * CELLS;
    if (v <= GRAPH_FEW)
        return;
    const uint64_t bytes = sizeof(graph) + (v + 1 + 4 * e + cells + f) * sizeof(uint32_t);
    graph *g = calloc(1, bytes);
    if (!g)
        return;
    g->bytes = bytes;
    g->first = (uint32_t *)(void *)(g + 1);
    g->near = g->first + v + 1;
    g->edge = g->near + 2 * e;
    g->start = g->edge + 2 * e;
    g->order = g->start + cells;
    link_corners(p, g);
    if (!is_fit(p, g) || !order_faces(p, g)) {
        free(g);
        return;
    }
    p->graph = g;
    fill_starts(p);
}

void graph_free(graph *g)
{
    free(g);
}

/* ---- heights ---- */

/* [m] Slack in the frame of the shape, for errors of heights in the world and of a polytope that is
 * not quite convex. */
static double slack_of(const convex *c, double length)
{
    const double far = fabs(c->centre.x) + fabs(c->centre.y) + fabs(c->centre.z);
    return length * (SLACK * c->flat->size + 1e-14 * far / c->scale);
}

/* 1: `number` is not in the list. */
static int is_new(const uint32_t *list, uint32_t n, uint32_t number)
{
    for (uint32_t k = 0; k < n; k++)
        if (list[k] == number)
            return 0;
    return 1;
}

/* Lists the corners connected with v that are equally high within `slack`; *higher: a corner that
 * is still higher, or v. SCREE_NONE: they are many. */
static uint32_t plateau(const polytope *p, scree_vec n, uint32_t v, double slack, uint32_t *list,
                        uint32_t *higher)
{
    const graph *g = p->graph;
    const double level = scree_dot(n, corner_at(p, v));
    uint32_t count = 1;
    list[0] = *higher = v;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = g->first[list[i]]; k < g->first[list[i] + 1]; k++) {
            const uint32_t w = g->near[k];
            const double at = scree_dot(n, corner_at(p, w));
            if (!(at >= level - slack) || !is_new(list, count, w))
                continue;
            if (count == MOST_PLATEAU)
                return SCREE_NONE;
            list[count++] = w;
            *higher = at > level + slack ? w : *higher;
        }
    return count;
}

/* The first corner of all that is highest in the world. */
static uint32_t first_of_all(const convex *c, scree_vec n)
{
    double most = -(double)INFINITY;
    uint32_t best = 0;
    for (uint32_t v = 0; v < c->flat->n_vertices; v++) {
        const double at = scree_dot(n, corner(c, v));
        best = at > most ? v : best;
        most = at > most ? at : most;
    }
    return best;
}

uint32_t graph_farthest(const convex *c, scree_vec n)
{
    const polytope *p = c->flat;
    const scree_vec way = turned_back(c, n);
    const double slack = slack_of(c, fabs(n.x) + fabs(n.y) + fabs(n.z));
    uint32_t list[MOST_PLATEAU], higher;
    int near;
    uint32_t v = climb(p, way, p->graph->start[cell_of(way)], slack, &near);
    if (!near)
        return v;
    for (;;) {
        const uint32_t count = plateau(p, way, v, slack, list, &higher);
        if (count == SCREE_NONE)
            return first_of_all(c, n);
        if (higher == v) {
            uint32_t best = v;
            double most = scree_dot(n, corner(c, v));
            for (uint32_t k = 1; k < count; k++) {
                const double at = scree_dot(n, corner(c, list[k]));
                best = at > most || (at == most && list[k] < best) ? list[k] : best;
                most = scree_max(most, at);
            }
            return best;
        }
        v = climb(p, way, higher, slack, &near);
    }
}

double graph_height(const polytope *p, scree_vec n)
{
    int near;
    const double slack = SLACK * p->size * length_of(n);
    uint32_t list[MOST_PLATEAU], higher, v = climb(p, n, p->graph->start[cell_of(n)], slack, &near);
    double top = scree_dot(n, corner_at(p, v));
    while (near) {
        const uint32_t count = plateau(p, n, v, slack, list, &higher);
        const uint32_t n_high = count == SCREE_NONE ? 0 : count;
        for (uint32_t k = 0; k < n_high; k++)
            top = scree_max(top, scree_dot(n, corner_at(p, list[k])));
        if (count == SCREE_NONE || higher == v)
            break;
        v = climb(p, n, higher, slack, &near);
    }
    return top;
}

/* ---- faces ---- */

static void take_nearer(const polytope *p, scree_vec n, uint32_t f, uint32_t *best, double *most)
{
    const double along = scree_dot(p->normal[f], n);
    if (along > *most || (along == *most && f < *best))
        *best = f;
    *most = scree_max(*most, along);
}

uint32_t graph_facing(const polytope *p, scree_vec n)
{
    const graph *g = p->graph;
    const double length = length_of(n);
    int near;
    const uint32_t v = climb(p, n, g->start[cell_of(n)], 0.0, &near);
    uint32_t best = p->edges[g->edge[g->first[v]]].face[0];
    double most = scree_dot(p->normal[best], n);
    for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++)
        for (int i = 0; i < 2; i++)
            take_nearer(p, n, p->edges[g->edge[k]].face[i], &best, &most);
    // |normal - n / length|^2 of those that are nearer
    const double square = scree_max(2.0 - 2.0 * most / length, 0.0) + 1e-14;
    const double middle = n.x / length, by = sqrt(square);
    uint32_t low = 0, high = p->n_faces;
    while (low < high) {
        const uint32_t at = low + (high - low) / 2;
        if (p->normal[g->order[at]].x < middle - by)
            low = at + 1;
        else
            high = at;
    }
    for (; low < p->n_faces && p->normal[g->order[low]].x <= middle + by; low++)
        take_nearer(p, n, g->order[low], &best, &most);
    return best;
}

/* ---- lists ---- */

int graph_insert(uint32_t *list, uint32_t *n, uint32_t most, uint32_t number)
{
    uint32_t at = *n;
    while (at > 0 && list[at - 1] > number)
        at--;
    if (at > 0 && list[at - 1] == number)
        return 1;
    if (*n == most)
        return 0;
    for (uint32_t k = (*n)++; k > at; k--)
        list[k] = list[k - 1];
    list[at] = number;
    return 1;
}

static int by_number(const void *l, const void *r)
{
    const uint32_t a = *(const uint32_t *)l, b = *(const uint32_t *)r;
    return a < b ? -1 : a > b;
}

static int is_beside(scree_vec n, scree_vec from, scree_vec x, double lean, double slack)
{
    const scree_vec d = scree_less(from, 1.0, x);
    const double drop = scree_dot(n, d) - slack;
    return drop <= 0.0 || drop * drop <= lean * lean * scree_dot(d, d);
}

uint32_t graph_beside(const convex *c, scree_vec n, uint32_t from, double lean, double slack,
                      uint32_t *list, uint32_t most)
{
    const graph *g = c->flat->graph;
    const scree_vec top = corner(c, from);
    uint32_t count = 1;
    list[0] = from;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = g->first[list[i]]; k < g->first[list[i] + 1]; k++) {
            const uint32_t w = g->near[k];
            if (!is_beside(n, top, corner(c, w), lean, slack) || !is_new(list, count, w))
                continue;
            if (count == most)
                return SCREE_NONE;
            list[count++] = w;
        }
    if (count > 1)
        qsort(list, count, sizeof *list, by_number);
    return count;
}

/* A place under a face, in the frame of the shape. */
typedef struct column {
    scree_vec n, q;
    double above, square;
} column;

/* Below 0: a corner is in the column. */
static inline double off_column(double x, double y, double z, const column *at)
{
    const double dx = x - at->q.x, dy = y - at->q.y, dz = z - at->q.z;
    const double along = at->n.x * dx + at->n.y * dy + at->n.z * dz;
    const double over = along - at->above,
                 beside = dx * dx + dy * dy + dz * dz - along * along - at->square;
    return over > beside ? over : beside;
}

/* The least value of a block; lanes avoid one long chain of operations. */
static double least_off(const double *restrict x, const double *restrict y,
                        const double *restrict z, const column *of)
{
    const column at = *of;
    double least[LANES], all = 1.0;
    for (int l = 0; l < LANES; l++)
        least[l] = 1.0;
    for (uint32_t v = 0; v < BLOCK; v += LANES)
        for (uint32_t l = 0; l < LANES; l++) {
            const double off = off_column(x[v + l], y[v + l], z[v + l], &at);
            least[l] = off < least[l] ? off : least[l];
        }
    for (int l = 0; l < LANES; l++)
        all = scree_min(all, least[l]);
    return all;
}

uint32_t graph_under(const convex *c, scree_vec n, scree_vec q, double above, double beside,
                     uint32_t *list, uint32_t most)
{
    const polytope *p = c->flat;
    const scree_vec d = scree_scaled(1.0 / c->scale, scree_less(q, 1.0, c->centre));
    const double slack = 1e-9 * p->size + slack_of(c, 1.0);
    const double radius = beside / c->scale + 1e-6 * p->size + slack;
    const column at = {turned_back(c, n), turned_back(c, d), above / c->scale + slack,
                       radius * radius};
    const double *x = p->vertex[0], *y = p->vertex[1], *z = p->vertex[2];
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->n_vertices; v += BLOCK) {
        const uint32_t last = v + BLOCK < p->n_vertices ? v + BLOCK : p->n_vertices;
        if (last == v + BLOCK && !(least_off(x + v, y + v, z + v, &at) < 0.0))
            continue;
        for (uint32_t w = v; w < last; w++) {
            if (!(off_column(x[w], y[w], z[w], &at) < 0.0))
                continue;
            if (count == most)
                return SCREE_NONE;
            list[count++] = w;
        }
    }
    return count;
}
