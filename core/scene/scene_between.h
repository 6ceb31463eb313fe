/* SPDX-License-Identifier: Apache-2.0 */
/* `between` of a force law in a scene: the types of shapes that it acts between. */
#ifndef CORE_SCENE_BETWEEN_H
#define CORE_SCENE_BETWEEN_H

#include "scene/scene_build.h"

/** Reads `between = ["rod", "mesh"]`, or a list of such pairs, into choice->between; NULL: none. */
void scree_build_between(scree_build *build, scree_node *node, scree_choice_of *choice);

/** Whether a law acts between two types, by their codes in any order. SCREE_NONE: any type. */
bool scree_between_acts(const scree_choice_of *law, uint32_t type_a, uint32_t type_b);

#endif
