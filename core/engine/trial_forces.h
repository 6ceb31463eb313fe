/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and contacts of the current state, evaluated without accepting them. */
#ifndef CORE_TRIAL_FORCES_H
#define CORE_TRIAL_FORCES_H

#include "engine/state.h"

/** Writes the forces to `wrench` [8 n] (or NULL) and the energy in contacts to *stored [J]; the
 * sim's forces do not change. */
bool scree_trial_forces(scree_sim *sim, double *wrench, double *stored, GError **error);
/** Writes the energy stored in contacts and modifiers to *energy [J], with losses of springs that
 * slide or break at once. */
bool scree_trial_energy(scree_sim *sim, double *energy, GError **error);
/** Evaluates all contacts and leaves a record of each in its segment. */
bool scree_trial_contacts(scree_sim *sim, GError **error);

/** Sets the stored energies of the committed contacts to those of the last trial, or 0 for contacts
 * that it did not find. */
void scree_trial_take_stored(const scree_sim *sim);

#endif
