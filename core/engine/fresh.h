/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of bodies and of the run that still hold `initial`: what plugins learn of it. */
#ifndef CORE_FRESH_H
#define CORE_FRESH_H

#include "engine/sim.h"

/** Marks for the integrator (scree_motion.fresh): its bodies without values, and those that were
 * edited since the last step. NULL: none. Valid until the next call. */
const uint8_t *scree_fresh_motion(scree_sim *sim);
/** Sets `fresh` and `global_fresh` of the view for a modifier that is about to be called. */
void scree_fresh_show(scree_sim *sim, const scree_instance *modifier);
void scree_fresh_hide(scree_sim *sim);
/** A call has returned that could set the plugin's fields of all current bodies. */
void scree_fresh_seen(scree_sim *sim, const scree_instance *instance);
/** Body i was freed or moved: the integrator's fields of it are of another motion. */
void scree_fresh_forget(scree_sim *sim, uint32_t i);

#endif
