/* SPDX-License-Identifier: Apache-2.0 */
/* Restores the numbers that the conditions of a run remember. */
#ifndef CORE_CONDITIONS_RESTORE_H
#define CORE_CONDITIONS_RESTORE_H

#include "change/condition_state.h"

/** Restores the numbers of scree_conditions_keep in a run of a scene with the same conditions. For other conditions, and
 * for NULL, they start without values, and `notes` gets a line. */
void scree_conditions_restore(scree_sim *sim, const GArray *saved, GPtrArray *notes);

#endif
