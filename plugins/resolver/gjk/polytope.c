// SPDX-License-Identifier: Apache-2.0
// Polytopes of closed meshes: flat patches of facets become faces, their borders rings.
/*
 * Steps    1. patches: facets joined across flat edges
 *          2. the border of each patch: sides of its facets that are not flat, in a chain
 *          3. corners: vertices where three patches or more meet; the others lie inside of a face
 *             or of an edge, and are left out
 *          4. edges: neighbours in a ring, each found from both its faces
 */
#include "graph.h"

#define NARROW 0.998 /* cosine of 0.06 rad */
#define CONVEX 1e-7  /* part of the size by which corners may be off the planes of faces */

typedef struct work {
    const scree_mesh *mesh;
    uint32_t *patch;  /* [n_facets] lowest facet of its patch */
    uint32_t *next;   /* [n_vertices] next vertex along the border of the current patch */
    uint32_t *count;  /* [n_vertices] number of patches that it borders */
    uint32_t *corner; /* [n_vertices] number as a corner, or SCREE_NONE */
} work;

static scree_vec vertex_of(const scree_mesh *m, uint32_t v)
{
    return scree_vec_of(m->vertex[0][v], m->vertex[1][v], m->vertex[2][v]);
}

static uint32_t sides_of(const scree_mesh *m, uint32_t f)
{
    return m->facet[4 * (uint64_t)f + 3] == SCREE_NONE ? 3 : 4;
}

static int is_border(const scree_mesh *m, uint32_t f, uint32_t s)
{
    return m->edge[4 * (uint64_t)f + s] != SCREE_EDGE_FLAT;
}

/* The lowest facet known of a patch; halves the path to it. */
static uint32_t root_of(uint32_t *patch, uint32_t f)
{
    for (; patch[f] != f; f = patch[f])
        patch[f] = patch[patch[f]];
    return f;
}

static void find_patches(work *w)
{
    const scree_mesh *m = w->mesh;
    for (uint32_t f = 0; f < m->n_facets; f++)
        w->patch[f] = f;
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t s = 0; s < sides_of(m, f); s++) {
            const uint32_t other = m->neighbour[4 * (uint64_t)f + s];
            if (is_border(m, f, s) || other == SCREE_NONE)
                continue;
            const uint32_t a = root_of(w->patch, f), b = root_of(w->patch, other);
            w->patch[a > b ? a : b] = a < b ? a : b;
        }
    for (uint32_t f = 0; f < m->n_facets; f++)
        w->patch[f] = root_of(w->patch, f);
}

/* Links the vertices of the border of patch `root`. Returns the lowest vertex of the border;
 * *length: number of its vertices. */
static uint32_t link_border(work *w, uint32_t root, uint32_t *length)
{
    const scree_mesh *m = w->mesh;
    uint32_t start = SCREE_NONE;
    *length = 0;
    for (uint32_t f = root; f < m->n_facets; f++)
        for (uint32_t s = 0; s < sides_of(m, f) && w->patch[f] == root; s++) {
            const uint32_t *v = m->facet + 4 * (uint64_t)f;
            if (!is_border(m, f, s))
                continue;
            w->next[v[s]] = v[(s + 1) % sides_of(m, f)];
            start = v[s] < start ? v[s] : start;
            (*length)++;
        }
    return start;
}

static void count_corners(work *w)
{
    const scree_mesh *m = w->mesh;
    for (uint32_t f = 0; f < m->n_facets; f++) {
        uint32_t length, v;
        if (w->patch[f] != f)
            continue;
        v = link_border(w, f, &length);
        for (uint32_t k = 0; k < length; k++, v = w->next[v])
            w->count[v]++;
    }
}

/* The ring of patch f, with its corners only, and its normal. */
static void write_face(work *w, polytope *p, uint32_t f)
{
    uint32_t length, v = link_border(w, f, &length), at = p->first[p->n_faces];
    scree_vec sum = {0, 0, 0}, last, start;
    for (uint32_t k = 0; k < length; k++, v = w->next[v])
        if (w->corner[v] != SCREE_NONE)
            p->ring[at++] = w->corner[v];
    const uint32_t first = p->first[p->n_faces];
    for (uint32_t k = first; k + 1 < at; k++) { // twice the area, as a vector
        const uint32_t i = p->ring[first], j = p->ring[k], l = p->ring[k + 1];
        start = scree_vec_of(p->vertex[0][i], p->vertex[1][i], p->vertex[2][i]);
        last = scree_vec_of(p->vertex[0][j], p->vertex[1][j], p->vertex[2][j]);
        const scree_vec next = scree_vec_of(p->vertex[0][l], p->vertex[1][l], p->vertex[2][l]);
        sum =
            scree_sum(sum, scree_cross(scree_less(last, 1.0, start), scree_less(next, 1.0, start)));
    }
    p->normal[p->n_faces++] = unit_of(sum);
    p->first[p->n_faces] = at;
}

static int find_edge(const polytope *p, uint32_t from, uint32_t to)
{
    for (uint32_t e = 0; e < p->n_edges; e++)
        if (p->edges[e].from == from && p->edges[e].to == to)
            return (int)e;
    return -1;
}

