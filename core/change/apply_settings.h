/* SPDX-License-Identifier: Apache-2.0 */
/* Changes gravity, dt, region, boundary and groups of bodies during a run. */
#ifndef CORE_APPLY_SETTINGS_H
#define CORE_APPLY_SETTINGS_H

#include "engine/state.h"
#include "engine/swap_record.h"
#include "scene/scene_settings.h"

/** [s] The step and the critical step with these settings, for the current laws and bodies. False
 * with an error: no step exists, or it is too far above the critical one. */
bool scree_settings_step(scree_sim *sim, const scree_settings *settings, double *dt,
                         double *critical, GError **error);
/** Checks that the state can take the settings: a region may not end contacts. */
bool scree_settings_check(const scree_sim *sim, const scree_settings *settings, GError **error);
/** Notes what the settings would change; `dt` [s] NaN: unknown. */
void scree_settings_note(const scree_sim *sim, const scree_settings *settings, double dt,
                         scree_swap *swap);
/** Changes the settings of the run between two steps, and notes the changes. The weight in the
 * forces follows gravity at once; the change of the potential energy is booked as work. `dt`: from
 * scree_settings_step. False with an error: the run cannot continue. */
bool scree_settings_change(scree_sim *sim, const scree_settings *settings, double dt,
                           scree_swap *swap, GError **error);

#endif
