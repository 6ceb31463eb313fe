/* SPDX-License-Identifier: Apache-2.0 */
/* Obstacles that a new body must not overlap: balls and facets in a cell grid, and planes. */
#ifndef CORE_OBSTACLES_H
#define CORE_OBSTACLES_H

#include "scene/scene.h"

typedef struct scree_obstacles scree_obstacles;

/** For bodies whose centres are inside [min, max]; `widest` is the diameter of the largest of them,
 * or more, `n` how many to expect. `scene` must outlive it. */
scree_obstacles *scree_obstacles_new(const scree_scene *scene, const double min[3],
                                     const double max[3], double widest, uint64_t n);
/** Many balls of radius `least` or more will be tried, in vain for the most part: makes that cheap
 * (cover.h). To be called before anything is added; `n`: how many balls to expect. */
void scree_obstacles_cover(scree_obstacles *obstacles, double least, const double min[3],
                           const double max[3], uint64_t n);
void scree_obstacles_free(scree_obstacles *obstacles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_obstacles, scree_obstacles_free)

/** Adds a body with its periodic images: a clump as its balls, a solid as its bounding ball. */
void scree_obstacles_add(scree_obstacles *obstacles, const scree_body *body);
/** Memory that the next question about x needs is asked for. */
void scree_obstacles_fetch(const scree_obstacles *obstacles, const double x[3]);
/** True when a ball overlaps an obstacle: a disc in 2D, a ball in 3D. Touching does not count, up
 * to 1e-12 of the distance. */
bool scree_obstacles_hit(const scree_obstacles *obstacles, const double x[3], double radius);
/** The same for a body: a ball of a clump, or the bounding ball of a solid. */
bool scree_obstacles_hit_body(const scree_obstacles *obstacles, const scree_body *body);

/** An obstacle that touches a ball: body number `owner`; `normal` (unit) points to it from the
 * centre of the ball, `distance` [m] is how far its surface is there, `radius` [m] its own, 0 of
 * what is flat. */
typedef void (*scree_touch_fn)(void *user, uint32_t owner, const double normal[3], double distance,
                               double radius);
/** From now on bodies are added with a number of the caller's (scree_obstacles_each). */
void scree_obstacles_number(scree_obstacles *obstacles, uint32_t owner);
/** Shows everything whose surface is nearer to x than `radius`, but not what has its centre
 * there. */
void scree_obstacles_each(const scree_obstacles *obstacles, const double x[3], double radius,
                          scree_touch_fn fn, void *user);

#endif
