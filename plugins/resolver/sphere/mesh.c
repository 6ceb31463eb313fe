// SPDX-License-Identifier: Apache-2.0
// Topology of a facet shape as the resolver `sphere` wants it: flat patches, edges, vertices.
#include <math.h>

#include "sphere.h"

/* A foot that lies outside a flat edge by less than this part of the shape's radius is inside: the
 * two facets at the edge may round differently, and both missing the ball would be worse than both
 * having it (they are one patch, so it still counts once). */
#define FLAT_SLACK 1e-11

typedef struct half_edge {
    uint32_t low, high; /* vertices */
    uint32_t facet, side;
} half_edge;

typedef struct place {
    double x[3];
    uint32_t vertex;
} place;

static int order_places(const void *left, const void *right)
{
    const place *l = left, *r = right;
    for (int k = 0; k < 3; k++)
        if (l->x[k] != r->x[k])
            return l->x[k] < r->x[k] ? -1 : 1;
    return (l->vertex > r->vertex) - (l->vertex < r->vertex);
}

static int order_half_edges(const void *left, const void *right)
{
    const half_edge *l = left, *r = right;
    if (l->low != r->low)
        return l->low < r->low ? -1 : 1;
    if (l->high != r->high)
        return l->high < r->high ? -1 : 1;
    if (l->facet != r->facet)
        return l->facet < r->facet ? -1 : 1;
    return (l->side > r->side) - (l->side < r->side);
}

/* Vertices at exactly one place become the lowest of them: same_as[i] <= i. */
static int merge_vertices(const scree_shape *shape, uint32_t *same_as)
{
    place *places = malloc((shape->mesh->n_vertices + 1u) * sizeof *places);
    if (!places)
        return 0;
    for (uint32_t i = 0; i < shape->mesh->n_vertices; i++) {
        for (int k = 0; k < 3; k++)
            places[i].x[k] = shape->mesh->vertex[k][i];
        places[i].vertex = i;
    }
    qsort(places, shape->mesh->n_vertices, sizeof *places, order_places);
    for (uint32_t i = 0; i < shape->mesh->n_vertices; i++) {
        int same = i > 0 && places[i].x[0] == places[i - 1].x[0] &&
                   places[i].x[1] == places[i - 1].x[1] && places[i].x[2] == places[i - 1].x[2];
        same_as[places[i].vertex] = same ? same_as[places[i - 1].vertex] : places[i].vertex;
    }
    free(places);
    return 1;
}

static int is_flat(const mesh *m, uint32_t facet, uint32_t side)
{
    return m->shape->mesh->edge[4 * (uint64_t)facet + side] == SCREE_EDGE_FLAT;
}

/* Computes normal, sides and vertices of facet f; 0 when it has no area or a wrong index, or is not
 * convex. */
static int build_facet(mesh *m, uint32_t f, const uint32_t *same_as)
{
    mesh_facet *facet = &m->facet[f];
    const uint32_t *vertex = m->shape->mesh->facet + 4 * (uint64_t)f;
    const uint32_t most = m->dimension == 2 ? 2 : 4, least = m->dimension == 2 ? 2 : 3;
    double along[3], other[3], length2;
    while (facet->n < most && vertex[facet->n] != SCREE_NONE) {
        if (vertex[facet->n] >= m->n_vertices)
            return 0;
        facet->vertex[facet->n] = same_as[vertex[facet->n]];
        facet->n++;
    }
    if (facet->n < least)
        return 0;
    facet->n_edges = m->dimension == 2 ? 0 : facet->n;
    facet->patch = SCREE_NONE;
    memcpy(facet->origin, m->vertex[facet->vertex[0]].x, sizeof facet->origin);
    sub3(m->vertex[facet->vertex[1]].x, facet->origin, along);
    if (m->dimension == 2) {
        memcpy(facet->normal, (double[3]){along[1], -along[0], 0.0}, sizeof facet->normal);
    } else {
        sub3(m->vertex[facet->vertex[2]].x, facet->origin, other);
        cross3(along, other, facet->normal);
    }
    length2 = dot3(facet->normal, facet->normal);
    if (!(length2 > 0.0 && isfinite(length2)))
        return 0;
    for (int k = 0; k < 3; k++)
        facet->normal[k] /= sqrt(length2);
    return 1;
}

