/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a band of a picture of observer/image, and the functions that draw into them. */
#ifndef SCREE_IMAGE_RASTER_H
#define SCREE_IMAGE_RASTER_H

#include "image.h"

#define BAND 8u            /* rows of pixels */
#define NOBODY 0xffffffffu /* background */
#define CAP 0x80000000u    /* the section through a ball or solid; 2D: the rim of an outline */
#define FACE 0x40000000u   /* a face, else a ball */
#define INDEX 0x3fffffffu  /* bits of the number */

/** The work of one picture. */
typedef struct raster_job {
    image *self;
    uint32_t *first, *list; // balls of band b: list[first[b]] .. list[first[b + 1] - 1]
    uint32_t n_bands, samples, width, height;
} raster_job;

/** Samples, row by row. */
typedef struct samples {
    float *depth;       // [m]
    uint32_t *who;      // number of a ball or face, with the marks above, or NOBODY
    float (*normal)[3]; // normals of solids; NULL: none
} samples;

/** Vertices of one solid. */
typedef struct corners {
    double (*x)[3];  // [m] camera axes
    double (*px)[2]; // [px]
} corners;

/** The current band, in the memory of its lane. */
typedef struct raster_band {
    const raster_job *job;
    samples seen;
    samples own; // samples of one solid that the section plane goes through
    float (*colour)[4];
    corners corners;             // [drawing.most_vertices]
    uint32_t first, rows, width; // [samples]
} raster_band;

static inline uint32_t clamp(double x, uint32_t most)
{
    return x > 0.0 ? x < most ? (uint32_t)x : most : 0;
}

/** Samples of a row at `y` inside a convex polygon: those with their middle in [from, to). */
static inline int span_of(const double *px, uint32_t n, double y, double s, uint32_t width,
                          uint32_t *from, uint32_t *to)
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (uint32_t c = 0; c < n; c++) {
        const double *p = &px[2 * c], *q = &px[2 * ((c + 1) % n)];
        if ((p[1] <= y) == (q[1] <= y))
            continue;
        if (p[1] > q[1]) { // the neighbour over this edge finds the same number
            const double *swap = p;
            p = q;
            q = swap;
        }
        double x = p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
        lo = x < lo ? x : lo;
        hi = x > hi ? x : hi;
    }
    if (lo > hi)
        return 0;
    *from = clamp(ceil(lo * s - 0.5), width);
    *to = clamp(ceil(hi * s - 0.5), width);
    return *from < *to;
}

/* solid.c */
/** Floats that a band of `n` samples needs for the solids of a drawing, a multiple of 2. */
uint64_t solid_room(const drawing *d, uint64_t n);
/** Lays out that memory. */
void place_solid_room(const drawing *d, uint64_t n, float *memory, raster_band *band);
/** Draws the solid in ball `number`. */
void draw_solid(const raster_band *band, uint32_t number);

#endif
