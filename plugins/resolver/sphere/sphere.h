/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of the resolver `sphere`: its meshes, and contacts with them. */
#ifndef RESOLVER_SPHERE_H
#define RESOLVER_SPHERE_H

#include "scree/sdk.h"

/* Feature keys: the kind of the touch is in the two highest bits, its number in the rest. */
#define KEY_FACE 0ull           /* flat patch; number: its lowest facet */
#define KEY_EDGE (1ull << 62)   /* number in ascending order of its end vertices */
#define KEY_VERTEX (2ull << 62) /* lowest number of the vertices at that place */
#define KEY_IS_FACE(key) ((key) < KEY_EDGE)

/* Below this two points are one [m]: the square of a smaller distance loses digits. */
#define COINCIDENT 1e-140

/* All in body axes at scale 1. */
typedef struct mesh_side {
    double from[3];   /* [m] a point of the line that bounds the facet here */
    double inward[3]; /* [-] unit, in the facet's plane */
    double slack;     /* [m] a point outside by less counts as inside: > 0 only across a flat
                       * edge */
} mesh_side;

typedef struct mesh_facet {
    mesh_side side[4];
    double origin[3]; /* [m] position of the first vertex */
    double normal[3]; /* [-] */
    uint32_t n;       /* number of vertices and sides: 2, 3, 4 */
    uint32_t n_edges; /* edges that can be touched: 0 in 2D, else n */
    uint32_t vertex[4], edge[4];
    uint32_t patch;
} mesh_facet;

typedef struct mesh_edge {
    double from[3];  /* [m] end with the lower number, so that every facet computes the same bits */
    double along[3]; /* [m] vector to the other end */
    double inv_length2;  /* [1/m^2] */
    uint32_t low, high;  /* end vertices */
    uint32_t flat_patch; /* patch that holds it inside, or SCREE_NONE */
    uint32_t reserved;
} mesh_edge;

typedef struct mesh_vertex {
    double x[3];         /* [m] */
    uint32_t flat_patch; /* patch that holds it inside, or SCREE_NONE */
    uint32_t reserved;
} mesh_vertex;

typedef struct mesh {
    const scree_shape *shape;
    uint32_t dimension;
    uint32_t n_facets, n_edges, n_vertices;
    mesh_facet *facet;
    mesh_edge *edge;
    mesh_vertex *vertex;
    uint32_t
        *around_first; /* [n_vertices + 1] facets around vertex v: around[around_first[v]], .. */
    uint32_t *around;
} mesh;

typedef struct sphere_resolver {
    const scree_host *host;
    mesh *meshes; /* [n_meshes] by index of shape; `shape` NULL where it is not of facets */
    uint64_t n_meshes, capacity;
} sphere_resolver;

/** [config] Finds patches, edges and vertices of a FACETS shape. */
int32_t mesh_build(const scree_host *host, const scree_shape *shape, mesh *out);
/** [config] Frees what mesh_build allocated and zeroes *m. */
void mesh_clear(mesh *m);
/** [any] Whether a touch can slide from one feature to the other: face and edge, face and vertex,
 * edge and vertex that belong together. */
int32_t mesh_adjoins(const mesh *m, uint64_t key, uint64_t other);
/** Bytes that a mesh holds. */
uint64_t mesh_bytes(const mesh *m);

/** [lane] resolve() of balls against facets. */
int32_t facets_resolve(const sphere_resolver *self, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done);

static inline double dot3(const double *u, const double *v)
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static inline void sub3(const double *u, const double *v, double *difference)
{
    for (int k = 0; k < 3; k++)
        difference[k] = u[k] - v[k];
}

static inline void cross3(const double *u, const double *v, double *product)
{
    product[0] = u[1] * v[2] - u[2] * v[1];
    product[1] = u[2] * v[0] - u[0] * v[2];
    product[2] = u[0] * v[1] - u[1] * v[0];
}

#endif
