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

#endif
