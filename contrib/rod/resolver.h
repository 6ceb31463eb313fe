/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `rod`: what its files share. */
#ifndef ROD_RESOLVER_H
#define ROD_RESOLVER_H

#include "rod.h"

/** An edge of facets, with the numbers of its ends; in 2D a vertex, with the same number twice. */
typedef struct ridge {
    uint32_t from, to;
    uint32_t facet[2];   /* SCREE_NONE: no second one */
    scree_vec inward[2]; /* unit, in the plane of each facet, from the ridge into it */
    int flat;            /* 1: it is between coplanar facets */
} ridge;

/** Facets of a wall, prepared. */
typedef struct wall {
    const scree_mesh *mesh;
    uint32_t n_ridges, reserved;
    scree_vec *normal;  /* [n_facets] unit */
    uint32_t *patch;    /* [n_facets] lowest facet of the flat patch */
    uint32_t *ridge_of; /* [4 n_facets] SCREE_NONE: none */
    ridge *ridges;      /* [n_ridges] */
    uint32_t *first;    /* [n_vertices + 1] start in `around` */
    uint32_t *around;   /* ridges of each vertex, 3D */
    uint64_t bytes;
} wall;

typedef struct resolver {
    const scree_host *host;
    uint32_t n_shapes, reserved;
    const rod_axis **axis; /* [n_shapes] NULL: not a rod */
    wall **walls;          /* [n_shapes] NULL: no facets */
} resolver;

/** A rod in the world, relative to the centre of body a. */
typedef struct placed_rod {
    scree_vec end[2];
    double radius;
} placed_rod;

/** A touch: a point on the axis of the rod, and the vector from there to the touched point. */
typedef struct touch {
    scree_vec from, to; /* relative to x_a */
    scree_vec normal;
    double depth;
    uint64_t feature;
    int on_cap; /* 1: curvature 1 / r; 0: that of the bar */
} touch;

placed_rod rod_placed(const resolver *self, const scree_bodies *b, uint32_t i, scree_vec origin);

/** Writes a touch of pair p as contact c. */
void rod_put(scree_contacts *out, uint32_t c, uint32_t p, const touch *t, double radius);

wall *rod_wall_new(const scree_mesh *mesh, uint32_t dimension);
void rod_wall_free(wall *w);

/** resolve() of a batch of rods with facets. */
int32_t rod_resolve_facets(const resolver *self, const scree_candidates *in, scree_contacts *out,
                           uint32_t *done);

/* Names of touches with facets: kind, end of the rod, number. */
#define ROD_FACE 0ull
#define ROD_RIDGE 1ull
#define ROD_CORNER 2ull
static inline uint64_t rod_feature(uint64_t kind, uint64_t end, uint64_t number)
{
    return kind << 40 | end << 32 | number;
}
int rod_wall_adjoins(const wall *w, uint64_t feature, uint64_t other);

#endif
