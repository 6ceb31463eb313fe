/* SPDX-License-Identifier: Apache-2.0 */
/* A scene in other units: the same motion, in which every number is another one. */
#ifndef CORE_ROUTE_UNITS_H
#define CORE_ROUTE_UNITS_H

#include "scene/scene_data.h"

/** Powers of two by which numbers grow. Even ones: their roots are exact. */
typedef struct scree_route_units {
    int length, mass, time;
} scree_route_units;

/** The factor of numbers with a unit ("N/m"; NULL: 1). */
double scree_route_units_factor(const scree_route_units *units, const char *unit);
/** Multiplies all numbers of a scene of balls and planes that was just read. */
void scree_route_units_change(const scree_route_units *units, scree_scene *scene);

#endif
