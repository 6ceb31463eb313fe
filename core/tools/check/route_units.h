/* SPDX-License-Identifier: Apache-2.0 */
/* A scene in other units: the same motion, in which every number is another one. */
#ifndef CORE_ROUTE_UNITS_H
#define CORE_ROUTE_UNITS_H

#include "tools/check/route_scenes.h"

/** Powers of two by which numbers grow. Even ones: their roots are exact. */
typedef struct scree_route_units {
    int length, mass, time;
} scree_route_units;

/** The factor of numbers with a unit ("N/m"; NULL: 1). */
double scree_route_units_factor(const scree_route_units *units, const char *unit);
/** Multiplies all numbers of a scene of balls and planes that was just read. */
void scree_route_units_change(const scree_route_units *units, scree_scene *scene);
/** The overrides that write the made-up scene of a source, without a floor, in these units, then NULL;
 * NULL: a setting has more than numbers. */
GPtrArray *scree_route_units_write(const scree_route_units *units, const scree_route_scene *from);

#endif