/* Computes the lines that bound facet f in its plane; 0 when it is not convex. */
static int build_sides(mesh *m, uint32_t f)
{
    mesh_facet *facet = &m->facet[f];
    for (uint32_t s = 0; s < facet->n; s++) {
        mesh_side *side = &facet->side[s];
        const double *here = m->vertex[facet->vertex[s]].x;
        const double *next = m->vertex[facet->vertex[(s + 1) % facet->n]].x;
        double along[3], length;
        sub3(next, here, along);
        if (m->dimension == 2)
            memcpy(side->inward, along, sizeof along); // in 2D the sides are the ends
        else
            cross3(facet->normal, along, side->inward);
        length = sqrt(dot3(side->inward, side->inward));
        if (!(length > 0.0))
            return 0;
        for (int k = 0; k < 3; k++)
            side->inward[k] /= length;
        memcpy(side->from, here, sizeof side->from);
        side->slack = is_flat(m, f, s) ? FLAT_SLACK * m->shape->radius : 0.0;
        for (uint32_t v = 0; v < facet->n; v++) {
            double to[3];
            sub3(m->vertex[facet->vertex[v]].x, here, to);
            if (dot3(to, side->inward) < -1e-6 * length)
                return 0;
        }
    }
    return 1;
}

/* Numbers the edges in ascending order of their ends; one is flat when all its facets say so. */
static int build_edges(mesh *m)
{
    uint64_t n = 0;
    half_edge *half;
    for (uint32_t f = 0; f < m->n_facets; f++)
        n += m->facet[f].n_edges;
    half = malloc((n + 1) * sizeof *half);
    m->edge = calloc(n + 1, sizeof *m->edge);
    if (!half || !m->edge) {
        free(half);
        return 0;
    }
    n = 0;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < m->facet[f].n_edges; s++) {
            uint32_t u = m->facet[f].vertex[s], v = m->facet[f].vertex[(s + 1) % m->facet[f].n];
            half[n++] = (half_edge){u < v ? u : v, u < v ? v : u, f, s};
        }
    qsort(half, n, sizeof *half, order_half_edges);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t f = half[i].facet, flat = is_flat(m, f, half[i].side);
        mesh_edge *edge = m->edge + m->n_edges - 1;
        if (i == 0 || half[i].low != half[i - 1].low || half[i].high != half[i - 1].high) {
            edge = m->edge + m->n_edges++;
            edge->low = half[i].low;
            edge->high = half[i].high;
            edge->flat_patch = m->facet[f].patch;
            memcpy(edge->from, m->vertex[edge->low].x, sizeof edge->from);
            sub3(m->vertex[edge->high].x, edge->from, edge->along);
            edge->inv_length2 = 1.0 / dot3(edge->along, edge->along);
        }
        if (!flat || edge->flat_patch != m->facet[f].patch)
            edge->flat_patch = SCREE_NONE;
        m->facet[f].edge[half[i].side] = m->n_edges - 1;
    }
    free(half);
    return 1;
}

/* A patch has the facets that can be reached from its lowest one across flat edges. */
static int build_patches(mesh *m)
{
    uint32_t *stack = malloc((m->n_facets + 1u) * sizeof *stack);
    if (!stack)
        return 0;
    for (uint32_t f = 0; f < m->n_facets; f++) {
        uint32_t n = 0;
        if (m->facet[f].patch != SCREE_NONE)
            continue;
        m->facet[f].patch = f;
        stack[n++] = f;
        while (n > 0) {
            uint32_t g = stack[--n];
            for (uint32_t s = 0; s < m->facet[g].n; s++) {
                uint32_t next = m->shape->mesh->neighbour[4 * (uint64_t)g + s];
                if (!is_flat(m, g, s) || next >= m->n_facets || m->facet[next].patch != SCREE_NONE)
                    continue;
                m->facet[next].patch = f;
                stack[n++] = next;
            }
        }
    }
    free(stack);
    return 1;
}

/* A vertex lies inside a patch when every edge that ends there does; in 2D when it is flat as seen
 * from both segments. */
static int build_flat_vertices(mesh *m)
{
    uint8_t *seen = calloc(m->n_vertices + 1u, sizeof *seen);
    if (!seen)
        return 0;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < m->facet[f].n; s++) {
            const mesh_facet *facet = &m->facet[f];
            uint32_t before = (s + facet->n - 1) % facet->n;
            int flat = m->dimension == 2
                           ? is_flat(m, f, s)
                           : m->edge[facet->edge[s]].flat_patch != SCREE_NONE &&
                                 m->edge[facet->edge[before]].flat_patch != SCREE_NONE;
            mesh_vertex *vertex = &m->vertex[facet->vertex[s]];
            if (!seen[facet->vertex[s]])
                vertex->flat_patch = facet->patch;
            if (!flat || vertex->flat_patch != facet->patch)
                vertex->flat_patch = SCREE_NONE;
            seen[facet->vertex[s]] = 1;
        }
    free(seen);
    return 1;
}