/* Edges are made by the face that has them from the lower corner to the higher one. */
static int write_edges(polytope *p)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t f = 0; f < p->n_faces; f++)
            for (uint32_t k = p->first[f]; k < p->first[f + 1]; k++) {
                const uint32_t next = k + 1 < p->first[f + 1] ? k + 1 : p->first[f];
                const uint32_t from = p->ring[k], to = p->ring[next];
                if ((from < to) != (pass == 0))
                    continue;
                const int e = pass ? find_edge(p, to, from) : (int)p->n_edges++;
                if (e < 0)
                    return 0;
                if (pass == 0)
                    p->edges[e] = (edge){.from = from, .to = to};
                p->edges[e].face[pass] = f;
            }
    for (uint32_t e = 0; e < p->n_edges; e++) {
        const scree_vec n1 = p->normal[p->edges[e].face[0]], n2 = p->normal[p->edges[e].face[1]];
        const scree_vec c = scree_cross(n1, n2);
        if (!(scree_dot(c, c) > 0.0))
            return 0;
        p->edges[e].side[0] = unit_of(scree_cross(c, n1));
        p->edges[e].side[1] = unit_of(scree_cross(n2, c));
    }
    return 1;
}

static scree_vec corner_of(const polytope *p, uint32_t v)
{
    return scree_vec_of(p->vertex[0][v], p->vertex[1][v], p->vertex[2][v]);
}

/* [m] Distance of corners from the planes of their own faces, or over those of others. */
static double off_faces(const polytope *p)
{
    double most = 0.0;
    for (uint32_t f = 0; f < p->n_faces; f++) {
        const scree_vec at = corner_of(p, p->ring[p->first[f]]), n = p->normal[f];
        for (uint32_t v = 0; v < p->n_vertices; v++)
            most = scree_max(most, scree_dot(n, scree_less(corner_of(p, v), 1.0, at)));
        for (uint32_t k = p->first[f]; k < p->first[f + 1]; k++)
            most = scree_max(most, -scree_dot(n, scree_less(corner_of(p, p->ring[k]), 1.0, at)));
    }
    return most;
}

static uint32_t is_narrow(const polytope *p)
{
    for (uint32_t e = 0; e < p->n_edges; e++)
        if (scree_dot(p->normal[p->edges[e].face[0]], p->normal[p->edges[e].face[1]]) > NARROW)
            return 1;
    return 0;
}

static double inner_of(const polytope *p)
{
    double least = (double)INFINITY;
    for (uint32_t f = 0; f < p->n_faces; f++) {
        const uint32_t v = p->ring[p->first[f]];
        least = scree_min(least, scree_dot(p->normal[f], corner_of(p, v)));
    }
    return scree_max(least, 0.0);
}

static polytope *reserve(const scree_mesh *m)
{
    const uint64_t n = m->n_vertices, f = m->n_facets;
    const uint64_t bytes = sizeof(polytope) + f * (sizeof(scree_vec) + 4 * sizeof(edge)) +
                           3 * n * sizeof(double) + (f + 1 + 4 * f) * sizeof(uint32_t);
    polytope *p = calloc(1, bytes);
    if (!p)
        return NULL;
    p->bytes = bytes;
    p->normal = (scree_vec *)(void *)(p + 1);
    p->edges = (edge *)(void *)(p->normal + f);
    for (int k = 0; k < 3; k++)
        p->vertex[k] = (double *)(void *)(p->edges + 4 * f) + (uint64_t)k * n;
    p->first = (uint32_t *)(void *)(p->vertex[2] + n);
    p->ring = p->first + f + 1;
    return p;
}

static void number_corners(work *w, polytope *p)
{
    for (uint32_t v = 0; v < w->mesh->n_vertices; v++) {
        const scree_vec x = vertex_of(w->mesh, v);
        w->corner[v] = w->count[v] > 2 ? p->n_vertices : SCREE_NONE;
        if (w->count[v] <= 2)
            continue;
        p->vertex[0][p->n_vertices] = x.x;
        p->vertex[1][p->n_vertices] = x.y;
        p->vertex[2][p->n_vertices++] = x.z;
        p->size = scree_max(p->size, length_of(x));
    }
}

polytope *polytope_new(const scree_mesh *mesh, const char **why, int32_t *code)
{
    work w = {.mesh = mesh};
    const uint64_t n = mesh->n_vertices;
    polytope *p = reserve(mesh);
    uint32_t *memory = calloc(3 * n + mesh->n_facets, sizeof *memory);
    *why = "no memory for a polyhedron";
    *code = SCREE_E_MEMORY;
    if (!p || !memory)
        goto fail;
    w.patch = memory;
    w.next = w.patch + mesh->n_facets;
    w.count = w.next + n;
    w.corner = w.count + n;
    find_patches(&w);
    count_corners(&w);
    number_corners(&w, p);
    for (uint32_t f = 0; f < mesh->n_facets; f++)
        if (w.patch[f] == f)
            write_face(&w, p, f);
    *why = "a shape with a support function: expected a convex closed mesh";
    *code = SCREE_E_UNSUPPORTED;
    if (!mesh->closed || p->n_faces < 4 || !write_edges(p))
        goto fail;
    p->off = off_faces(p);
    if (!(p->off <= CONVEX * p->size))
        goto fail;
    p->narrow = is_narrow(p);
    p->inner = inner_of(p);
    graph_make(p);
    free(memory);
    return p;

fail:
    free(memory);
    free(p);
    return NULL;
}

void polytope_free(polytope *p)
{
    if (p)
        graph_free(p->graph);
    free(p);
}
