/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `gjk`: convex bodies against the facets of walls. */
#ifndef GJK_WALL_H
#define GJK_WALL_H

#include "touch.h"

/** Topology of the mesh of a wall, in its own frame at scale 1. */
typedef struct wall {
    const scree_mesh *mesh;
    scree_vec *normal;  /* [n_facets] */
    scree_vec *inward;  /* [4 n_facets] from a side into its facet */
    uint32_t *patch;    /* [n_facets] lowest facet of the flat patch */
    uint32_t *edge;     /* [4 n_facets] lower of the two numbers 4 facet + side that meet there */
    uint32_t *first;    /* [n_vertices + 1] into around */
    uint32_t *around;   /* facets at each vertex */
    uint8_t *is_corner; /* [n_vertices] an edge that is not flat ends there */
    uint64_t bytes;
} wall;

static inline scree_vec vertex_of(const scree_mesh *m, uint32_t v)
{
    return scree_vec_of(m->vertex[0][v], m->vertex[1][v], m->vertex[2][v]);
}

static inline uint32_t sides_of(const scree_mesh *m, uint32_t f)
{
    return m->facet[4 * (uint64_t)f + 3] == SCREE_NONE ? 3 : 4;
}

static inline uint32_t at_side(const scree_mesh *m, uint32_t f, uint32_t s)
{
    return m->facet[4 * (uint64_t)f + s % sides_of(m, f)];
}

static inline int is_flat(const wall *w, uint32_t at)
{
    return w->mesh->edge[at] == SCREE_EDGE_FLAT;
}

wall *wall_new(const scree_mesh *mesh);
void wall_free(wall *w);

/** A wall at its place, seen from body a at the origin. */
typedef struct placed_wall {
    const wall *of;
    scree_vec origin, axis[3]; /* [m] [-] */
    double scale;
} placed_wall;

static inline scree_vec to_world(const placed_wall *w, scree_vec v)
{
    const scree_vec x = scree_sum(scree_scaled(v.x, w->axis[0]), scree_scaled(v.y, w->axis[1]));
    return scree_sum(x, scree_scaled(v.z, w->axis[2]));
}

static inline scree_vec to_wall(const placed_wall *w, scree_vec v)
{
    return scree_vec_of(scree_dot(v, w->axis[0]), scree_dot(v, w->axis[1]),
                        scree_dot(v, w->axis[2]));
}

/** Do bodies touch edge `at` (4 facet + side) along m, from the wall to the body? */
int wall_edge_allows(const wall *w, uint32_t at, scree_vec m);

/** Do all edges of vertex v lead away from m, from the wall to a point? Then the point is nearest to
 * v. */
int wall_vertex_is_nearest(const wall *w, uint32_t v, scree_vec m);

/** Do bodies touch vertex v along m? It must be a corner, and all its edges must lead away from
 * m. */
int wall_vertex_allows(const wall *w, uint32_t v, scree_vec m);

/** Adds a touch with a facet. */
static inline void add_wall_touch(touches *out, scree_vec n, double depth, scree_vec at,
                                  uint64_t feature, uint32_t facet)
{
    const uint32_t before = out->n;
    add_touch(out, n, depth, at, feature);
    if (out->n > before)
        out->list[before].facet = facet;
}

/** Adds both ends of the stretches of a facet's edges over the faces of a polytope at the least
 * overlap. */
void wall_add_ends(const convex *a, const convex *c, const placed_wall *w, uint32_t facet,
                   double range, const axis *best, touches *out);

/** Bytes of memory that touch_facet() needs. */
uint64_t wall_bytes(void);

/** Adds the touches of body a and one facet. `any`: the least overlap counts even along a direction
 * that is not a normal of the wall there. */
void touch_facet(const convex *a, const placed_wall *w, uint32_t facet, double range, int any,
                 void *room, touches *out);

/** The same for a body that is a point at the origin. */
void touch_point(const placed_wall *w, uint32_t facet, double range, int any, touches *out);

/** After the last facet of a pair: drops what touches at edges of a patch that touches with its face. */
void reduce_touches(const wall *w, touches *t);

/** 1 when a touch can slide from one of two features to the other. */
int wall_adjoins(const wall *w, uint64_t feature, uint64_t other);

#endif
