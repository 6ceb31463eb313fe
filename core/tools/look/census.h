/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and sizes of the bodies of a scene. */
#ifndef CORE_CENSUS_H
#define CORE_CENSUS_H

#include "scene/scene_data.h"

/** Counts and sizes of the bodies. */
typedef struct scree_census {
    uint64_t free, kinematic, fixed, round, clumps, solids, facets, planes;
    double r_min, r_max;            /* [m] of spheres and discs */
    double ball_min, ball_max;      /* [m] of clumps */
    double thin_min, thin_max, far; /* [m] of solids: half thickness, farthest from the centre */
    double volume;                  /* [m^3], 2D: [m^2] of free bodies */
    double lo[3], hi[3];            /* [m] box around all but planes */
} scree_census;

scree_census scree_census_take(const scree_scene *scene);
/** Share of scene.region, or of the box around the free bodies, that is solid; 0: unknown. */
double scree_census_solid(const scree_scene *scene, const scree_census *census);

#endif
