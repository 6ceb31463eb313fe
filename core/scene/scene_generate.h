/* SPDX-License-Identifier: Apache-2.0 */
/* The `generate` groups of a scene: bodies by number or solid fraction, placed at random or on a
 * lattice. */
#ifndef CORE_SCENE_GENERATE_H
#define CORE_SCENE_GENERATE_H

#include "scene/scene_build.h"
#include "scene/scene_sizes.h"

/** [m/s] `velocity_random` of a group: a Gaussian's deviation, or the amplitude of what is uniform.
 */
double scree_build_velocity_random(scree_build *build, scree_node *group, bool *uniform);
void scree_build_generate(scree_build *build);

/** The sizes of a group with this look: its radius, or its `distribution`; NULL with a problem. */
scree_sizes *scree_build_sizes(scree_build *build, scree_node *group, const scree_look *look);

#endif
