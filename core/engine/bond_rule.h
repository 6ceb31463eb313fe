/* SPDX-License-Identifier: Apache-2.0 */
/* Which bodies a rule of the scene bonds. */
#ifndef CORE_BOND_RULE_H
#define CORE_BOND_RULE_H

#include "engine/world.h"
#include "scene/bonds_rule.h"

/** Returns whether a rule bonds two bodies, in either order. */
static inline bool scree_bond_rule_allows(const scree_bond_rule *rule, const scree_world *w,
                                          uint32_t a, uint32_t b)
{
    const uint32_t of[2][2] = {{w->group[a], w->material[a]}, {w->group[b], w->material[b]}};
    for (int turn = 0; turn < 2; turn++) {
        bool fits = true;
        for (int side = 0; side < 2; side++) {
            const uint32_t *body = of[side ^ turn];
            fits = fits && (rule->group[side] == SCREE_NONE || rule->group[side] == body[0]) &&
                   (rule->material[side] == SCREE_NONE || rule->material[side] == body[1]);
        }
        if (fits)
            return true;
    }
    return false;
}

#endif
