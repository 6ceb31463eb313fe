// SPDX-License-Identifier: Apache-2.0
/*
 * tree: closest points of a surface of triangles.
 *
 * Sources  C. Ericson, Real-Time Collision Detection, 2005, 5.1.5: regions of a triangle; the sign:
 *          surface.c [1].
 * Idea     boxes of triangles, cut at the median of the longer axis until a leaf has four. The search enters the
 *          nearer child first, and leaves out boxes that are farther than what it has found.
 * Cost     n log n to build; about log n boxes per point when the limit is near the surface.
 * One state  of equal distances the lowest triangle counts, whatever the order of the search.
 */
#include "surface.h"

enum { LEAF = 4, MOST_DEEP = 64 };

/* ---- build ---- */

typedef struct builder {
    const solid_surface *s;
    scree_vec *middle; // [n_triangles] [m]
} builder;

static double along(scree_vec v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void bound(const solid_surface *s, solid_node *node)
{
    for (int k = 0; k < 3; k++) {
        node->lo[k] = HUGE_VAL;
        node->hi[k] = -HUGE_VAL;
        for (uint32_t i = node->first; i < node->first + node->n; i++)
            for (int c = 0; c < 3; c++) {
                const double at = along(s->vertex[s->triangle[s->order[i]][c]], k);
                node->lo[k] = scree_min(node->lo[k], at);
                node->hi[k] = scree_max(node->hi[k], at);
            }
    }
}

/* 1: triangle a comes before b along the axis; equal ones by number. */
static int before(const builder *b, int axis, uint32_t i, uint32_t j)
{
    const double x = along(b->middle[i], axis), y = along(b->middle[j], axis);
    return x < y || (x == y && i < j);
}

/* Puts the median of n triangles in the middle, lower ones before it. */
static void split(const builder *b, uint32_t *order, uint32_t n, int axis)
{
    uint32_t from = 0, to = n - 1;
    while (from < to) {
        const uint32_t pivot = order[(from + to) / 2];
        uint32_t i = from, j = to;
        while (i <= j) {
            while (before(b, axis, order[i], pivot))
                i++;
            while (before(b, axis, pivot, order[j]))
                j--;
            if (i <= j) {
                const uint32_t keep = order[i];
                order[i++] = order[j];
                order[j] = keep;
                if (j-- == 0)
                    break;
            }
        }
        if (n / 2 <= j && j != SCREE_NONE)
            to = j;
        else if (n / 2 >= i)
            from = i;
        else
            return;
    }
}

/* Makes node number `at` and all nodes below it. */
static void grow(const builder *b, solid_surface *s, uint32_t at, uint32_t first, uint32_t n)
{
    solid_node *node = &s->node[at];
    *node = (solid_node){.first = first, .n = n};
    bound(s, node);
    if (n <= LEAF)
        return;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        axis = node->hi[k] - node->lo[k] > node->hi[axis] - node->lo[axis] ? k : axis;
    split(b, s->order + first, n, axis);
    node->n = 0;
    s->n_nodes++;
    grow(b, s, at + 1, first, n / 2);
    node->right = s->n_nodes++;
    grow(b, s, node->right, first + n / 2, n - n / 2);
}

int32_t solid_tree_build(solid_surface *s)
{
    builder b = {s, malloc((s->n_triangles + 1ull) * sizeof *b.middle)};
    s->order = malloc((s->n_triangles + 1ull) * sizeof *s->order);
    s->node = malloc((2ull * s->n_triangles + 1) * sizeof *s->node);
    if (!b.middle || !s->order || !s->node) {
        free(b.middle);
        return SCREE_E_MEMORY;
    }
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *v = s->triangle[t];
        b.middle[t] = scree_sum(scree_sum(s->vertex[v[0]], s->vertex[v[1]]), s->vertex[v[2]]);
        if (scree_dot(s->normal[t], s->normal[t]) > 0.0)
            s->order[s->n_order++] = t;
    }
    s->n_nodes = 1;
    grow(&b, s, 0, 0, s->n_order);
    free(b.middle);
    return SCREE_OK;
}

/* ---- closest point ---- */

static double clamp(double t)
{
    return scree_max(scree_min(t, 1.0), 0.0);
}

/* [m^2] Squared distance from the edge p to p + u; *t: place on it. */
static double from_edge(scree_vec p, scree_vec u, scree_vec x, double *t)
{
    const scree_vec r = scree_less(x, 1.0, p);
    const double square = scree_dot(u, u);
    *t = clamp(square > 0.0 ? scree_dot(r, u) / square : 0.0);
    const scree_vec off = scree_less(r, *t, u);
    return scree_dot(off, off);
}

