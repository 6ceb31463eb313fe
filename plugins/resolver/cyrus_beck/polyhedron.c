// SPDX-License-Identifier: Apache-2.0
/*
 * polyhedron: makes planes, faces and edges of a convex polyhedron.
 *
 * Idea     Facets are joined to a face where the edge between them is flat (1e-10 of the normal); the border of a
 *          face is followed from side to side. Convex: no vertex is above a face by more than 1e-10 of the size.
 */
#include "polyhedra.h"

static const double FLAT = 1e-10; // [-] between normals of a face; part of the size above a face

static scree_vec cross_of(const solid_surface *s, uint32_t t, uint32_t other)
{
    return scree_cross(s->normal[t], s->normal[other]);
}

static int is_flat(const solid_surface *s, uint32_t e)
{
    const uint32_t *t = s->edge[e].triangle;
    return solid_length(cross_of(s, t[0], t[1])) < FLAT &&
           scree_dot(s->normal[t[0]], s->normal[t[1]]) > 0.0;
}

/* Numbers the faces; face[t] is the face of triangle t. */
static uint32_t number_faces(const solid_surface *s, uint32_t *face)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < s->n_triangles; t++)
        face[t] = t;
    for (int changed = 1; changed;) { // the lowest triangle of each face
        changed = 0;
        for (uint32_t e = 0; e < s->n_edges; e++) {
            uint32_t *x = &face[s->edge[e].triangle[0]], *y = &face[s->edge[e].triangle[1]];
            if (!is_flat(s, e) || *x == *y)
                continue;
            *x = *y = *x < *y ? *x : *y;
            changed = 1;
        }
    }
    for (uint32_t t = 0; t < s->n_triangles; t++)
        face[t] = face[t] == t ? n++ : face[face[t]];
    return n;
}

int cyrus_is_convex(const scree_mesh *mesh)
{
    const double *const *x = mesh->vertex;
    double size = 0.0;
    if (!mesh->closed)
        return 0;
    for (uint32_t v = 1; v < mesh->n_vertices; v++) {
        const scree_vec off = scree_less(scree_vec_at(x, v), 1.0, scree_vec_at(x, 0));
        size = scree_max(size, solid_length(off));
    }
    for (uint32_t f = 0; f < mesh->n_facets; f++) {
        const uint32_t *c = mesh->facet + 4ull * f;
        const scree_vec from = scree_vec_at(x, c[0]);
        const scree_vec u = scree_less(scree_vec_at(x, c[1]), 1.0, from);
        const scree_vec w = scree_less(scree_vec_at(x, c[2]), 1.0, from);
        const scree_vec n = solid_unit(scree_cross(u, w));
        for (uint32_t v = 0; v < mesh->n_vertices; v++)
            if (scree_dot(n, scree_less(scree_vec_at(x, v), 1.0, from)) > FLAT * size)
                return 0;
    }
    return 1;
}

/* A vertex that is above a face, or SCREE_NONE. */
static uint32_t find_bump(const cyrus_polyhedron *p, uint32_t *face)
{
    for (uint32_t f = 0; f < p->n_faces; f++)
        for (uint32_t v = 0; v < p->n_vertices; v++)
            if (scree_dot(cyrus_normal(p, f), cyrus_vertex(p, v)) - p->offset[f] >
                FLAT * p->surface.size) {
                *face = f;
                return v;
            }
    return SCREE_NONE;
}

static int allocate(cyrus_polyhedron *p)
{
    const uint64_t n_real = 3ull * p->n_vertices + 4ull * p->n_faces;
    const uint64_t n_whole = 2ull * p->n_faces + 1 + 2ull * p->n_corners + 4ull * p->n_edges;
    double *real = p->memory = calloc(n_real * 2 + n_whole, sizeof(double));
    if (!real)
        return 0;
    for (int k = 0; k < 3; k++)
        p->x[k] = real + k * (uint64_t)p->n_vertices;
    real += 3ull * p->n_vertices;
    for (int k = 0; k < 3; k++)
        p->normal[k] = real + k * (uint64_t)p->n_faces;
    p->offset = real + 3ull * p->n_faces;
    p->edge = (uint32_t(*)[4])(void *)(p->offset + p->n_faces);
    p->on = (uint32_t *)(void *)(p->edge + p->n_edges);
    p->first = p->on + p->n_faces;
    p->corner = p->first + p->n_faces + 1;
    p->side = p->corner + p->n_corners;
    return 1;
}

/* The edge of triangle t's side k when this is a side of its face; SCREE_NONE: a seam. */
static uint32_t border_of(const solid_surface *s, const uint32_t *face, const uint32_t *number,
                          uint32_t t, uint32_t k)
{
    const uint32_t e = s->side[t][k], *pair = s->edge[e].triangle;
    return face[pair[0]] == face[pair[1]] ? SCREE_NONE : number[e];
}

