// SPDX-License-Identifier: Apache-2.0
// Convex bodies at their places, and their support functions.
#include "convex.h"

uint64_t convex_bytes(const polytope *p)
{
    return p ? 3 * p->n_vertices * sizeof(double) +
                   p->n_faces * (sizeof(scree_vec) + sizeof(double)) + p->n_edges * sizeof(edge)
             : 0;
}

static scree_vec to_world(const convex *c, scree_vec v)
{
    const scree_vec x = scree_sum(scree_scaled(v.x, c->axis[0]), scree_scaled(v.y, c->axis[1]));
    return scree_sum(x, scree_scaled(v.z, c->axis[2]));
}

static void place_vertices(convex *c)
{
    const polytope *p = c->flat;
    const scree_vec *u = c->axis;
    for (uint32_t v = 0; v < p->n_vertices; v++) {
        const double x = c->scale * p->vertex[0][v], y = c->scale * p->vertex[1][v];
        const double z = c->scale * p->vertex[2][v];
        c->vertex[0][v] = c->centre.x + (x * u[0].x + y * u[1].x + z * u[2].x);
        c->vertex[1][v] = c->centre.y + (x * u[0].y + y * u[1].y + z * u[2].y);
        c->vertex[2][v] = c->centre.z + (x * u[0].z + y * u[1].z + z * u[2].z);
    }
}

static void place_faces(convex *c)
{
    const polytope *p = c->flat;
    for (uint32_t f = 0; f < p->n_faces; f++) {
        c->normal[f] = to_world(c, p->normal[f]);
        c->offset[f] = scree_dot(c->normal[f], corner(c, p->ring[p->first[f]]));
    }
    for (uint32_t e = 0; e < p->n_edges; e++) {
        c->edges[e] = p->edges[e];
        for (int k = 0; k < 2; k++)
            c->edges[e].side[k] = to_world(c, p->edges[e].side[k]);
    }
}

convex convex_place(const scree_bodies *bodies, uint32_t i, const polytope *flat,
                    const scree_support *view, scree_vec centre, void *room)
{
    convex c = {.flat = flat,
                .view = view,
                .centre = centre,
                .radius = bodies->radius[i],
                .scale = bodies->scale[i]};
    for (int k = 0; k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double turned[3];
        scree_to_world(bodies, i, unit, turned);
        c.axis[k] = scree_vec_of(turned[0], turned[1], turned[2]);
    }
    if (!flat)
        return c;
    c.normal = room;
    c.edges = (edge *)(void *)(c.normal + flat->n_faces);
    c.offset = (double *)(void *)(c.edges + flat->n_edges);
    for (int k = 0; k < 3; k++)
        c.vertex[k] = c.offset + flat->n_faces + (uint64_t)k * flat->n_vertices;
    place_vertices(&c);
    place_faces(&c);
    return c;
}

static uint32_t farthest_vertex(const convex *c, scree_vec n)
{
    const double *x = c->vertex[0], *y = c->vertex[1], *z = c->vertex[2];
    double most = n.x * x[0] + n.y * y[0] + n.z * z[0];
    uint32_t best = 0;
    for (uint32_t v = 1; v < c->flat->n_vertices; v++) {
        const double along = n.x * x[v] + n.y * y[v] + n.z * z[v];
        best = along > most ? v : best;
        most = along > most ? along : most;
    }
    return best;
}

/* `count` directions, at most 3, of a body with a view. */
static void ask_view(const convex *c, uint32_t count, const scree_vec *n, scree_vec *out)
{
    double from[3][3], to[3][3];
    const double *const direction[3] = {from[0], from[1], from[2]};
    double *const point[3] = {to[0], to[1], to[2]};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            from[k][i] = scree_dot(n[i], c->axis[k]);
    c->view->farthest(c->view->ctx, count, direction, point);
    for (uint32_t i = 0; i < count; i++) {
        const scree_vec p = scree_vec_of(to[0][i], to[1][i], to[2][i]);
        out[i] = scree_less(c->centre, -c->scale, to_world(c, p));
    }
}

scree_vec convex_farthest(const convex *c, scree_vec n, uint32_t *vertex)
{
    if (vertex)
        *vertex = 0;
    if (c->flat) {
        const uint32_t v = farthest_vertex(c, n);
        if (vertex)
            *vertex = v;
        return corner(c, v);
    }
    if (!c->view)
        return scree_less(c->centre, -c->radius, n);
    scree_vec out;
    ask_view(c, 1, &n, &out);
    return out;
}

void convex_farthest3(const convex *c, const scree_vec n[3], scree_vec out[3])
{
    if (c->view && !c->flat) {
        ask_view(c, 3, n, out);
        return;
    }
    for (int k = 0; k < 3; k++)
        out[k] = convex_farthest(c, n[k], NULL);
}

uint32_t convex_facing(const convex *c, scree_vec n)
{
    uint32_t best = 0;
    for (uint32_t f = 1; f < c->flat->n_faces; f++)
        if (scree_dot(c->normal[f], n) > scree_dot(c->normal[best], n))
            best = f;
    return best;
}

uint32_t convex_ring(const convex *c, uint32_t f, uint32_t k)
{
    const polytope *p = c->flat;
    const uint32_t n = p->first[f + 1] - p->first[f];
    return p->ring[p->first[f] + k % n];
}

uint32_t convex_ring_size(const convex *c, uint32_t f)
{
    return c->flat->first[f + 1] - c->flat->first[f];
}

int convex_is_over(const convex *c, uint32_t f, scree_vec p, double slack)
{
    const uint32_t n = convex_ring_size(c, f);
    for (uint32_t k = 0; k < n; k++) {
        const scree_vec from = corner(c, convex_ring(c, f, k));
        const scree_vec u = scree_less(corner(c, convex_ring(c, f, k + 1)), 1.0, from);
        const scree_vec in = scree_cross(c->normal[f], u);
        if (scree_dot(in, scree_less(p, 1.0, from)) < -slack * length_of(u))
            return 0;
    }
    return 1;
}
