/* SPDX-License-Identifier: Apache-2.0 */
/* Outlines of polygons: read, checked, resampled, measured. */
#ifndef PLUGINS_SHAPE_POLYGON_H
#define PLUGINS_SHAPE_POLYGON_H

#include "../mesh/mesh.h"
#include "strip.h"

/** Most vertices of an outline. */
#define POLYGON_MOST_VERTICES 1000000
/** Largest sine of the angle between two sides that count as one. */
#define POLYGON_FLAT 1e-6

/** Vertices in order. */
typedef struct polygon_outline {
    uint32_t n;
    double *x, *y;        /* [n] [m] */
    const char *file;     /* file of the vertices, borrowed; NULL: the scene */
    const uint32_t *line; /* [n] lines of the file, borrowed */
} polygon_outline;

/** Makes room for n vertices; 0: no memory. */
int polygon_outline_new(polygon_outline *o, uint32_t n);
void polygon_outline_clear(polygon_outline *o);

/* ---- checks (outline.c) ---- */

/** Is the outline counterclockwise, with an area, and without crossing or touching itself? 0 with
 * problems, which name vertices by number, from 0, and lines of the file. -1: no memory. */
int polygon_check(const polygon_outline *o, mesh_lines *problems);

/* ---- sums (solid.c) ---- */

/** Area and centroid; moment of inertia per mass and radius, both about the centroid. */
typedef struct polygon_solid {
    double area;        /* [m^2] > 0: counterclockwise */
    double centroid[2]; /* [m] */
    double inertia;     /* [m^2] per mass */
    double radius;      /* [m] */
} polygon_solid;

polygon_solid polygon_measure(uint32_t n, const double *x, const double *y);
/** A vertex, and its number. */
typedef struct polygon_point {
    double x, y;
    uint32_t number;
} polygon_point;

/** The vertices sorted by x, then y, then number; the caller frees them. NULL: no memory. */
polygon_point *polygon_sorted(uint32_t n, const double *x, const double *y);
/** Vertices of the convex hull, counterclockwise from the leftmost one, without corners on a line
 * with their neighbours. hull: [n]. Returns their number; 0: no memory. */
uint32_t polygon_hull(uint32_t n, const double *x, const double *y, uint32_t *hull);

/* ---- resampling (resample.c) ---- */

/** Most panels. */
#define POLYGON_MOST_PANELS 100000

/** A strip, and the memory behind it. */
typedef struct polygon_halves {
    polygon_strip strip;
    double *upper, *lower; /* [strip.n + 1] */
} polygon_halves;

/** The strip of n panels of a checked outline. Its origin is the centroid of the enclosed area. 0
 * with a problem. */
int polygon_resample(const polygon_outline *o, uint32_t n, polygon_halves *out,
                     mesh_lines *problems);
void polygon_halves_clear(polygon_halves *h);
/** Writes the outline of a strip, 2 n vertices, into x and y. */
void polygon_strip_outline(const polygon_strip *strip, double *x, double *y);

#endif
