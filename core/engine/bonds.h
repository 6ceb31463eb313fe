/* SPDX-License-Identifier: Apache-2.0 */
/* Bonds: contacts that a law keeps from now on, by rules of the scene or requests of modifiers. */
#ifndef CORE_BONDS_H
#define CORE_BONDS_H

#include "engine/state.h"
#include "scene/bonds_rule.h"

/** Makes the bonds of new laws (law->bonds_due). Called between evaluations. */
bool scree_bonds_make(scree_sim *sim, GError **error);
/** Bonds pairs of bodies by the first law with bonds, at the end of a step. A pair that cannot be
 * bonded reports an event bond_refused. */
bool scree_bonds_add(scree_sim *sim, const GArray *pairs, GError **error);
/** Returns how many contacts laws with bonds keep. */
uint64_t scree_bonds_count(const scree_sim *sim);
/** Returns the first law that supports bonds, or NULL. */
const scree_law *scree_bonds_law(const scree_sim *sim);

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
