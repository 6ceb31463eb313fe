/* SPDX-License-Identifier: Apache-2.0 */
/* The edge test of Cyrus and Beck as in O'Connor 1996, 1.4.1, in two forms. The benchmark times
 * these same kernels. */
#ifndef RESOLVER_CYRUS_BECK_TESTS_H
#define RESOLVER_CYRUS_BECK_TESTS_H

#include "scree/sdk.h"

/** Sides of a convex polygon: from P on along PQ, with unit normals that point inward. */
typedef struct cyrus_sides {
    uint32_t n;
    const double *px, *py, *ex, *ey, *nx, *ny; // [n]
    const double *offset;                      // [n] P · n
} cyrus_sides;

/** How far the point (x, y) is inside of each side: one dot product. */
static inline void cyrus_dot(uint32_t n, double x, double y, SCREE_IN nx, SCREE_IN ny,
                             SCREE_IN offset, SCREE_OUT inside)
{
    for (uint32_t j = 0; j < n; j++)
        inside[j] = (nx[j] * x + ny[j] * y) - offset[j];
}

/** The same as printed, with R'' corrected: R' = R - P, R'' = (R' · PQ) PQ / (PQ · PQ), (R' - R'') · n. */
static inline void cyrus_printed(uint32_t n, double x, double y, SCREE_IN px, SCREE_IN py,
                                 SCREE_IN ex, SCREE_IN ey, SCREE_IN nx, SCREE_IN ny,
                                 SCREE_OUT inside)
{
    for (uint32_t j = 0; j < n; j++) {
        const double rx = x - px[j], ry = y - py[j];
        const double share = (rx * ex[j] + ry * ey[j]) / (ex[j] * ex[j] + ey[j] * ey[j]);
        inside[j] = (rx - share * ex[j]) * nx[j] + (ry - share * ey[j]) * ny[j];
    }
}

/** Counts the sides, out of n, that have the point on their inner side, without an early exit. */
static inline uint32_t cyrus_count_dot(uint32_t n, double x, double y, SCREE_IN nx, SCREE_IN ny,
                                       SCREE_IN offset)
{
    uint32_t in = 0;
    for (uint32_t j = 0; j < n; j++)
        in += (nx[j] * x + ny[j] * y) - offset[j] >= 0.0;
    return in;
}

static inline uint32_t cyrus_count_printed(uint32_t n, double x, double y, SCREE_IN px, SCREE_IN py,
                                           SCREE_IN ex, SCREE_IN ey, SCREE_IN nx, SCREE_IN ny)
{
    uint32_t in = 0;
    for (uint32_t j = 0; j < n; j++) {
        const double rx = x - px[j], ry = y - py[j];
        const double share = (rx * ex[j] + ry * ey[j]) / (ex[j] * ex[j] + ey[j] * ey[j]);
        in += (rx - share * ex[j]) * nx[j] + (ry - share * ey[j]) * ny[j] >= 0.0;
    }
    return in;
}

#endif