/* Follows the border of face f: next[v]: side that leaves vertex v. */
static void follow(cyrus_polyhedron *p, const uint32_t *face, const uint32_t *number, uint32_t f,
                   uint32_t *next, uint32_t *at)
{
    const solid_surface *s = &p->surface;
    uint32_t start = SCREE_NONE;
    p->first[f] = *at;
    for (uint32_t t = 0; t < s->n_triangles; t++)
        for (uint32_t k = 0; face[t] == f && k < 3; k++)
            if (border_of(s, face, number, t, k) != SCREE_NONE) {
                next[s->triangle[t][k]] = 3 * t + k;
                start = start == SCREE_NONE ? s->triangle[t][k] : start;
            }
    for (uint32_t v = start; *at < p->n_corners;) {
        const uint32_t t = next[v] / 3, k = next[v] % 3, w = s->triangle[t][(k + 1) % 3];
        const uint32_t e = border_of(s, face, number, t, k);
        p->corner[*at] = v;
        p->side[(*at)++] = e;
        if (p->edge[e][2] == f) {
            p->edge[e][0] = v;
            p->edge[e][1] = w;
        }
        v = w;
        if (v == start)
            break;
    }
}

static int make_faces(cyrus_polyhedron *p)
{
    const solid_surface *s = &p->surface;
    uint32_t *face = malloc((s->n_triangles + 1ull) * sizeof *face);
    uint32_t *number = malloc((s->n_edges + 1ull) * sizeof *number);
    uint32_t *next = malloc((s->n_vertices + 1ull) * sizeof *next), at = 0;
    int fine = face && number && next;
    if (fine) {
        p->n_vertices = s->n_vertices;
        p->n_faces = number_faces(s, face);
        for (uint32_t e = 0; e < s->n_edges; e++)
            number[e] = face[s->edge[e].triangle[0]] == face[s->edge[e].triangle[1]] ? SCREE_NONE
                                                                                     : p->n_edges++;
        p->n_corners = 2 * p->n_edges;
        fine = allocate(p);
    }
    if (fine) {
        for (uint32_t v = 0; v < s->n_vertices; v++)
            scree_vec_put(p->x, v, s->vertex[v]);
        for (uint32_t t = s->n_triangles; t-- > 0;) {
            scree_vec_put(p->normal, face[t], s->normal[t]);
            p->on[face[t]] = s->triangle[t][0];
            p->offset[face[t]] = scree_dot(s->normal[t], s->vertex[s->triangle[t][0]]);
        }
        for (uint32_t e = 0; e < s->n_edges; e++)
            for (int k = 0; k < 2 && number[e] != SCREE_NONE; k++)
                p->edge[number[e]][2 + k] = face[s->edge[e].triangle[k]];
        for (uint32_t f = 0; f < p->n_faces; f++)
            follow(p, face, number, f, next, &at);
        p->first[p->n_faces] = at;
    }
    free(face);
    free(number);
    free(next);
    return fine;
}

void cyrus_polyhedron_clear(cyrus_polyhedron *p)
{
    solid_surface_clear(&p->surface);
    free(p->memory);
    memset(p, 0, sizeof *p);
}

uint64_t cyrus_polyhedron_bytes(const cyrus_polyhedron *p)
{
    return solid_surface_bytes(&p->surface) +
           sizeof(double) * (3ull * p->n_vertices + 4ull * p->n_faces) +
           sizeof(uint32_t) * (2ull * p->n_faces + 1 + 2ull * p->n_corners + 4ull * p->n_edges);
}

/* Logs why another resolver is needed. */
static void log_bump(const scree_host *host, const char *name, const cyrus_polyhedron *p)
{
    uint32_t face = 0;
    char text[320];
    const uint32_t v = find_bump(p, &face);
    if (v == SCREE_NONE)
        return;
    const scree_vec x = cyrus_vertex(p, v);
    snprintf(
        text, sizeof text,
        "shape \"%s\" is not convex: vertex %u, (%g, %g, %g) m from its centroid, is %g m above "
        "one of its faces; cyrus_beck leaves shapes of its type to other resolvers, sdf say",
        name, v, x.x, x.y, x.z, scree_dot(cyrus_normal(p, face), x) - p->offset[face]);
    host->log(host->ctx, SCREE_LOG_WARNING, text);
}

int32_t cyrus_polyhedron_make(const scree_host *host, const char *name, const scree_mesh *mesh,
                              int is_solid, cyrus_polyhedron *out)
{
    memset(out, 0, sizeof *out);
    const int convex = cyrus_is_convex(mesh);
    if (!convex && (!is_solid || !mesh->closed))
        return SCREE_OK;
    if (solid_surface_of_mesh(mesh, &out->surface) != SCREE_OK || !make_faces(out))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    if (convex)
        return SCREE_OK;
    log_bump(host, name, out);
    cyrus_polyhedron_clear(out);
    return SCREE_OK;
}
