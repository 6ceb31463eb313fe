/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of bodies and of the run that still hold `initial`: what plugins learn of it. */
#ifndef CORE_FRESH_H
#define CORE_FRESH_H

#include "engine/state.h"

/** Marks for the integrator (scree_motion.fresh): its bodies without values, and those that were
 * edited since the last step. NULL: none. Valid until the next call. */
const uint8_t *scree_fresh_motion(scree_sim *sim);
/** Sets `fresh` and `global_fresh` of the view for a modifier that is about to be called. */
void scree_fresh_show(scree_sim *sim, const scree_instance *modifier);
void scree_fresh_hide(scree_sim *sim);
/** 1: a field of the run of this plugin holds `initial`. */
uint32_t scree_fresh_global(const scree_sim *sim, const scree_instance *instance);
/** A call has returned that could set the plugin's fields of all current bodies. */
void scree_fresh_seen(const scree_sim *sim, const scree_instance *instance);
/** A step is done: what is new to laws has been moved on. */
void scree_fresh_seen_laws(const scree_sim *sim);
/** Whether body i still holds the value that a field began with. */
bool scree_fresh_holds(const scree_world *w, const scree_column *column, uint32_t i);
/** Body i was freed or moved: the integrator's fields of it are of another motion. */
void scree_fresh_forget(const scree_sim *sim, uint32_t i);

#endif
