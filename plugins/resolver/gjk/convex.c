// SPDX-License-Identifier: Apache-2.0
// Convex bodies at their places, and their support functions.
#include "convex.h"

#include "graph.h"

enum { LANES = 8 };
#define NEARLY 1e-12 /* [-] rounding of a comparison between normals */

uint64_t convex_bytes(const polytope *p)
{
    if (!p)
        return 0;
    const uint32_t v = p->n_vertices;
    const uint64_t f = p->n_faces, e = p->n_edges;
    const uint64_t all =
        3ull * convex_padded(v) * sizeof(double) + e * sizeof(uint32_t) + f * sizeof(uint16_t);
    if (has_many_faces(p))
        return (all + 7) / 8 * 8;
    return (all + f * (sizeof(scree_vec) + sizeof(double)) + e * sizeof(edge) + 7) / 8 * 8;
}

void convex_place_corners(convex *c)
{
    const polytope *p = c->flat;
    double *at = c->room;
    if (!p || c->vertex[0])
        return;
    const uint32_t n = p->n_vertices, all = convex_padded(n);
    for (uint32_t v = 0; v < all; v++) {
        const scree_vec x = placed_corner(c, v < n ? v : n - 1);
        at[v] = x.x;
        at[all + v] = x.y;
        at[2 * (size_t)all + v] = x.z;
    }
    for (int k = 0; k < 3; k++, at += all)
        c->vertex[k] = at;
}

void convex_place_faces(convex *c)
{
    const polytope *p = c->flat;
    if (!p || c->normal || has_many_faces(p))
        return;
    c->offset = (double *)c->room + 3 * (size_t)convex_padded(p->n_vertices);
    c->normal = (scree_vec *)(void *)(c->offset + p->n_faces);
    c->edges = (edge *)(void *)(c->normal + p->n_faces);
    for (uint32_t f = 0; f < p->n_faces; f++) {
        c->normal[f] = turned(c, p->normal[f]);
        c->offset[f] = scree_dot(c->normal[f], corner(c, p->ring[p->first[f]]));
    }
    for (uint32_t e = 0; e < p->n_edges; e++) {
        c->edges[e] = p->edges[e];
        for (int k = 0; k < 2; k++)
            c->edges[e].side[k] = turned(c, p->edges[e].side[k]);
    }
}

static void share_room(convex *c, void *room)
{
    const polytope *p = c->flat;
    double *at = (double *)room + 3 * (size_t)convex_padded(p->n_vertices);
    c->room = room;
    if (!has_many_faces(p)) {
        scree_vec *normal = (scree_vec *)(void *)(at + p->n_faces);
        edge *edges = (edge *)(void *)(normal + p->n_faces);
        at = (double *)(void *)(edges + p->n_edges);
    }
    c->list = (uint32_t *)(void *)at;
    c->number = (uint16_t *)(void *)(c->list + p->n_edges);
}

convex convex_frame(const scree_bodies *bodies, uint32_t i, const polytope *flat,
                    const scree_support *view, scree_vec centre, void *room)
{
    convex c = {.flat = flat,
                .view = view,
                .centre = centre,
                .radius = bodies->radius[i],
                .scale = bodies->scale[i]};
    for (int k = 0; k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double out[3];
        scree_to_world(bodies, i, unit, out);
        c.axis[k] = scree_vec_of(out[0], out[1], out[2]);
    }
    if (flat)
        share_room(&c, room);
    return c;
}

/* The largest n·x of corners; lanes keep the compiler from one long chain, a maximum has no order. */
static double highest(double *const vertex[3], uint32_t count, scree_vec n)
{
    const double *x = vertex[0], *y = vertex[1], *z = vertex[2];
    double most[LANES], top = -(double)INFINITY;
    uint32_t v = 0;
    for (int l = 0; l < LANES; l++)
        most[l] = top;
    for (; v + LANES <= count; v += LANES)
        for (uint32_t l = 0; l < LANES; l++) {
            const double along = n.x * x[v + l] + n.y * y[v + l] + n.z * z[v + l];
            most[l] = along > most[l] ? along : most[l];
        }
    for (; v < count; v++)
        top = scree_max(top, n.x * x[v] + n.y * y[v] + n.z * z[v]);
    for (int l = 0; l < LANES; l++)
        top = scree_max(top, most[l]);
    return top;
}

/* Placed corners come in whole lanes, see convex_padded(): finds the first highest of each lane,
 * then of all. */
