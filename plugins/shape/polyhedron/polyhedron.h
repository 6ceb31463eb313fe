/* SPDX-License-Identifier: Apache-2.0 */
/* Polyhedra: closed surfaces of triangles, checked and measured; convex hulls; named solids. */
#ifndef PLUGINS_SHAPE_POLYHEDRON_H
#define PLUGINS_SHAPE_POLYHEDRON_H

#include "../../cubes.h"
#include "../mesh/mesh.h"

/* ---- sums (sums.c) ---- */

/** Volume and centroid; inertia per mass about the centroid, xx yy zz xy xz yz (xy: minus the mean
 * of x y). */
typedef struct polyhedron_sums {
    double volume;      /* [m^3] */
    double centroid[3]; /* [m] */
    double inertia[6];  /* [m^2] */
} polyhedron_sums;

polyhedron_sums polyhedron_measure(const mesh_surface *surface);

/* ---- facets on their way to a surface (regular.c, hull.c, faces.c) ---- */

#define POLYHEDRON_CUBE 1
#define POLYHEDRON_TETRAHEDRON 2
#define POLYHEDRON_OCTAHEDRON 3
#define POLYHEDRON_DODECAHEDRON 4
#define POLYHEDRON_ICOSAHEDRON 5
#define POLYHEDRON_CUBOID 6

/** Adds the vertices and triangles of a named solid about the origin. `half`: half the sides [m] of
 * a cuboid; other solids have the edge length 1. *radius: that of the ball around it. 0 with a
 * problem. */
int polyhedron_regular(int32_t solid, const double half[3], mesh_soup *soup, double *radius,
                       mesh_lines *problems);

/** Replaces the facets by those of the convex hull of the vertices; other vertices are dropped. 0
 * with a problem. */
int polyhedron_hull(mesh_soup *soup, mesh_lines *problems);
/** Marks the vertices that are corners of the convex hull. 0 with a problem. */
int polyhedron_mark_hull(uint32_t n, const double *const x[3], uint8_t *marked,
                         mesh_lines *problems);

/** Adds the triangles of a plane convex polygon, corners in order about the unit normal. Corners
 * may lie on a line with their neighbours; if all do, the triangles have no area. 0 with a
 * problem. */
int polyhedron_add_face(mesh_soup *soup, uint32_t n, const uint32_t *corner, const double normal[3],
                        mesh_lines *problems);
/** The corner of a triangle whose distance from the longest side is below `least` times that side;
 * SCREE_NONE: none has it. */
uint32_t polyhedron_find_thin(const mesh_soup *soup, uint64_t facet, double least);
/** Cuts quads into two triangles, along the shorter diagonal. 0 with a problem. */
int polyhedron_cut_quads(mesh_soup *soup, mesh_lines *problems);

/* ---- checks (check.c, cross.c, shells.c) ---- */

/** Does the surface of this soup enclose one solid, possibly with cavities? Each edge must have two
 * facets, each vertex one fan; normals must point outward, and facets may meet only in common
 * vertices and edges. 0 with problems, which name facets, vertices and lines of the file; -1: no
 * memory. */
int polyhedron_check(const mesh_soup *soup, const mesh_surface *surface, mesh_lines *problems);
/** Finds pairs of facets that meet outside their common vertices: *n is their number, and the first
 * `most` are written. 0: no memory. */
int polyhedron_find_crossings(const mesh_surface *surface, uint32_t most, uint32_t (*pair)[2],
                              uint64_t *n);
/** Is there one outer shell, and are all others cavities in it? Problems and results as in
 * polyhedron_check(). */
int polyhedron_check_shells(const mesh_soup *soup, const mesh_surface *surface,
                            mesh_lines *problems);
/** Writes "facet 12", with file and line if it has them. */
void polyhedron_name_facet(const mesh_soup *soup, uint32_t facet, char *text, size_t size);

/** 1: no edge is concave. */
int polyhedron_is_convex(const mesh_surface *surface);

/* ---- corners (corners.c) ---- */

/** Corners of the convex hull, padded with the first one to a multiple of 8. */
typedef struct polyhedron_corners {
    uint32_t n, padded;
    uint32_t *number; /* [n] vertices of the surface, ascending */
    double *x[3];     /* [padded] [m] */
} polyhedron_corners;

/** Makes corners of the marked vertices; 0: no memory. */
int polyhedron_corners_new(polyhedron_corners *c, uint32_t n, const uint8_t *marked);
void polyhedron_corners_clear(polyhedron_corners *c);
/** Sets the places of the corners. */
void polyhedron_corners_set(polyhedron_corners *c, const double *const x[3]);
/** The farthest corner in direction d, of equal ones the lowest number. */
uint32_t polyhedron_farthest(const polyhedron_corners *c, const double d[3]);
/** Least and largest d · corner. */
void polyhedron_range(const polyhedron_corners *c, const double d[3], double range[2]);

/* ---- instances (instance.c) ---- */

/** create() of a type: makes an instance that owns this closed surface. Logs the notes, or without
 * a surface fails with the problems; clears both. */
int32_t polyhedron_new(const scree_host *host, mesh_surface *surface, mesh_notes *notes,
                       void **instance);
/** The origin of a surface that marching cubes made. */
typedef struct polyhedron_extra {
    double lo[3], hi[3]; /* [m] box of its cells */
    const char *name;    /* of the view that gives the function until place() */
    scree_implicit view;
    void *owned; /* what the function needs */
    void (*free_owned)(void *owned);
    uint64_t bytes; /* of `owned` */
} polyhedron_extra;

/** Adds this to an instance; once. */
void polyhedron_add(void *instance, const polyhedron_extra *extra);
/** The other functions of the vtable. */
void polyhedron_destroy(void *instance);
uint64_t polyhedron_bytes(void *instance);
int32_t polyhedron_give_measure(void *instance, scree_measure *out);
int32_t polyhedron_place(void *instance, const scree_frame *frame);
int32_t polyhedron_find_boxes(void *instance, const scree_shape_boxes *batch);
int32_t polyhedron_view(void *instance, const char *name, double tolerance, const void **out);
/** Members of the table of functions of a shape whose instances polyhedron_new() makes. */
#define POLYHEDRON_CALLS                                                                           \
    .destroy = polyhedron_destroy, .bytes = polyhedron_bytes, .measure = polyhedron_give_measure,  \
    .place = polyhedron_place, .boxes = polyhedron_find_boxes, .view = polyhedron_view

#endif
