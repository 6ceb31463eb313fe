/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of zones: boxes, balls and cylinders, about which a plugin or a user asks. */
#ifndef CORE_QUERY_ZONE_H
#define CORE_QUERY_ZONE_H

#include "tools/query/query_index.h"

/** [m] Returns the distance of a point from a zone, from the surface of a BALL (negative
 * inside). */
double scree_zone_distance(const scree_zone *zone, const double x[3]);
/** Returns whether a part at an image is in a BOX, or the ball around it is in a CYLINDER. */
bool scree_zone_encloses(const scree_zone *zone, const scree_query_row *row, const double shift[3]);
/** Returns why a zone is invalid, to be freed; NULL: it is valid. */
char *scree_zone_check(const scree_scene *scene, const scree_zone *zone);

#endif
