/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the resolver `dfr2d` in common: strips, and the overlap of two of them. */
#ifndef RESOLVER_DFR2D_H
#define RESOLVER_DFR2D_H

#include "../overlap/overlap.h"
#include "points.h"

/** A polygon as two functions of X over n panels, at scale 1 in a frame of its own. Points are
 * stored as in the thesis, fig. 3.3: N = 2 (n + 1), both ends twice, upper half from right to left, then
 * lower half from left to right, which is counterclockwise. Border k of the panels, from the right, is
 * point k above and point N - 1 - k below. */
typedef struct dfr_strip {
    dfr_panels panels;
    overlap_frame frame;
    uint32_t n, n_points;
    double left, bottom, top, area; // [m], [m^2]
    double *x, *y;                  // [n_points] [m]
    double *lower, *rise_u, *rise_l;
    double *memory; // NULL: no strip
    int is_convex;
} dfr_strip;

/** A range of the panels of a strip: borders start .. finish, counted from the right (3.3). */
typedef struct dfr_range {
    uint32_t start, finish;
} dfr_range;

/** Makes room for n panels and sets x; 0: no memory. */
int dfr_strip_new(dfr_strip *s, uint32_t n, double left, double right);
/** Computes slopes, box and area once both halves are written into y. */
void dfr_strip_finish(dfr_strip *s);
void dfr_strip_clear(dfr_strip *s);
/** Makes the strip of n panels of an outline, along its longest diagonal, or else along the first
 * other direction in which both halves are single-valued. SCREE_E_CONFIG: none serves;
 * SCREE_E_MEMORY. */
int32_t dfr_strip_resample(dfr_strip *s, const scree_outline *outline, uint32_t n);

/** Bytes of scratch that an overlap of strips of at most n panels needs. */
uint64_t dfr_scratch_bytes(uint32_t n);
/** Finds the panels of a and b that can meet, (3.1) to (3.4); 0: none. */
int dfr_clip(const dfr_strip *a, const dfr_strip *b, const overlap_pose *pose, dfr_range *of_a,
             dfr_range *of_b);
/** Finds at most `room` pieces of the overlap, by ascending feature; returns their number. scratch:
 * dfr_scratch_bytes() for the larger n. */
uint32_t dfr_overlap(const dfr_strip *a, const dfr_strip *b, const overlap_pose *pose,
                     void *scratch, overlap_piece *out, uint32_t room);

#endif
