/* SPDX-License-Identifier: Apache-2.0 */
/* Places where a smooth convex body may be touched, and how stiff contacts there hold it. */
#ifndef CORE_CRITICAL_SURFACE_H
#define CORE_CRITICAL_SURFACE_H

#include "critical/critical_bound.h"

enum { SCREE_SURFACE_MOST = 200 };

typedef struct scree_surface {
    uint32_t n; // 0: the body is not smooth, or not convex
    double normal[SCREE_SURFACE_MOST][3], point[SCREE_SURFACE_MOST][3]; // [-] [m] at scale 1
    double area[SCREE_SURFACE_MOST], angle[SCREE_SURFACE_MOST]; // [-] shares, each sums to 1
    bool
        straight; // neighbouring directions have points farther apart than the radius: a straight side, a flat face
} scree_surface;

/** Asks the support function of a curved solid, which is one without an exact mesh, in directions all around. */
bool scree_surface_take(const scree_shape *shape, uint32_t dimension, scree_surface *out,
                        GError **error);
/** Largest eigenvalues of the springs (out[0], [1/s^2]) and the dashpots (out[1], [1/s]) of one contact with a
 * partner that does not move: at its worst place, or (`mean`) of one of many that are all around, evenly by area or by
 * direction. */
void scree_surface_hold(const scree_surface *surface, const scree_bound_body *body,
                        uint32_t dimension, const scree_stiffness *k, bool mean, double out[2]);

#endif
