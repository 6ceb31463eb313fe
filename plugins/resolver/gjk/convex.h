/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `gjk`: convex bodies, as its searches see them. */
#ifndef GJK_CONVEX_H
#define GJK_CONVEX_H

#include <math.h>
#include <scree/sdk.h>
#include <scree/vector_sdk.h>

#include "../../smooth.h"

/** An edge of a polytope. The normals of the solid there are all n with n·side[0] >= 0 and
 * n·side[1] >= 0, across the edge; side[k] is across the normal of face[k]. */
typedef struct edge {
    uint32_t from, to;
    uint32_t face[2];
    scree_vec side[2];
} edge;

/** Neighbours in a polytope: graph.h. */
typedef struct graph {
    uint32_t *first; /* [n_vertices + 1] into near and edge */
    uint32_t *near;  /* [2 n_edges] corners next to each corner */
    uint32_t *edge;  /* [2 n_edges] the edges to them, ascending */
    uint32_t *start; /* a corner that is far along each of some directions */
    uint32_t *order; /* [n_faces] ascending by the first component of their normals */
    double longest;  /* [m] edge */
    uint64_t bytes;
} graph;

/** A convex solid of flat faces, at scale 1 in the frame of its shape; or a facet, which has two
 * faces, back to back. */
typedef struct polytope {
    uint32_t n_vertices, n_faces, n_edges;
    uint32_t flat;   /* 1: a facet */
    uint32_t narrow; /* 1: two faces are within 0.06 rad of parallel */
    uint32_t reserved;
    double size; /* [m] the corner that is farthest from the origin */
    double
        off; /* [m] distance of corners from the planes of their faces, or over those of others */
    double inner;      /* [m] radius of a ball about the origin inside the body, or 0 */
    double *vertex[3]; /* [n_vertices] [m] corners only */
    scree_vec *normal; /* [n_faces] outward */
    uint32_t *first;   /* [n_faces + 1] into ring */
    uint32_t *ring;    /* corners of each face, counterclockwise as seen from outside */
    edge *edges;       /* [n_edges] */
    graph *graph;      /* or NULL: graph.h */
    uint64_t bytes;
} polytope;

/** The polytope of a closed mesh: flat patches become faces. NULL: *why and *code say what is
 * wrong. */
polytope *polytope_new(const scree_mesh *mesh, const char **why, int32_t *code);
void polytope_free(polytope *p);

/** A convex body at its place: a polytope, the support function of a view, or a ball. */
typedef struct convex {
    const polytope *flat;           /* NULL: it has no faces */
    const scree_support *view;      /* for bodies without faces; also NULL: a ball */
    const struct spread *spread;    /* for cylinders and capsules, else NULL: spread.h */
    const smooth_view *smooth;      /* of a body with a view, or NULL */
    const scree_implicit *implicit; /* of a smooth body, or NULL */
    const double *half;             /* [3] [m] at scale 1, of a smooth body along its axes */
    scree_vec centre;               /* [m] centre of the body */
    double radius; /* [m] radius of the ball, or of one about the centre that holds the body */
    double scale;
    scree_vec axis[3]; /* the axes of the shape, in the world */
    /* In the world, if it has faces; NULL: not placed, or so many that each is turned when it is asked for. */
    double *vertex[3]; /* [convex_padded(n_vertices)] [m] */
    scree_vec *normal; /* [n_faces] */
    double *offset;    /* [m] [n_faces] offset of the plane of a face along its normal */
    edge *edges;       /* [n_edges] */
    void *room;        /* memory of all these */
    /* Memory of a search: */
    uint32_t *list;   /* [n_edges] */
    uint16_t *number; /* [n_faces]; NULL: a facet */
} convex;

enum { FEW_FACES = 100 };

/** 1: a polytope whose faces are turned one by one. */
static inline int has_many_faces(const polytope *p)
{
    return p->n_faces > FEW_FACES;
}

/** Placed corners come in lanes of this many, the last one again and again at the end. */
enum { CONVEX_LANES = 4 };

static inline uint32_t convex_padded(uint32_t n)
{
    return (n + CONVEX_LANES - 1) / CONVEX_LANES * CONVEX_LANES;
}

/** Bytes that convex_frame() needs for a polytope, a multiple of 8. */
uint64_t convex_bytes(const polytope *p);

/** Body i with its centre at `centre`; `room`: convex_bytes() for a polytope, whose corners and faces are
 * not placed yet. */
convex convex_frame(const scree_bodies *bodies, uint32_t i, const polytope *flat,
                    const scree_support *view, scree_vec centre, void *room);

/** Places the corners and faces of a polytope; other bodies have none. */
void convex_place_corners(convex *c);
void convex_place_faces(convex *c);

/** max n·x over a body whose corners need not be placed, to some 1e-15 of its size. */
double convex_height(const convex *c, scree_vec n);

