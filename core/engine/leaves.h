/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of bodies, which order storage: leaves of free bodies by place, and slots in them. */
#ifndef CORE_LEAVES_H
#define CORE_LEAVES_H

#include "engine/world.h"

/** Returns the Morton code of the cell of body i in a fixed grid that starts at 0; cells beyond
 * +-2^20 share those at the rim. `cell`: its side [m]. */
uint64_t scree_leaf_code(const scree_world *world, uint32_t i, double cell);
/** Gives the bodies new numbers in the order of storage. */
void scree_world_number(scree_world *world);
/** Gives body i the number of a newcomer. */
void scree_world_enter_leaf(scree_world *world, uint32_t i);
/** Replaces the leaves of `to` by a copy of those of `from`; numbers stay. */
void scree_world_copy_leaves(scree_world *to, const scree_world *from);

#endif
