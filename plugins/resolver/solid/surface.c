// SPDX-License-Identifier: Apache-2.0
/*
 * surface: triangles with their edges and normals.
 *
 * Sources  [1] J. A. Baerentzen, H. Aanaes, Signed distance computation using the angle weighted
 *              pseudonormal, IEEE Transactions on Visualization and Computer Graphics 11, 2005, 243.
 *          [2] G. Thuermer, C. A. Wuethrich, Computing vertex normals from polygonal facets, Journal of
 *              Graphics Tools 3, 1998, 43.
 * Idea     quads are cut in two; edges are found by sorting the sides by their ends. The normal of an edge is
 *          the mean of those of its faces, that of a vertex is weighted by the angles of its faces [1, 2]:
 *          the sign of a distance is the side of that plane on which the point is.
 * Limits   closed surfaces that do not cross themselves.
 */
#include "surface.h"

void solid_surface_clear(solid_surface *s)
{
    void *const all[] = {s->vertex, s->triangle, s->side,        s->facet,
                         s->edge,   s->normal,   s->edge_normal, s->vertex_normal,
                         s->node,   s->order,    s->at_border};
    for (size_t k = 0; k < SCREE_COUNT(all); k++)
        free(all[k]);
    memset(s, 0, sizeof *s);
}

uint64_t solid_surface_bytes(const solid_surface *s)
{
    return (uint64_t)s->n_vertices * (2 * sizeof(scree_vec) + 1) +
           (uint64_t)s->n_triangles * (7 * sizeof(uint32_t) + sizeof(scree_vec)) +
           (uint64_t)s->n_edges * (sizeof(solid_edge) + sizeof(scree_vec)) +
           (uint64_t)s->n_nodes * sizeof(solid_node) + (uint64_t)s->n_order * sizeof(uint32_t);
}

double solid_surface_volume(const solid_surface *s)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *v = s->triangle[t];
        sum += scree_dot(s->vertex[v[0]], scree_cross(s->vertex[v[1]], s->vertex[v[2]]));
    }
    return sum / 6.0;
}

/* ---- edges ---- */

typedef struct side {
    uint32_t low, high, triangle, k;
} side;

static int compare_sides(const void *x, const void *y)
{
    const side *a = x, *b = y;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    if (a->triangle != b->triangle)
        return a->triangle < b->triangle ? -1 : 1;
    return (a->k > b->k) - (a->k < b->k);
}

static void number_edges(solid_surface *s, const side *list)
{
    for (uint32_t i = 0; i < 3 * s->n_triangles; i++) {
        const side *now = &list[i], *last = i > 0 ? &list[i - 1] : NULL;
        solid_edge *e = s->n_edges > 0 ? &s->edge[s->n_edges - 1] : NULL;
        if (last && last->low == now->low && last->high == now->high &&
            e->triangle[1] == SCREE_NONE)
            e->triangle[1] = now->triangle;
        else
            s->edge[s->n_edges++] =
                (solid_edge){{now->low, now->high}, {now->triangle, SCREE_NONE}};
        s->side[now->triangle][now->k] = s->n_edges - 1;
    }
}

static int32_t find_edges(solid_surface *s)
{
    const uint32_t n = 3 * s->n_triangles;
    side *list = malloc((n + 1ull) * sizeof *list);
    s->side = malloc((s->n_triangles + 1ull) * sizeof *s->side);
    s->edge = malloc((n + 1ull) * sizeof *s->edge);
    if (!list || !s->side || !s->edge) {
        free(list);
        return SCREE_E_MEMORY;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = s->triangle[i / 3][i % 3], b = s->triangle[i / 3][(i + 1) % 3];
        list[i] = (side){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
    }
    qsort(list, n, sizeof *list, compare_sides);
    s->n_edges = 0;
    number_edges(s, list);
    free(list);
    return SCREE_OK;
}

/* 1: the triangle goes from the edge's first vertex to its second. */
static int goes_along(const solid_surface *s, uint32_t e, uint32_t triangle)
{
    const uint32_t *v = s->triangle[triangle];
    for (int k = 0; k < 3; k++)
        if (v[k] == s->edge[e].vertex[0])
            return v[(k + 1) % 3] == s->edge[e].vertex[1];
    return 0;
}

uint32_t solid_surface_n_open(const solid_surface *s)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < s->n_edges; e++)
        n += s->edge[e].triangle[1] == SCREE_NONE ||
             goes_along(s, e, s->edge[e].triangle[0]) == goes_along(s, e, s->edge[e].triangle[1]);
    return n;
}

/* ---- normals ---- */

/* Area over the square of a side: the normal of a thinner triangle is rounding. Its neighbours' edges stand for it. */
static const double NEEDLE = 1e-9;

/* [rad] Between two unit vectors, by halving and the series of a chord: no arc cosine, whose last bit differs
 * between machines. */
static double angle_between(scree_vec u, scree_vec v)
{
    double factor = 1.0;
    for (int k = 0; k < 5; k++) {
        const scree_vec half = scree_sum(u, v);
        v = scree_dot(half, half) > 0.0 ? solid_unit(half)
                                        : solid_unit(scree_vec_of(-u.y, u.x, 1.0 - u.z));
        factor *= 2.0;
    }
    const double c = solid_length(scree_less(u, 1.0, v)), c2 = c * c;
    return factor * c * (1.0 + c2 * (1.0 / 24.0 + c2 * (3.0 / 640.0)));
}

