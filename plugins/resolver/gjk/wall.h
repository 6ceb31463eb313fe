/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `gjk`: convex bodies against the facets of walls. */
#ifndef GJK_WALL_H
#define GJK_WALL_H

#include "touch.h"

/** Topology of the mesh of a wall, in its own frame at scale 1. */
typedef struct wall {
    const scree_mesh *mesh;
    scree_vec *normal; /* [n_facets] */
    scree_vec *inward; /* [4 n_facets] from a side into its facet */
    uint32_t *patch;   /* [n_facets] lowest facet of the flat patch */
    uint32_t *edge;    /* [4 n_facets] lowest 4 facet + side of the two that meet there */
    uint32_t *first;   /* [n_vertices + 1] into around */
    uint32_t *around;  /* facets at each vertex */
    uint64_t bytes;
} wall;

wall *wall_new(const scree_mesh *mesh);
void wall_free(wall *w);

/** A wall at its place, seen from body a at the origin. */
typedef struct placed_wall {
    const wall *of;
    scree_vec origin, axis[3]; /* [m] [-] */
    double scale;
} placed_wall;

/** Bytes of memory that touch_facet() needs. */
uint64_t wall_bytes(void);

/** Adds the touches of body a and one facet. `any`: the least overlap, also along a direction that
 * the wall does not have there. */
void touch_facet(const convex *a, const placed_wall *w, uint32_t facet, double range, int any,
                 void *room, touches *out);

/** After the last facet of a pair: drops what touches at edges of a patch that touches with its face. */
void reduce_touches(const wall *w, touches *t);

/** 1 when a touch can slide from one of two features to the other. */
int wall_adjoins(const wall *w, uint64_t feature, uint64_t other);

#endif