/* Lists the facets of each vertex. */
static int build_around(mesh *m)
{
    uint64_t n = 0;
    uint32_t *first = calloc(m->n_vertices + 2u, sizeof *first);
    for (uint32_t f = 0; f < m->n_facets; f++)
        n += m->facet[f].n;
    m->around_first = first;
    m->around = malloc((n + 1) * sizeof *m->around);
    if (!first || !m->around)
        return 0;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < m->facet[f].n; s++)
            first[m->facet[f].vertex[s] + 2]++;
    for (uint32_t v = 2; v < m->n_vertices + 2; v++)
        first[v] += first[v - 1];
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < m->facet[f].n; s++)
            m->around[first[m->facet[f].vertex[s] + 1]++] = f;
    return 1;
}

/* Does facet f have this edge or vertex? */
static int has_feature(const mesh_facet *facet, uint64_t key)
{
    uint64_t number = key & (KEY_EDGE - 1);
    int has = 0;
    if (key < KEY_VERTEX)
        for (uint32_t s = 0; s < facet->n_edges; s++)
            has |= facet->edge[s] == number;
    else
        for (uint32_t s = 0; s < facet->n; s++)
            has |= facet->vertex[s] == number;
    return has;
}

int32_t mesh_adjoins(const mesh *m, uint64_t key, uint64_t other)
{
    uint64_t low = key < other ? key : other, high = key < other ? other : key;
    uint64_t kind = high & ~(KEY_EDGE - 1), number = high & (KEY_EDGE - 1);
    if (kind == (low & ~(KEY_EDGE - 1)) ||
        number >= (kind == KEY_EDGE ? m->n_edges : m->n_vertices))
        return 0;
    if (low >= KEY_EDGE) {
        uint64_t edge = low & (KEY_EDGE - 1);
        return edge < m->n_edges && (m->edge[edge].low == number || m->edge[edge].high == number);
    }
    uint32_t vertex = kind == KEY_EDGE ? m->edge[number].low : (uint32_t)number;
    for (uint32_t k = m->around_first[vertex]; k < m->around_first[vertex + 1]; k++) {
        const mesh_facet *facet = &m->facet[m->around[k]];
        if (facet->patch == low && has_feature(facet, high))
            return 1;
    }
    return 0;
}

int32_t mesh_build(const scree_host *host, const scree_shape *shape, mesh *out)
{
    mesh m = {.shape = shape,
              .dimension = host->dimension,
              .n_facets = shape->mesh->n_facets,
              .n_vertices = shape->mesh->n_vertices};
    uint32_t *same_as = malloc((m.n_vertices + 1u) * sizeof *same_as);
    m.facet = calloc(m.n_facets + 1u, sizeof *m.facet);
    m.vertex = calloc(m.n_vertices + 1u, sizeof *m.vertex);
    if (!same_as || !m.facet || !m.vertex || !merge_vertices(shape, same_as))
        goto no_memory;
    for (uint32_t i = 0; i < m.n_vertices; i++) {
        m.vertex[i].flat_patch = SCREE_NONE;
        for (int k = 0; k < 3; k++)
            m.vertex[i].x[k] = shape->mesh->vertex[k][i];
    }
    for (uint32_t f = 0; f < m.n_facets; f++)
        if (!build_facet(&m, f, same_as) || !build_sides(&m, f)) {
            free(same_as);
            mesh_clear(&m);
            return scree_failf(host, SCREE_E_UNSUPPORTED,
                               "facet %u of a shape: expected %s with an area greater than 0", f,
                               host->dimension == 2 ? "a segment" : "a convex triangle or quad");
        }
    if (!build_patches(&m) || !build_edges(&m) || !build_flat_vertices(&m) || !build_around(&m))
        goto no_memory;
    free(same_as);
    *out = m;
    return SCREE_OK;

no_memory:
    free(same_as);
    mesh_clear(&m);
    return scree_failf(host, SCREE_E_MEMORY, "no memory for a shape of %u facets",
                       shape->mesh->n_facets);
}

void mesh_clear(mesh *m)
{
    free(m->facet);
    free(m->edge);
    free(m->vertex);
    free(m->around_first);
    free(m->around);
    memset(m, 0, sizeof *m);
}

uint64_t mesh_bytes(const mesh *m)
{
    return m->n_facets * sizeof *m->facet + m->n_edges * sizeof *m->edge +
           m->n_vertices * sizeof *m->vertex +
           (m->n_vertices + 2ull + (m->around_first ? m->around_first[m->n_vertices] : 0)) *
               sizeof *m->around;
}
