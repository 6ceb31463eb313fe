/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces from mesh files on their way to a shape: read, moved, welded, checked. */
#ifndef CORE_MESH_H
#define CORE_MESH_H

#include <glib.h>
#include <stdbool.h>

#include "scree/scree.h"

/** Most facets of a mesh; a triangle soup then has fewer than 2^31 vertices. */
#define SCREE_MESH_MOST_FACETS (UINT64_C(1) << 29)

/** Treatment of a mistake of a mesh. */
typedef enum scree_mesh_policy {
    SCREE_MESH_ERROR,
    SCREE_MESH_DROP, /* degenerate, duplicate: without the facet */
    SCREE_MESH_NOTE, /* inside out: only reported */
    SCREE_MESH_TURN, /* inside out: its corners the other way round */
} scree_mesh_policy;

/** Triangles and quads. Facets count from 0, in the order of the file. */
typedef struct scree_soup {
    char *file; /* as the user named it */
    bool text;  /* facets have lines */
    uint64_t n_vertices, n_facets;
    uint64_t room_vertices, room_facets;
    double *xyz;        /* [3 n_vertices] */
    uint32_t *corner;   /* [4 n_facets], SCREE_NONE after a triangle's three */
    uint32_t *line;     /* [n_facets] of the file, text formats */
    uint64_t *number;   /* [n_facets] of the facet in the file */
    uint64_t n_opposed; /* STL: facets whose stored normal is against the order of vertices */
    uint64_t opposed;   /* the first of them */
} scree_soup;

scree_soup *scree_mesh_new(const char *file);
void scree_mesh_free(scree_soup *mesh);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_soup, scree_mesh_free)

/** Room for so many more vertices and facets; false with a problem: too many, or no memory. */
bool scree_mesh_reserve(scree_soup *mesh, uint64_t n_vertices, uint64_t n_facets,
                        GPtrArray *problems);
/** Adds one; there must be room. */
void scree_mesh_add_vertex(scree_soup *mesh, const double x[3]);
void scree_mesh_add_facet(scree_soup *mesh, uint32_t n_corners, const uint32_t *corner,
                          uint64_t line);
/** "FILE:LINE: facet 12" or "FILE: facet 12"; new string. */
char *scree_mesh_place(const scree_soup *mesh, uint64_t facet);

/** The diagonal of the box around all vertices [m]. */
double scree_mesh_diagonal(const scree_soup *mesh);
/** Vertices within `tolerance` [m] of one with a lower number that is kept become that one; what no
 * facet uses is dropped. Quads that are not planar or not convex then become two triangles. */
bool scree_mesh_weld(scree_soup *mesh, double tolerance, GPtrArray *problems);
/** Drops vertices that no facet uses. */
bool scree_mesh_compact(scree_soup *mesh, GPtrArray *problems);

#endif