static int32_t find_normals(solid_surface *s)
{
    s->normal = malloc((s->n_triangles + 1ull) * sizeof *s->normal);
    s->edge_normal = malloc((s->n_edges + 1ull) * sizeof *s->edge_normal);
    s->vertex_normal = calloc(s->n_vertices + 1ull, sizeof *s->vertex_normal);
    s->at_border = calloc(s->n_vertices + 1ull, 1);
    if (!s->normal || !s->edge_normal || !s->vertex_normal || !s->at_border)
        return SCREE_E_MEMORY;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *v = s->triangle[t];
        const scree_vec a = s->vertex[v[0]], b = s->vertex[v[1]], c = s->vertex[v[2]];
        const scree_vec ab = scree_less(b, 1.0, a), ac = scree_less(c, 1.0, a);
        const scree_vec across = scree_cross(ab, ac);
        const double longest = scree_max(scree_dot(ab, ab), scree_dot(ac, ac));
        s->normal[t] = solid_length(across) > NEEDLE * longest ? solid_unit(across)
                                                               : scree_vec_of(0.0, 0.0, 0.0);
        for (int k = 0; k < 3; k++) {
            const scree_vec p = s->vertex[v[k]];
            const double angle =
                angle_between(solid_unit(scree_less(s->vertex[v[(k + 1) % 3]], 1.0, p)),
                              solid_unit(scree_less(s->vertex[v[(k + 2) % 3]], 1.0, p)));
            s->vertex_normal[v[k]] = scree_less(s->vertex_normal[v[k]], -angle, s->normal[t]);
        }
    }
    for (uint32_t e = 0; e < s->n_edges; e++) {
        const uint32_t other = s->edge[e].triangle[1];
        const scree_vec first = s->normal[s->edge[e].triangle[0]];
        if (other == SCREE_NONE)
            for (int k = 0; k < 2; k++)
                s->at_border[s->edge[e].vertex[k]] = 1;
        s->edge_normal[e] =
            other == SCREE_NONE ? first : solid_unit(scree_sum(first, s->normal[other]));
    }
    for (uint32_t v = 0; v < s->n_vertices; v++)
        s->vertex_normal[v] = solid_unit(s->vertex_normal[v]);
    return SCREE_OK;
}

static void find_box(solid_surface *s)
{
    for (int k = 0; k < 3; k++) {
        s->lo[k] = HUGE_VAL;
        s->hi[k] = -HUGE_VAL;
    }
    for (uint32_t v = 0; v < s->n_vertices; v++) {
        const double at[3] = {s->vertex[v].x, s->vertex[v].y, s->vertex[v].z};
        for (int k = 0; k < 3; k++) {
            s->lo[k] = scree_min(s->lo[k], at[k]);
            s->hi[k] = scree_max(s->hi[k], at[k]);
        }
    }
    s->size = 0.0;
    for (int k = 0; k < 3; k++)
        s->size = scree_max(s->size, s->hi[k] - s->lo[k]);
}

int32_t solid_surface_finish(solid_surface *s)
{
    find_box(s);
    int32_t status = find_edges(s);
    if (status == SCREE_OK)
        status = find_normals(s);
    return status == SCREE_OK ? solid_tree_build(s) : status;
}

static uint32_t corners_of(const scree_mesh *mesh, uint32_t f)
{
    return mesh->facet[4 * (uint64_t)f + 3] == SCREE_NONE ? 3 : 4;
}

int32_t solid_surface_of_mesh(const scree_mesh *mesh, solid_surface *out)
{
    memset(out, 0, sizeof *out);
    out->n_vertices = mesh->n_vertices;
    out->n_facets = mesh->n_facets;
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        out->n_triangles += corners_of(mesh, f) - 2;
    out->vertex = malloc((mesh->n_vertices + 1ull) * sizeof *out->vertex);
    out->triangle = malloc((out->n_triangles + 1ull) * sizeof *out->triangle);
    out->facet = malloc((out->n_triangles + 1ull) * sizeof *out->facet);
    if (!out->vertex || !out->triangle || !out->facet)
        return SCREE_E_MEMORY;
    for (uint32_t v = 0; v < mesh->n_vertices; v++)
        out->vertex[v] = scree_vec_at(mesh->vertex, v);
    uint32_t t = 0;
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        for (uint32_t k = 2; k < corners_of(mesh, f); k++) {
            const uint32_t *v = mesh->facet + 4 * (uint64_t)f;
            out->triangle[t][0] = v[0];
            out->triangle[t][1] = v[k - 1];
            out->triangle[t][2] = v[k];
            out->facet[t++] = f;
        }
    return solid_surface_finish(out);
}

solid_matrix solid_turn_of(const scree_bodies *bodies, uint32_t i)
{
    const double w = bodies->q[0][i], x = bodies->q[1][i], y = bodies->q[2][i], z = bodies->q[3][i];
    return (solid_matrix){
        {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
         {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
         {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}}};
}
