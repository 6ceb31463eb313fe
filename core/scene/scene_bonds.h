/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a force law in a scene: `bonds` (a list of pairs, pairs across a gap, beginning contacts)
 * and `between` (types of shapes). */
#ifndef CORE_SCENE_BONDS_H
#define CORE_SCENE_BONDS_H

#include "scene/scene_build.h"

/** Reads `bonds` of a force law; NULL: missing. */
void scree_build_bonds(scree_build *build, scree_node *node, scree_choice_of *choice);

/** Gives the bonds of sources to the first law that makes bonds, as a list of pairs. */
void scree_build_source_bonds(scree_build *build);

/** Reads `between = ["rod", "mesh"]`, or a list of such pairs, into choice->between. */
void scree_build_between(scree_build *build, scree_node *node, scree_choice_of *choice);

/** Returns whether a law acts between two types by code, in any order; SCREE_NONE: any type. */
bool scree_between_acts(const scree_choice_of *law, uint32_t type_a, uint32_t type_b);

#endif