double solid_triangle_closest(scree_vec a, scree_vec b, scree_vec c, scree_vec x, scree_vec *foot,
                              uint32_t *where)
{
    const scree_vec corner[3] = {a, b, c};
    const scree_vec ab = scree_less(b, 1.0, a), ac = scree_less(c, 1.0, a);
    const scree_vec n = scree_cross(ab, ac), r = scree_less(x, 1.0, a);
    const double nn = scree_dot(n, n);
    const double v = scree_dot(scree_cross(r, ac), n), w = scree_dot(scree_cross(ab, r), n);
    if (v >= 0.0 && w >= 0.0 && v + w <= nn && nn > 0.0) { // over the face
        const double height = scree_dot(r, n);
        *foot = scree_less(x, height / nn, n);
        *where = 0;
        return height * height / nn;
    }
    double best = HUGE_VAL;
    *foot = a;
    *where = 4;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t next = k < 2 ? k + 1 : 0;
        const scree_vec u = scree_less(corner[next], 1.0, corner[k]);
        double t;
        const double square = from_edge(corner[k], u, x, &t);
        if (square >= best)
            continue;
        best = square;
        *foot = scree_less(corner[k], -t, u);
        *where = t <= 0.0 ? 4 + k : t >= 1.0 ? 4 + next : 1 + k;
    }
    return best;
}

static double from_box(const solid_node *node, const double x[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double off = scree_max(scree_max(node->lo[k] - x[k], x[k] - node->hi[k]), 0.0);
        sum += off * off;
    }
    return sum;
}

typedef struct search {
    double best; // [m^2]
    scree_vec foot;
    uint32_t triangle, where;
} search;

static void try_triangle(const solid_surface *s, uint32_t t, scree_vec x, search *found)
{
    const uint32_t *v = s->triangle[t];
    const double height = scree_dot(scree_less(x, 1.0, s->vertex[v[0]]), s->normal[t]);
    scree_vec foot;
    uint32_t where;
    if (height * height > found->best * (1.0 + 1e-9))
        return; // the triangle's plane is farther
    const double square =
        solid_triangle_closest(s->vertex[v[0]], s->vertex[v[1]], s->vertex[v[2]], x, &foot, &where);
    if (square < found->best || (square == found->best && t < found->triangle))
        *found = (search){square, foot, t, where};
}

static void try_leaf(const solid_surface *s, const solid_node *node, scree_vec x, search *found)
{
    for (uint32_t i = node->first; i < node->first + node->n; i++)
        try_triangle(s, s->order[i], x, found);
}

static solid_foot sign_of(const solid_surface *s, scree_vec x, const search *found)
{
    const uint32_t t = found->triangle, where = found->where;
    const scree_vec off = scree_less(x, 1.0, found->foot);
    const scree_vec outward = where == 0  ? s->normal[t]
                              : where < 4 ? s->edge_normal[s->side[t][where - 1]]
                                          : s->vertex_normal[s->triangle[t][where - 4]];
    const double side = scree_dot(off, outward), length = sqrt(found->best);
    const int border = where == 0  ? 0
                       : where < 4 ? s->edge[s->side[t][where - 1]].triangle[1] == SCREE_NONE
                                   : s->at_border[s->triangle[t][where - 4]];
    solid_foot out = {.distance = side < 0.0 ? -length : length,
                      .normal = outward,
                      .triangle = t,
                      .facet = s->facet ? s->facet[t] : t,
                      .found = 1,
                      .border = border};
    if (where == 0)
        out.distance = scree_dot(scree_less(x, 1.0, s->vertex[s->triangle[t][0]]), outward);
    else if (length > 1e-13 * s->size)
        out.normal = scree_scaled((side < 0.0 ? -1.0 : 1.0) / solid_length(off), off);
    return out;
}

solid_foot solid_tree_closest_of(const solid_surface *s, scree_vec x, double limit,
                                 uint32_t n_likely, const uint32_t *likely)
{
    const double at[3] = {x.x, x.y, x.z};
    uint32_t stack[MOST_DEEP], n = 0;
    search found = {
        .best = limit < 1e150 ? limit * limit : HUGE_VAL, .foot = x, .triangle = SCREE_NONE};
    for (uint32_t k = 0; k < n_likely; k++)
        try_triangle(s, likely[k], x, &found);
    stack[n++] = 0;
    while (n > 0) {
        const uint32_t number = stack[--n];
        const solid_node *node = &s->node[number];
        if (from_box(node, at) > found.best)
            continue;
        if (node->n > 0) {
            try_leaf(s, node, x, &found);
            continue;
        }
        const double left = from_box(&s->node[number + 1], at);
        const double right = from_box(&s->node[node->right], at);
        stack[n++] = left <= right ? node->right : number + 1;
        stack[n++] = left <= right ? number + 1 : node->right;
    }
    if (found.triangle == SCREE_NONE)
        return (solid_foot){.distance = HUGE_VAL};
    return sign_of(s, x, &found);
}

solid_foot solid_tree_closest(const solid_surface *s, scree_vec x, double limit)
{
    return solid_tree_closest_of(s, x, limit, 0, NULL);
}
