/* SPDX-License-Identifier: Apache-2.0 */
/* The view "polygon.strip/1": the upper and lower half of a resampled polygon, each as Y(X). */
#ifndef PLUGINS_SHAPE_POLYGON_STRIP_H
#define PLUGINS_SHAPE_POLYGON_STRIP_H

#include <stdint.h>

/** A view of the shape type `polygon`, where `resample` is given; NULL for other polygons. At scale
 * 1, const until the shape is destroyed. The exact view scree.outline/1 has the same points:
 *
 *     upper half from right to left, then lower half from left to right, both ends once:
 *     vertex i = upper[n - i] for i = 0 .. n, vertex n + i = lower[i] for i = 1 .. n - 1
 *
 * so that the outline has 2 n vertices. A point (X, Y) of the strip has, in the frame of the shape,
 * the coordinates
 *
 *     x = shift[0] + turn[0] X - turn[1] Y
 *     y = shift[1] + turn[1] X + turn[0] Y
 *
 * shift is 0 once the shape is placed: the origin of both is then the centroid. */
#define POLYGON_VIEW_STRIP "polygon.strip/1"
typedef struct polygon_strip {
    uint32_t size;
    uint32_t n;      /* panels, 2 or more; points of each half: n + 1, at X = x0 + i dx */
    double x0;       /* [m] left end */
    double dx;       /* [m] width of a panel */
    double turn[2];  /* [-] cosine and sine of the angle of X in the frame of the shape */
    double shift[2]; /* [m] */
    /* [n + 1] [m] Y of the halves, from left to right: upper > lower, except at both ends (i is 0
     * or n), where they are equal. */
    const double *upper, *lower;
} polygon_strip;

#endif
