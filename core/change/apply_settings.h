/* SPDX-License-Identifier: Apache-2.0 */
/* Gravity, dt, region, boundary and groups of bodies exchanged while a run goes on. */
#ifndef CORE_APPLY_SETTINGS_H
#define CORE_APPLY_SETTINGS_H

#include "engine/state.h"
#include "engine/swap_record.h"
#include "scene/scene_settings.h"

/** [s] The step and the critical step of the current laws and bodies with these settings. False with
 * an error: there is none, or the step is too far above it. */
bool scree_settings_step(scree_sim *sim, const scree_settings *settings, double *dt,
                         double *critical, GError **error);
/** False with an error when the state cannot have them: a region that ends contacts. */
bool scree_settings_check(const scree_sim *sim, const scree_settings *settings, GError **error);
/** Notes what they would change, `dt` [s] (NaN: not known) among it. */
void scree_settings_note(const scree_sim *sim, const scree_settings *settings, double dt,
                         scree_swap *swap);
/** Gives them to the run, between two steps, and notes the changes. The weight in the forces follows
 * gravity at once; the change of the potential energy is booked as work. `dt`: of
 * scree_settings_step. False with an error: the run cannot go on. */
bool scree_settings_change(scree_sim *sim, const scree_settings *settings, double dt,
                           scree_swap *swap, GError **error);

#endif