static uint32_t farthest_vertex(const convex *c, scree_vec n)
{
    const double *x = c->vertex[0], *y = c->vertex[1], *z = c->vertex[2];
    const uint32_t count = convex_padded(c->flat->n_vertices);
    double most[CONVEX_LANES], first[CONVEX_LANES];
    for (int l = 0; l < CONVEX_LANES; l++) {
        most[l] = -(double)INFINITY;
        first[l] = 0.0;
    }
    for (uint32_t v = 0; v < count; v += CONVEX_LANES)
        for (int l = 0; l < CONVEX_LANES; l++) {
            const double along = n.x * x[v + l] + n.y * y[v + l] + n.z * z[v + l];
            const double at = v + l;
            first[l] = along > most[l] ? at : first[l];
            most[l] = along > most[l] ? along : most[l];
        }
    int best = 0;
    for (int l = 1; l < CONVEX_LANES; l++)
        best = most[l] > most[best] || (most[l] == most[best] && first[l] < first[best]) ? l : best;
    return (uint32_t)first[best];
}

/* Asks a body with a view for the farthest points along `count` directions, at most 3. */
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
        out[i] = scree_less(c->centre, -c->scale, turned(c, p));
    }
}

scree_vec convex_farthest(const convex *c, scree_vec n, uint32_t *vertex)
{
    if (vertex)
        *vertex = 0;
    if (c->flat) {
        const uint32_t v = c->flat->graph ? graph_farthest(c, n) : farthest_vertex(c, n);
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

scree_vec convex_bent(const convex *c, scree_vec n, scree_vec t, scree_vec u, double radii[3])
{
    if (!c->view) {
        radii[0] = radii[1] = c->radius;
        radii[2] = 0.0;
        return scree_less(c->centre, -c->radius, n);
    }
    const scree_vec way[3] = {turned_back(c, n), turned_back(c, t), turned_back(c, u)};
    const double of[3][3] = {{way[0].x, way[0].y, way[0].z},
                             {way[1].x, way[1].y, way[1].z},
                             {way[2].x, way[2].y, way[2].z}};
    double p[3];
    c->smooth->farthest(c->smooth->ctx, of, p, radii);
    for (int k = 0; k < 3; k++)
        radii[k] *= c->scale;
    return scree_less(c->centre, -c->scale, turned(c, scree_vec_of(p[0], p[1], p[2])));
}

double convex_height(const convex *c, scree_vec n)
{
    if (!c->flat)
        return scree_dot(n, convex_farthest(c, n, NULL));
    const scree_vec way = turned_back(c, n);
    const double top = c->flat->graph ? graph_height(c->flat, way)
                                      : highest(c->flat->vertex, c->flat->n_vertices, way);
    return scree_dot(n, c->centre) + c->scale * top;
}

/* The face whose normal is nearest to n in the world. Only normals that may be nearest, up to
 * rounding, are turned. */
static uint32_t facing_placed(const convex *c, scree_vec n)
{
    const polytope *p = c->flat;
    const scree_vec way = turned_back(c, n);
    double near[FEW_FACES], top = -(double)INFINITY, most = -(double)INFINITY;
    uint32_t best = 0;
    for (uint32_t f = 0; f < p->n_faces; f++) {
        near[f] = scree_dot(p->normal[f], way);
        top = scree_max(top, near[f]);
    }
    top -= NEARLY * length_of(n);
    for (uint32_t f = 0; f < p->n_faces; f++) {
        if (!(near[f] >= top))
            continue;
        const double along = scree_dot(turned(c, p->normal[f]), n);
        best = along > most ? f : best;
        most = along > most ? along : most;
    }
    return best;
}

uint32_t convex_facing(const convex *c, scree_vec n)
{
    const int many = has_many_faces(c->flat);
    const scree_vec *normal = many ? c->flat->normal : c->normal;
    const scree_vec way = many ? turned_back(c, n) : n;
    if (many && c->flat->graph)
        return graph_facing(c->flat, way);
    if (!normal)
        return facing_placed(c, n);
    double most = scree_dot(normal[0], way);
    uint32_t best = 0;
    for (uint32_t f = 1; f < c->flat->n_faces; f++) {
        const double along = scree_dot(normal[f], way);
        best = along > most ? f : best;
        most = along > most ? along : most;
    }
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
    const scree_vec normal = face_normal(c, f);
    for (uint32_t k = 0; k < n; k++) {
        const scree_vec from = corner(c, convex_ring(c, f, k));
        const scree_vec u = scree_less(corner(c, convex_ring(c, f, k + 1)), 1.0, from);
        const scree_vec in = scree_cross(normal, u);
        if (scree_dot(in, scree_less(p, 1.0, from)) < -slack * length_of(u))
            return 0;
    }
    return 1;
}
