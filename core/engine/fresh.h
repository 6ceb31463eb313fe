/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of bodies and of the run that still hold `initial`, as plugins see them. */
#ifndef CORE_FRESH_H
#define CORE_FRESH_H

#include "engine/state.h"

/** Marks for the integrator (scree_motion.fresh): bodies without values, and bodies edited since
 * the last step. NULL: none. Valid until the next call. */
const uint8_t *scree_fresh_motion(scree_sim *sim);
/** Sets `fresh` and `global_fresh` of the view, before a modifier is called. */
void scree_fresh_show(scree_sim *sim, const scree_instance *modifier);
void scree_fresh_hide(scree_sim *sim);
/** Returns 1: a global field of this plugin holds `initial`. */
uint32_t scree_fresh_global(const scree_sim *sim, const scree_instance *instance);
/** To be called after a call that could set the plugin's fields of all current bodies. */
void scree_fresh_seen(const scree_sim *sim, const scree_instance *instance);
/** To be called after a step: what is new to laws is then known. */
void scree_fresh_seen_laws(const scree_sim *sim);
/** Returns whether body i still holds the initial value of a field. */
bool scree_fresh_holds(const scree_world *w, const scree_column *column, uint32_t i);
/** To be called after body i was freed or moved: its fields of the integrator belong to another motion. */
void scree_fresh_forget(const scree_sim *sim, uint32_t i);

#endif
