/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and contacts of the current state, evaluated without accepting them. */
#ifndef CORE_TRIAL_FORCES_H
#define CORE_TRIAL_FORCES_H

#include "engine/state.h"

/** Writes the forces to `wrench` [8 n] (NULL: nowhere) and the energy in contacts to *stored [J]; the forces of the
 * sim stay as they are. */
bool scree_trial_forces(scree_sim *sim, double *wrench, double *stored, GError **error);
/** Writes what contacts and modifiers store to *energy [J], with what springs lose because they slide
 * or break at once. */
bool scree_trial_energy(scree_sim *sim, double *energy, GError **error);
/** Evaluates all contacts and leaves a record of each in its segment. */
bool scree_trial_contacts(scree_sim *sim, GError **error);

/** The committed contacts take the energy that they store now, of the last trial; 0 those that it did
 * not find. */
void scree_trial_take_stored(const scree_sim *sim);

#endif
