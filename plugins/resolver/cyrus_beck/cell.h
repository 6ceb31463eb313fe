/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `cyrus_beck` in space: a convex cell that planes cut, and the integrals over it. */
#ifndef RESOLVER_CYRUS_BECK_CELL_H
#define RESOLVER_CYRUS_BECK_CELL_H

#include "polyhedra.h"

/** The points below a plane: normal · x < offset. */
typedef struct cyrus_half_space {
    scree_vec normal; /* [-] unit */
    double offset;    /* [m] */
} cyrus_half_space;

/** Faces as loops of vertices, counterclockwise from outside; the cell is closed in spite of
 * rounding. */
typedef struct cyrus_cell {
    uint32_t n_vertices, n_faces, n_corners, reserved;
    scree_vec *x;     /* [n_vertices] [m] */
    uint32_t *first;  /* [n_faces + 1] corners of face f: corner[first[f]] to .. */
    uint32_t *corner; /* [n_corners] */
    uint32_t
        *plane; /* [n_faces] its plane: a face of the polyhedron, then the cuts in their order */
} cyrus_cell;

/** Two cells in turns, and what a cut needs. */
typedef struct cyrus_cutter {
    cyrus_cell now, next;
    double *height;  /* [most vertices] [m] height over the plane */
    uint32_t *moved; /* [most vertices] number in the next cell */
    uint32_t *link;  /* [most vertices] side of the new face from that vertex of the next cell */
    uint32_t (*edge)[3]; /* [most vertices] both ends of a cut edge, and the new vertex */
    uint32_t n_edges, most_vertices, most_faces, most_corners;
    uint32_t n_own, n_planes; /* faces of the polyhedron; with the planes that were tried so far */
} cyrus_cutter;

/** Integrals over the cell, from its reference point. */
typedef struct cyrus_content {
    double volume;      /* [m^3] */
    scree_vec from;     /* [m] the reference point */
    scree_vec centroid; /* [m] from there */
    scree_vec area;     /* [m^2] vector area of the cut faces, outward */
    scree_vec moment;   /* [m^3] integral of x × n over them */
} cyrus_content;

/** Bytes for a cell with so many faces at the end. */
uint64_t cyrus_cutter_bytes(uint64_t n_faces);
/** [lane] The cell of polyhedron p, with its vertices at x; `room`: cyrus_cutter_bytes(), aligned
 * to 8. */
void cyrus_cutter_start(cyrus_cutter *c, const cyrus_polyhedron *p, double *const x[3],
                        uint64_t n_faces, void *room);
/** [lane] The cell of another cutter; no face of it counts as cut. */
void cyrus_cutter_copy(cyrus_cutter *c, const cyrus_cell *from, uint64_t n_faces, void *room);
/** [lane] Keeps the part below normal · x = offset; vertices up to `closed` [m] above it stay. 0:
 * nothing is left. */
int cyrus_cutter_cut(cyrus_cutter *c, scree_vec normal, double offset, double closed);
/** [lane] */
cyrus_content cyrus_cutter_measure(const cyrus_cutter *c);

/** Bytes for the bed of a cell of so many faces and planes. */
uint64_t cyrus_bed_bytes(uint64_t n_faces);
/** [lane] The bed of the overlap of a polyhedron, whose half spaces come first, with what has cut it:
 * about the origin, as the polyhedron moves. `of`: by plane; `room`: cyrus_bed_bytes(). */
solid_bed cyrus_bed_of(const cyrus_cutter *c, const cyrus_half_space *of, double size, void *room);

#endif
