/* SPDX-License-Identifier: Apache-2.0 */
/* Directions and outlines in the plane, shared by plugins of several kinds. */
#ifndef PLUGINS_PLANE_H
#define PLUGINS_PLANE_H

#include "scree/sdk.h"

/** Number in [0, 4) that grows with the angle of a direction; it is 0 along x and for (0, 0). */
static inline double plane_heading(double x, double y)
{
    const double sum = fabs(x) + fabs(y), share = y / (sum > 0.0 ? sum : 1.0);
    return x >= 0.0 ? (y >= 0.0 ? share : 4.0 + share) : 2.0 - share;
}

/** [m^2] Area of an outline, > 0 if counterclockwise; by Green's formula about its first vertex, so
 * that an outline far from the origin loses no digits. */
static inline double plane_area(uint32_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (uint32_t i = 1; i + 1 < n; i++)
        sum += (x[i] - x[0]) * (y[i + 1] - y[0]) - (x[i + 1] - x[0]) * (y[i] - y[0]);
    return 0.5 * sum;
}

/** The first corner of a counterclockwise outline that turns right by more than rounding, or
 * SCREE_NONE: it is convex. */
static inline uint32_t plane_turns_in(uint32_t n, const double *x, const double *y)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = (i + 1) % n, k = (i + 2) % n;
        const double ux = x[j] - x[i], uy = y[j] - y[i], vx = x[k] - x[j], vy = y[k] - y[j];
        const double turn = ux * vy - uy * vx;
        if (turn < -1e-12 * sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy)))
            return j;
    }
    return SCREE_NONE;
}

#endif
