/* SPDX-License-Identifier: Apache-2.0 */
/* Forces at the current positions. */
#ifndef CORE_EVALUATE_H
#define CORE_EVALUATE_H

#include "engine/state.h"

bool scree_evaluate(scree_sim *sim, double offset, double since, bool accepted, GError **error);
/** Sums the energy [J] stored by modifiers' forces in the bodies with marked[i] != 0 (NULL: in
 * all), outside of evaluations. */
bool scree_modifiers_store(scree_sim *sim, const uint8_t *marked, double *stored, GError **error);
/** Writes the forces of one modifier in the present state to wrench [8 n], and their power [W] to
 * power [n]. */
bool scree_modifier_forces(scree_sim *sim, scree_instance *modifier, double *wrench, double *power,
                           GError **error);

#endif
