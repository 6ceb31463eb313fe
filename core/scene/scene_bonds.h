/* SPDX-License-Identifier: Apache-2.0 */
/* `bonds` of a force law in a scene: a list of pairs, pairs across a gap, contacts as they begin.
 */
#ifndef CORE_SCENE_BONDS_H
#define CORE_SCENE_BONDS_H

#include "scene/scene_build.h"

/** `bonds` of a force law; NULL: none. */
void scree_build_bonds(scree_build *build, scree_node *node, scree_choice_of *choice);

void scree_bond_rule_free(void *rule);

#endif
