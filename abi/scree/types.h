/* SPDX-License-Identifier: MIT */
/* The world as plugins see it: bodies, shapes, boxes; signs and directions, said once. */
#ifndef SCREE_TYPES_H
#define SCREE_TYPES_H

#include "params.h"

/*
 * Directions and signs
 *
 *        a ──────── n ────────> b          n      unit normal at the contact, from a to b
 *      (x_a)   ^point^        (x_b + s L)  d      x_b - x_a + s L, s: whole periodic cells
 *         └─arm─┘                          arm    contact point - x_a;  arm_b = arm - d
 *                                          depth  > 0 overlap, < 0 gap
 *   point: the middle of the overlap or gap on the line along n. From the centre of a ball a it is
 *       at radius - depth / 2, whether b is a ball, a facet or a plane
 *   v = (v_a + w_a × arm) - (v_b + w_b × arm_b): velocity of a's contact point as seen from b's
 *       d(depth)/dt = v · n, approach is positive
 *   f   force on a; b gets -f. Pushing apart: f · n < 0
 *
 * a has the lower shape type, then the lower id. 2D: x-y plane, rotation about z; z is 0.
 * Quaternion (w, x, y, z), body to world. Angular velocity and torque in world axes, inertia
 * principal, in body axes. Fixed and kinematic bodies have inverse mass and inertia 0.
 */

/* Shape types, in the order that decides which body is a. */
#define SCREE_SPHERE 1u  /* radius */
#define SCREE_DISC 2u    /* radius, 2D */
#define SCREE_FACETS 64u /* segments (2D), triangles and quads (3D); one part per facet */
#define SCREE_PLANE 65u  /* infinite; solid on the side its normal points away from */

/* How a body moves. */
#define SCREE_MOTION_FREE 0u
#define SCREE_MOTION_KINEMATIC 1u /* prescribed */
#define SCREE_MOTION_FIXED 2u

/* Findings of the host at an edge of a facet. */
#define SCREE_EDGE_OPEN 0u   /* no neighbour */
#define SCREE_EDGE_FLAT 1u   /* coplanar neighbour: no edge as far as touch goes */
#define SCREE_EDGE_CONVEX 2u /* as seen from the side of the facet's normal */
#define SCREE_EDGE_CONCAVE 3u

#define SCREE_NONE 0xffffffffu

/** A pair of indices. Never changes. */
typedef struct scree_pair {
    uint32_t a, b;
} scree_pair;

/** Shared geometry in body axes at scale 1. Constant once given. */
typedef struct scree_shape {
    uint32_t size;
    uint32_t type;    /* SCREE_SPHERE ... */
    double radius;    /* [m] SPHERE, DISC; else the largest distance of a vertex from the origin */
    double normal[3]; /* PLANE: unit, pointing out of the solid */
    uint32_t n_vertices;     /* FACETS */
    uint32_t n_facets;       /* FACETS, = parts of a body with this shape; else 0 (one part) */
    const double *vertex[3]; /* [n_vertices] [m] */
    const uint32_t *facet; /* [4 n_facets] vertices in order; unused places SCREE_NONE. Normal of a
                              facet: (v1 - v0) × (v2 - v0), in 2D (v1 - v0) turned right */
    const uint32_t *neighbour; /* [4 n_facets] facet across edge e = (v_e, v_e+1), or SCREE_NONE; in
                                  2D across vertex e */
    const uint8_t *edge;       /* [4 n_facets] SCREE_EDGE_* */
} scree_shape;

/** All bodies, by storage number: free ones first, then kinematic, fixed, planes. Numbers change
 * only between steps. Read only. Arrays [n], 64-byte aligned. */
typedef struct scree_bodies {
    uint32_t size;
    uint32_t dimension; /* 2 or 3 */
    uint32_t n, n_free;
    uint32_t n_shapes, n_materials;
    const uint64_t *id;           /* persistent, grows, never reused */
    const uint32_t *shape;        /* index into shapes */
    const uint32_t *material;     /* index of a material */
    const uint32_t *motion;       /* SCREE_MOTION_FREE ... */
    const double *x[3];           /* [m] centre of mass */
    const double *q[4];           /* [-] orientation */
    const double *v[3];           /* [m/s] */
    const double *w[3];           /* [rad/s] */
    const double *scale;          /* [-] of the shape */
    const double *radius;         /* [m] SPHERE, DISC: scaled radius; else of the bounding sphere */
    const double *inv_mass;       /* [1/kg] */
    const double *inv_inertia[3]; /* [1/(kg m^2)] */
    const int32_t *image[3];      /* [-] periodic cells that the body has moved through */
    const double *wrench; /* [8 n] per body: force [N] x y z, stored energy [J], torque [N m] x y
                             z, power lost [W]; of the last evaluation, with gravity */
    const scree_shape *const *shapes;    /* [n_shapes] */
    double gravity[3];                   /* [m/s^2] */
    double region_min[3], region_max[3]; /* [m] */
    int32_t periodic[3];                 /* 1: the axis wraps at the region */
    int32_t reserved;                    /* 0 */
    /* Body fields of the modifier that is called (NULL elsewhere), one array [n] per component
     * in the order of its descriptor, and the components of its global fields. */
    const double *const *fields;
    const double *global_fields;
    const uint32_t *group; /* index of the group of `bodies` or `generate` that made it; by name
                              from "scree.names/1" of host.h */
    double thickness;      /* [m] 2D: of the scene; 3D: 0 */
} scree_bodies;

/** Axis-aligned boxes, one per (body, part, image); all closed. Slots are stable: an empty slot has
 * lo = +inf, hi = -inf, centre 0, radius 0 and belongs to no pair. Arrays [n], 64-byte aligned,
 * there in every call until the next step_init; between calls the host may use their memory. */
typedef struct scree_boxes {
    uint32_t size;
    uint32_t dimension;          /* 2: lo[2] = hi[2] = 0 */
    uint32_t n;                  /* slots, empty ones included */
    uint32_t reserved;           /* 0 */
    const double *lo[3], *hi[3]; /* [m] */
    const double *centre[3];     /* [m] of the bounding sphere; inside the box */
    const double *radius;        /* [m] of the bounding sphere, grown like the box */
} scree_boxes;

#endif
