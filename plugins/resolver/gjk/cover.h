/* SPDX-License-Identifier: Apache-2.0 */
/* Two polytopes that overlap: the least axis out of few, with a proof that no other is less. */
#ifndef GJK_COVER_H
#define GJK_COVER_H

#include "axes.h"

#define COVER_APART 0   /* apart by more than the range: only the normal is set */
#define COVER_LEAST 1   /* the axis is the one of axes_least(), to the bit */
#define COVER_UNKNOWN 2 /* ask axes_least() */

enum { SURFACE_POINTS = 20, SURFACE_TRIANGLES = 2 * SURFACE_POINTS - 4 };

/** A closed surface of triangles, kept from one call to the next. It only bounds the depth, so the
 * result does not depend on it. */
typedef struct surface {
    uint16_t n_points, n_triangles;       /* 0: none */
    uint16_t corner[SURFACE_POINTS][2];   /* corner of a, corner of b */
    uint16_t triangle[SURFACE_TRIANGLES]; /* three points of 5 bits each */
} surface;

/** Bytes of memory that cover_least() needs. */
uint64_t cover_bytes(void);

/** Can cover_least() handle both polytopes? */
int cover_serves(const convex *a, const convex *b);

/** The axis of the least depth; the corners of polytopes without a graph are placed. `known`: the
 * surface of an earlier call, or NULL; it becomes that of this call. `room`: cover_bytes(). */
int cover_least(const convex *a, const convex *b, double range, surface *known, void *room,
                axis *out);

#endif
