/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes around zones. The module scree-query.so has these functions too. */
#ifndef CORE_SCENE_ZONE_H
#define CORE_SCENE_ZONE_H

#include "scree/gcd.h"

/** [m] Returns the smallest n x of a zone; n is a unit vector. */
double scree_zone_least(const scree_zone *zone, const double n[3]);
/** Finds the box around a ball or cylinder. */
void scree_zone_enclose(const scree_zone *zone, uint32_t dimension, double lo[3], double hi[3]);

#endif
