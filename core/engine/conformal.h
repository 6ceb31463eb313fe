/* SPDX-License-Identifier: Apache-2.0 */
/* Where in its box a surface at rest is: the service scree.conformal/1. */
#ifndef CORE_CONFORMAL_H
#define CORE_CONFORMAL_H

#include "engine/sim.h"

/** Sets up scree.conformal/1 for the plugins of this sim. */
void scree_conformal_offer(scree_sim *sim);
void scree_conformal_clear(scree_sim *sim);
/** Takes the surfaces of the boxes as they are; those whose bodies are as they were stay. */
void scree_conformal_renew(scree_sim *sim);
/** Whether there may be surfaces at rest, and pairs may be dropped by them: not when pair fields
 * live by the boxes alone. */
bool scree_conformal_offered(const scree_sim *sim);
/** Of two slots that overlap, when offered: true when one holds a surface at rest that stays clear
 * of the box of the other. */
bool scree_conformal_apart(const scree_sim *sim, uint32_t i, uint32_t j);

#endif
