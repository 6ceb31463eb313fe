/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies in a region, and those that touch a ball. */
#ifndef CORE_QUERY_FIND_H
#define CORE_QUERY_FIND_H

#include "scene/query_space.h"

/** Appends the numbers (uint32_t) of bodies that overlap a region or touch it, ascending, each once.
 * The region is valid (scree_space_check_region). */
bool scree_space_find(scree_space *space, const scree_region *region, GArray *numbers,
                      GError **error);
/** Why a region cannot be asked about, to be freed; NULL: it can. */
char *scree_space_check_region(const scree_scene *scene, const scree_region *region);

/** Something that touches a ball: of body number `owner`; `normal` (unit) points to it from the
 * centre of the ball, `distance` [m] is how far its surface is there, `radius` [m] its own, 0 of
 * what is flat. */
typedef void (*scree_touch_fn)(void *user, uint32_t owner, const double normal[3], double distance,
                               double radius);
/** Shows everything whose surface is nearer to x than `radius`, but not what has its centre there:
 * planes, then the others in the order in which they were added. A solid is the ball that holds it. */
bool scree_space_each(scree_space *space, const double x[3], double radius, scree_touch_fn fn,
                      void *user, GError **error);

#endif