/** The point that is farthest along n; *vertex: its number, for a polytope the lowest of
 * several. */
scree_vec convex_farthest(const convex *c, scree_vec n, uint32_t *vertex);

/** The same for three directions at once. */
void convex_farthest3(const convex *c, const scree_vec n[3], scree_vec out[3]);

/** The farthest point of a ball or a smooth body, and how it moves along t and u, across n, when n
 * turns towards them: tt, uu, tu [m]. */
scree_vec convex_bent(const convex *c, scree_vec n, scree_vec t, scree_vec u, double radii[3]);

/** The face of a polytope with the normal that is nearest to n. */
uint32_t convex_facing(const convex *c, scree_vec n);

/** Corner k, counted round, of face f, and their number. */
uint32_t convex_ring(const convex *c, uint32_t f, uint32_t k);
uint32_t convex_ring_size(const convex *c, uint32_t f);

/** 1 when p, along the normal of face f, is over it, or misses it by `slack` at most. */
int convex_is_over(const convex *c, uint32_t f, scree_vec p, double slack);

/** Corner v, bit by bit as the corners are placed. */
static inline scree_vec placed_corner(const convex *c, uint32_t v)
{
    const scree_vec *u = c->axis;
    double *const *const at = c->flat->vertex;
    const double x = c->scale * at[0][v], y = c->scale * at[1][v], z = c->scale * at[2][v];
    return scree_vec_of(c->centre.x + (x * u[0].x + y * u[1].x + z * u[2].x),
                        c->centre.y + (x * u[0].y + y * u[1].y + z * u[2].y),
                        c->centre.z + (x * u[0].z + y * u[1].z + z * u[2].z));
}

static inline scree_vec corner(const convex *c, uint32_t v)
{
    return c->vertex[0] ? scree_vec_of(c->vertex[0][v], c->vertex[1][v], c->vertex[2][v])
                        : placed_corner(c, v);
}

/** Turns a direction of the shape into the world, and back. */
static inline scree_vec turned(const convex *c, scree_vec v)
{
    const scree_vec x = scree_sum(scree_scaled(v.x, c->axis[0]), scree_scaled(v.y, c->axis[1]));
    return scree_sum(x, scree_scaled(v.z, c->axis[2]));
}

static inline scree_vec turned_back(const convex *c, scree_vec v)
{
    return scree_vec_of(scree_dot(v, c->axis[0]), scree_dot(v, c->axis[1]),
                        scree_dot(v, c->axis[2]));
}

static inline scree_vec face_normal(const convex *c, uint32_t f)
{
    return c->normal ? c->normal[f] : turned(c, c->flat->normal[f]);
}

/** [m] Offset of the plane of face f along its normal. */
static inline double face_offset(const convex *c, uint32_t f)
{
    const polytope *p = c->flat;
    return c->offset ? c->offset[f]
                     : scree_dot(turned(c, p->normal[f]), corner(c, p->ring[p->first[f]]));
}

static inline edge edge_of(const convex *c, uint32_t e)
{
    if (c->edges)
        return c->edges[e];
    edge out = c->flat->edges[e];
    for (int k = 0; k < 2; k++)
        out.side[k] = turned(c, out.side[k]);
    return out;
}

/** Is n among the normals of a body at an edge? */
static inline int has_normal(const edge *e, scree_vec n)
{
    return scree_dot(n, e->side[0]) >= 0.0 && scree_dot(n, e->side[1]) >= 0.0;
}

static inline double length_of(scree_vec v)
{
    return sqrt(scree_dot(v, v));
}

static inline scree_vec unit_of(scree_vec v)
{
    return scree_scaled(1.0 / length_of(v), v);
}

/** A unit vector across n. */
static inline scree_vec across(scree_vec n)
{
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const scree_vec axis = scree_vec_of(x <= y && x <= z, y < x && y <= z, z < x && z < y);
    return unit_of(scree_cross(n, axis));
}

static inline scree_vec middle_of(scree_vec p, scree_vec q)
{
    return scree_scaled(0.5, scree_sum(p, q));
}

/* ---- two bodies ---- */

/** A direction and the overlap along it: b moved by depth n touches a. */
typedef struct span {
    scree_vec normal;     /* [-] unit, from a to b */
    double depth;         /* [m] max n·a - min n·b; >= the true depth for every n */
    scree_vec on_a, on_b; /* [m] the farthest points along n and -n */
} span;

static inline span span_along(const convex *a, const convex *b, scree_vec n)
{
    span s = {.normal = n};
    s.on_a = convex_farthest(a, n, NULL);
    s.on_b = convex_farthest(b, scree_scaled(-1.0, n), NULL);
    s.depth = scree_dot(n, scree_less(s.on_a, 1.0, s.on_b));
    return s;
}

/** [m] The size of a pair: tolerances are parts of it. */
static inline double size_of(const convex *a, const convex *b)
{
    return scree_min(a->radius, b->radius);
}

#endif
