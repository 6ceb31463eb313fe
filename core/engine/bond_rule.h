/* SPDX-License-Identifier: Apache-2.0 */
/* Which bodies a rule of the scene bonds. */
#ifndef CORE_BOND_RULE_H
#define CORE_BOND_RULE_H

#include "engine/world.h"
#include "scene/bonds_rule.h"

/** Returns whether a rule bonds two bodies, in either order. */
bool scree_bond_rule_allows(const scree_bond_rule *rule, const scree_world *world, uint32_t a,
                            uint32_t b);

#endif
