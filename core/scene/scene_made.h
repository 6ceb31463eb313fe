/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of bodies that are made by number: groups of `generate`, recipes of modifiers. */
#ifndef CORE_SCENE_MADE_H
#define CORE_SCENE_MADE_H

#include "scene/scene_build.h"
#include "scene/scene_sizes.h"

/** Whether bodies of the shape can be made by number: a problem for walls. */
bool scree_build_check_made(scree_build *build, scree_node *group, const scree_shape *shape);
/** The sizes, as scales of the shape, of a group with this template: its radius, or its `distribution`
 * (NULL: none); NULL with a problem. */
scree_sizes *scree_build_sizes(scree_build *build, scree_node *group, scree_node *distribution,
                               const scree_body_template *template);
/** An `orientation`, or NULL: true for "random", else `q` turns the principal frame of the shape as the
 * group says, and `turn` (unless NULL) the shape as it is given to the scene. */
bool scree_build_orientation(scree_build *build, scree_node *node, const scree_shape *shape,
                             double q[4], double turn[4]);
/** [m/s] A `velocity_random`, or NULL: a Gaussian's deviation, or the amplitude of what is uniform. */
double scree_build_velocity_random(scree_build *build, scree_node *node, bool *uniform);

#endif
