/* SPDX-License-Identifier: Apache-2.0 */
/* A capped rod: shared by shape and resolver. */
#ifndef ROD_H
#define ROD_H

#include <scree/sdk.h>
#include <scree/vector_sdk.h>

/** A private view, which only shapes of type `rod` have: it gives the resolver length and radius.
 * It is exact. */
#define ROD_VIEW_AXIS "rod.axis/1"
typedef struct rod_axis {
    uint32_t size;
    uint32_t reserved;
    double end[2][3]; /* [m] centres of the caps */
    double radius;    /* [m] */
} rod_axis;

/** Scenes with this surface, within a tolerance: views.c. NULL: no memory. */
scree_mesh *rod_mesh_new(const rod_axis *axis, uint32_t dimension, double tolerance,
                         uint64_t *bytes);
scree_outline *rod_outline_new(const rod_axis *axis, double tolerance, uint64_t *bytes);

extern const scree_plugin rod_resolver;

static inline scree_vec rod_vec(const double v[3])
{
    scree_vec out = {v[0], v[1], v[2]};
    return out;
}

/** Point at s in [0, 1] from p to q. */
static inline scree_vec rod_point(scree_vec p, scree_vec q, double s)
{
    return scree_less(scree_scaled(1.0 - s, p), -s, q);
}

static inline double rod_clamp(double s)
{
    return s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
}

#endif
