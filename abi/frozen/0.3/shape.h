/* SPDX-License-Identifier: MIT */
/* Shapes: geometry that bodies share, as a scene describes it, and views of it for other plugins.
 */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "host.h"
#include "types.h"

/*
 * A scene names a shape and its type, which is a plugin of this kind: `shapes.NAME = { type =
 * "rod"; length = 0.02; .. }`. The host makes one instance per named shape:
 *
 *     create  measure(user's frame)  [place]  { boxes | view }*  destroy
 *
 * The flags of the descriptor say what bodies of this shape are:
 *
 *     flag               bodies                    boxes        mass     frame
 *     SCREE_CAP_ROUND    a ball about the origin   the host's   yes      the user's
 *     SCREE_CAP_BALLS    balls fixed together      the host's   yes      principal
 *     none               a solid                   boxes()      yes      principal
 *     SCREE_CAP_WALL     facets, never free        boxes()      none     the user's
 *     SCREE_CAP_INFINITE a half-space, never free  none         none     the user's
 *
 * An INFINITE shape needs scree.implicit/1: 0 at the origin, where its gradient is the unit normal.
 * A WALL needs an exact scree.mesh/1, with a facet for each part.
 *
 * Principal: before a solid is used, the host moves it by place(): the origin is the centroid, the
 * axes are the principal axes of inertia. The host does not turn a solid in 2D, nor where all
 * products of inertia are below 1e-12 of the largest moment. The scene uses the user's frame:
 * `position` of a body is the place of the user's origin. In scree_bodies, x is the centroid and q
 * turns the principal frame.
 *
 * A restart must find the same identity of a shape: the type's id, the values of its parameters,
 * its measure, and its exact views.
 */

/** Size and distribution of mass of a shape at scale 1 and density 1, in its present frame. */
typedef struct scree_measure {
    uint32_t size;      /* in: of the host's struct; all other members are 0 on entry */
    uint32_t dimension; /* in: of the scene, 2 or 3 */
    uint32_t n_parts;   /* boxes of a body, 1 or more; INFINITE: 0 */
    uint32_t flat;      /* 1: `content` is an area: the body is as thick as the scene (2D) */
    double content;     /* [m^3], flat: [m^2]; WALL and INFINITE: 0 */
    double centroid[3]; /* [m] */
    /* [m^2] per mass, about the centroid: the inertia tensor xx yy zz xy xz yz (xy: minus the mean
     * of x y). 2D: only zz is read. */
    double inertia[6];
    double radius; /* [m] radius of a ball that encloses the shape; its centre is the centroid, for
                      a WALL the origin. ROUND: radius of the ball itself; INFINITE: 0 */
} scree_measure;

/** The frame of place(): a point p of the former frame has the coordinates R(q)^-1 (p - shift). */
typedef struct scree_frame {
    uint32_t size;
    uint32_t reserved; /* 0 */
    double shift[3];   /* [m] */
    double q[4];       /* [-] unit quaternion */
} scree_frame;

/** Boxes of parts. Arrays [n]. */
typedef struct scree_shape_boxes {
    uint32_t size;
    uint32_t lane;
    uint32_t n;
    uint32_t dimension;    /* 2: lo[2] = hi[2] = 0 */
    const double *x[3];    /* [m] of the body's origin */
    const double *q[4];    /* [-] of the body */
    const double *scale;   /* [-] */
    const uint32_t *part;  /* [-] < n_parts */
    double *lo[3], *hi[3]; /* [m] out: the tight box */
    double *centre[3];     /* [m] out: of a ball that holds the part; inside the box */
    double *radius;        /* [m] out: of that ball */
} scree_shape_boxes;

