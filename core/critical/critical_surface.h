/* SPDX-License-Identifier: Apache-2.0 */
/* Places on the surface of a smooth convex body, and how stiffly contacts there hold it. */
#ifndef CORE_CRITICAL_SURFACE_H
#define CORE_CRITICAL_SURFACE_H

#include "critical/critical_bound.h"

enum { SCREE_SURFACE_MOST = 200 };

typedef struct scree_surface {
    uint32_t n; // number of places; 0: the body is not smooth, or not convex
    double normal[SCREE_SURFACE_MOST][3], point[SCREE_SURFACE_MOST][3]; // [-] [m] at scale 1
    double area[SCREE_SURFACE_MOST],
        angle[SCREE_SURFACE_MOST]; // [-] shares of all places, which sum to 1
    bool straight; // some neighbours' points are farther apart than the radius: a flat side or face
} scree_surface;

/** Asks the support function of a curved solid (no exact mesh) in directions all around. */
bool scree_surface_take(const scree_shape *shape, uint32_t dimension, scree_surface *out,
                        GError **error);
/** Finds the largest eigenvalues of the springs (out[0], [1/s^2]) and the dashpots (out[1], [1/s])
 * of one contact with a partner that does not move. The contact is at its worst place, or (`mean`)
 * the mean of contacts all around, evenly by area or by direction. */
void scree_surface_hold(const scree_surface *surface, const scree_bound_body *body,
                        uint32_t dimension, const scree_stiffness *k, bool mean, double out[2]);

#endif
