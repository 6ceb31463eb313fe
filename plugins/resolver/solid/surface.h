/* SPDX-License-Identifier: Apache-2.0 */
/* Closed surfaces of triangles, shared by the resolvers of solids in space: closest points with
 * their sign, winding numbers, surfaces of implicit functions. All in body axes at scale 1. */
#ifndef RESOLVER_SOLID_SURFACE_H
#define RESOLVER_SOLID_SURFACE_H

#include "scree/sdk.h"
#include "scree/vector_sdk.h"

/** An edge of two triangles; it begins at the vertex of the lower number. */
typedef struct solid_edge {
    uint32_t vertex[2], triangle[2]; /* triangle[1] SCREE_NONE: open */
} solid_edge;

/** A node of the tree over the triangles: first child next to it, the second at `right`; a leaf holds
 * triangles order[first] to order[first + n - 1]. */
typedef struct solid_node {
    double lo[3], hi[3]; /* [m] */
    uint32_t right, first, n, reserved;
} solid_node;

typedef struct solid_surface {
    uint32_t n_vertices, n_triangles, n_edges, n_nodes, n_order, n_facets;
    scree_vec *vertex;         /* [n_vertices] [m] */
    uint32_t (*triangle)[3];   /* [n_triangles] vertices, counterclockwise from outside */
    uint32_t (*side)[3];       /* [n_triangles] edge from its vertex k to k + 1 */
    uint32_t *facet;           /* [n_triangles] facet of the mesh */
    solid_edge *edge;          /* [n_edges] */
    scree_vec *normal;         /* [n_triangles] [-] unit, outward; 0 of one without an area */
    scree_vec *edge_normal;    /* [n_edges] [-] unit, mean of the normals of its triangles */
    scree_vec *vertex_normal;  /* [n_vertices] [-] unit, weighted by angle */
    uint8_t *at_border;        /* [n_vertices] 1: on an open edge */
    solid_node *node;          /* [n_nodes] */
    uint32_t *order;           /* [n_order] triangles with an area, by leaf */
    double lo[3], hi[3], size; /* [m] the box of the surface, its longest side */
} solid_surface;

/** The point of a surface that is closest to x. */
typedef struct solid_foot {
    double distance;          /* [m] distance of x from the surface, < 0 inside */
    scree_vec normal;         /* [-] gradient of the distance, unit */
    uint32_t triangle, facet; /* facet: number in the mesh */
    int32_t found;            /* 0: the surface is farther than the limit */
    int32_t border;           /* 1: it is on an open edge */
} solid_foot;

/** [config] Copies a mesh; SCREE_OK, or SCREE_E_MEMORY. */
int32_t solid_surface_of_mesh(const scree_mesh *mesh, solid_surface *out);
/** [config] Finishes a surface whose vertices and triangles are set (both allocated). */
int32_t solid_surface_finish(solid_surface *s);
/** [config] Edges with one triangle, or with two that go round it the same way. */
uint32_t solid_surface_n_open(const solid_surface *s);
void solid_surface_clear(solid_surface *s);
uint64_t solid_surface_bytes(const solid_surface *s);
/** [m^3] */
double solid_surface_volume(const solid_surface *s);

/** [config] The surface on which an implicit function is 0, by tetrahedra of cubes of edge h, in a box of
 * half side `reach` around the origin. Its vertices are on the surface to rounding; between them it is off
 * by up to 3 h^2 / 8 times the curvature. */
int32_t solid_surface_of_implicit(const scree_implicit *f, double reach, double h,
                                  solid_surface *out);

/** [config] The tree; called by solid_surface_finish(). */
int32_t solid_tree_build(solid_surface *s);
/** [lane] The closest point, where it is closer than `limit` [m], by the tree. The sign is that of the
 * normal of the face, edge or vertex there [Baerentzen, Aanaes 2005]. */
solid_foot solid_tree_closest(const solid_surface *s, scree_vec x, double limit);
/** [lane] The same; likely triangles are tried first. */
solid_foot solid_tree_closest_of(const solid_surface *s, scree_vec x, double limit, uint32_t n,
                                 const uint32_t *likely);
/** [lane] The point of one triangle that is closest to x, squared distance from it; *where: 0 inside, 1 +
 * k on the edge from vertex k, 4 + k at vertex k. */
double solid_triangle_closest(scree_vec a, scree_vec b, scree_vec c, scree_vec x, scree_vec *foot,
                              uint32_t *where);

/** [any] How often the surface goes round x: 1 inside, 0 outside, by solid angles [van Oosterom, Strackee
 * 1983]; every triangle. */
double solid_winding(const solid_surface *s, scree_vec x);

/** Rows of a rotation, perhaps times a factor. */
typedef struct solid_matrix {
    double m[3][3];
} solid_matrix;

/** [any] The rotation of body i, from its axes to the world's. */
solid_matrix solid_turn_of(const scree_bodies *bodies, uint32_t i);

static inline scree_vec solid_mul(const solid_matrix *a, scree_vec v)
{
    return scree_vec_of(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

/** The transpose of a times v. */
static inline scree_vec solid_mul_back(const solid_matrix *a, scree_vec v)
{
    return scree_vec_of(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                        a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                        a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

static inline double solid_length(scree_vec v)
{
    return sqrt(scree_dot(v, v));
}

/** A unit vector, or 0. */
static inline scree_vec solid_unit(scree_vec v)
{
    const double length = solid_length(v);
    return scree_scaled(length > 0.0 ? 1.0 / length : 0.0, v);
}

#endif