typedef struct scree_shape_ops {
    uint32_t size;     /* sizeof(scree_shape_ops) */
    uint32_t reserved; /* 0 */

    /** [config] One instance per named shape. */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    /** [config] Accepts NULL. */
    void (*destroy)(void *instance);
    /** [step] Bytes that the instance holds, views included. Optional. */
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [config] Called before and after place(). */
    int32_t (*measure)(void *instance, scree_measure *out);

    /** [config] Called at most once, before boxes and views. Required for solids and BALLS, never
     * called for others. */
    int32_t (*place)(void *instance, const scree_frame *frame);

    /** [lane] Required for solids and walls, never called for others. The box of a part depends
     * only on its own pose, scale and number. In a run the host compares boxes of some bodies with
     * views. */
    int32_t (*boxes)(void *instance, const scree_shape_boxes *batch);

    /** [config] Sets *view to the view of that name (below); NULL: the shape has no such view.
     * `tolerance` [m] >= 0 at scale 1: no point of the view is farther than this from the surface,
     * and no point of the surface is farther than this from the view. 0: the exact view, NULL where
     * it cannot be exact. A view is const, one per name and tolerance, valid until destroy.
     * Optional. */
    int32_t (*view)(void *instance, const char *name, double tolerance, const void **view);
} scree_shape_ops;

/* Views, at scale 1 in the frame of the shape. */

/** The border of a flat shape: a closed curve that does not cross itself, the solid on its left. */
#define SCREE_VIEW_OUTLINE "scree.outline/1"
typedef struct scree_outline {
    uint32_t size;
    uint32_t n;              /* 3 or more */
    const double *vertex[2]; /* [n] [m] in order, counterclockwise */
} scree_outline;

/* Edges of a facet. */
#define SCREE_EDGE_OPEN 0u   /* no neighbour */
#define SCREE_EDGE_FLAT 1u   /* coplanar neighbour: contacts feel no edge */
#define SCREE_EDGE_CONVEX 2u /* as seen from the side of the facet's normal */
#define SCREE_EDGE_CONCAVE 3u

/** Facets: segments (2D), triangles and quads (3D). */
#define SCREE_VIEW_MESH "scree.mesh/1"
typedef struct scree_mesh {
    uint32_t size;
    uint32_t closed; /* 1: it encloses a solid, all normals point out of it */
    uint32_t n_vertices, n_facets;
    const double *vertex[3]; /* [n_vertices] [m] */
    const uint32_t *facet; /* [4 n_facets] vertices in order; unused places SCREE_NONE. Normal of a
                              facet: (v1 - v0) × (v2 - v0), in 2D (v1 - v0) turned clockwise by 90
                              degrees */
    const uint32_t *neighbour; /* [4 n_facets] facet across edge e = (v_e, v_e+1), or SCREE_NONE; in
                                  2D across vertex e */
    const uint8_t *edge;       /* [4 n_facets] SCREE_EDGE_* */
} scree_mesh;

/** Balls (2D: discs) that make up a clump; part p of a body is ball p. Exact only. */
#define SCREE_VIEW_BALLS "scree.balls/1"
typedef struct scree_balls {
    uint32_t size;
    uint32_t n;
    const double *centre[3]; /* [n] [m] */
    const double *radius;    /* [n] [m] > 0 */
} scree_balls;

/** Support function of a convex shape. Exact only. */
#define SCREE_VIEW_SUPPORT "scree.support/1"
typedef struct scree_support {
    uint32_t size;
    uint32_t reserved; /* 0 */
    const void *ctx;   /* first argument */
    /** [lane] Sets point[k][i] [m], k = 0, 1, 2, to the point of the shape that is farthest in
     * direction i. A direction has any length but 0. */
    void (*farthest)(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3]);
} scree_support;

/** A function that is negative inside, 0 on the surface, positive outside, and grows across the
 * surface. Exact only. */
#define SCREE_VIEW_IMPLICIT "scree.implicit/1"
typedef struct scree_implicit {
    uint32_t size;
    uint32_t reserved; /* 0 */
    const void *ctx;   /* first argument */
    /** [lane] Computes the function at n points x [m] and, unless `gradient` is NULL, its
     * gradient. */
    void (*value)(const void *ctx, uint32_t n, const double *const x[3], double *value,
                  double *const gradient[3]);
} scree_implicit;

#endif
