/* SPDX-License-Identifier: Apache-2.0 */
/* Solids in space: their frame, support functions and boxes in blocks, meshes by tolerance. */
#ifndef PLUGINS_SHAPE_SOLID_H
#define PLUGINS_SHAPE_SOLID_H

#include "../mesh/mesh.h"

#define SOLID_PI 3.1415926535897932384626433832795
/** Directions or points that a kernel gets at once. */
enum { SOLID_BLOCK = 64 };

/* ---- the frame (frame.c) ---- */

/** From the current frame to the solid's own: own = turn p + shift. */
typedef struct solid_frame {
    double turn[3][3], shift[3];
} solid_frame;

/** The own frame itself. */
solid_frame solid_frame_own(void);
/** place(): sets the frame for later calls. */
void solid_frame_set(solid_frame *frame, const scree_frame *asked);
/** Moves a point of the own frame into the current one. */
void solid_point_out(const solid_frame *frame, const double own[3], double p[3]);
/** Turns moments along the own axes into the inertia xx yy zz xy xz yz in the axes of the current
 * frame. */
void solid_inertia_out(const solid_frame *frame, const double moment[3], double out[6]);

/* ---- blocks (frame.c) ---- */

/** The farthest points in n <= SOLID_BLOCK directions, in own axes, or their reach from the own
 * origin. */
typedef void (*solid_farthest_fn)(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT3(p));
typedef void (*solid_reach_fn)(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT h);
/** The implicit function and its gradient at n <= SOLID_BLOCK points. */
typedef void (*solid_value_fn)(const void *self, uint32_t n, SCREE_IN3(x), SCREE_OUT value,
                               SCREE_OUT3(g));

/** The farthest point along way[0], and the radii of curvature there, in own axes. */
typedef void (*solid_radii_fn)(const void *self, const double way[3][3], double p[3],
                               double radii[3]);

/** The functions of the views, in the current frame. */
void solid_farthest(const solid_frame *frame, solid_farthest_fn fn, const void *self, uint32_t n,
                    const double *const direction[3], double *const point[3]);
void solid_value(const solid_frame *frame, solid_value_fn fn, const void *self, uint32_t n,
                 const double *const x[3], double *value, double *const gradient[3]);
void solid_radii(const solid_frame *frame, solid_radii_fn fn, const void *self,
                 const double way[3][3], double p[3], double radii[3]);
/** Tight boxes of a solid whose reach is the same in opposite directions. `radius`: that of the
 * ball about the own origin that holds the solid. */
void solid_boxes(const solid_frame *frame, solid_reach_fn fn, const void *self, double radius,
                 const scree_shape_boxes *batch);

/* ---- meshes (meshes.c) ---- */

/** Meshes that were asked for, each with its tolerance; their addresses do not change. */
typedef struct solid_mesh {
    double tolerance;
    mesh_surface *surface; /* NULL: a mesh would be too fine */
} solid_mesh;
typedef struct solid_meshes {
    solid_mesh **v; /* [n] */
    uint64_t n, room;
} solid_meshes;

void solid_meshes_clear(solid_meshes *meshes);
uint64_t solid_meshes_bytes(const solid_meshes *meshes);
/** The mesh of this tolerance; NULL: not asked for yet. */
const solid_mesh *solid_meshes_find(const solid_meshes *meshes, double tolerance);
/** Takes the surface; 0: no memory. */
int solid_meshes_add(solid_meshes *meshes, double tolerance, mesh_surface *surface);

/* ---- instances (instance.c) ---- */

/** A type of solids with formulas. */
typedef struct solid_kind {
    solid_farthest_fn farthest;
    solid_reach_fn reach;
    solid_value_fn value;
    /** Makes a closed mesh within the tolerance. 1: *surface is NULL, because the mesh would be too
     * fine; 0: no memory. */
    int (*mesh)(const void *form, const solid_frame *frame, double tolerance,
                mesh_surface **surface);
    /** The ball that rolls inside and the radii of curvature of a smooth surface, as in smooth_view
     * (smooth.h), in own axes. roll < 0: this form is not smooth. Both or none. */
    double (*roll)(const void *form);
    solid_radii_fn radii;
} solid_kind;

/** Measure in own axes. */
typedef struct solid_mass {
    double volume;    /* [m^3] */
    double moment[3]; /* [m^2] moments per mass about the own origin, which is the centroid */
    double radius;    /* [m] */
} solid_mass;

/** create() of a type: makes an instance that owns `form`, which comes from malloc() and is freed
 * in any case. With `convex` it offers a support function. form NULL: no memory. */
int32_t solid_new(const scree_host *host, const solid_kind *kind, void *form, size_t form_bytes,
                  const solid_mass *mass, int convex, void **instance);
/** The other functions of the vtable. */
void solid_destroy(void *instance);
uint64_t solid_bytes(void *instance);
int32_t solid_measure(void *instance, scree_measure *out);
int32_t solid_place(void *instance, const scree_frame *frame);
int32_t solid_find_boxes(void *instance, const scree_shape_boxes *batch);
int32_t solid_view(void *instance, const char *name, double tolerance, const void **out);

/* ---- lofts (loft.c) ---- */

/** Points of a curve in a plane. */
typedef struct solid_curve {
    uint32_t n, room;
    double *u, *v; /* [n] */
} solid_curve;

void solid_curve_clear(solid_curve *curve);
/** Adds a point; 0: no memory. */
int solid_curve_add(solid_curve *curve, double u, double v);

/** Most facets of a mesh that is made to a tolerance. */
#define SOLID_MOST_FACETS 1000000u
/**
 * Makes a chain of points on a quarter of the curve |u / a|^n + |v / b|^n = 1, from (a, 0) to
 * (0, b). Each arc between two points is within `tolerance` of its chord; an arc that is not is cut
 * at its point farthest from the chord. 0: no memory, -1: more than SOLID_MOST_FACETS points.
 */
int solid_quarter(double n, double a, double b, double tolerance, solid_curve *curve);
/** Makes a mesh of revolution about z: the circle of radius `wide` is within `tolerance`, the
 * profile is used unchanged, with u in [0, 1]. Returns as mesh() of solid_kind. */
int solid_revolve(double wide, double tolerance, const solid_curve *profile,
                  const solid_frame *frame, mesh_surface **surface);
/** Makes the closed curve of a quarter, counterclockwise from (a, 0), without repeating the first
 * point. */
int solid_ring(const solid_curve *quarter, solid_curve *ring);

/** Makes facets between copies of a ring. Each point of the profile, from the bottom to the top,
 * has a copy scaled by u at the height v; where u is 0 the surface ends in a point. Triangles,
 * normals outward. NULL with a problem. */
mesh_surface *solid_loft(const solid_curve *ring, const solid_curve *profile,
                         const solid_frame *frame, mesh_lines *problems);

#endif
