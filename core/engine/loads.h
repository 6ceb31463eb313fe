/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of contacts on walls, for modifiers with SCREE_WANTS_LOADS. */
#ifndef CORE_LOADS_H
#define CORE_LOADS_H

#include "engine/state.h"

/** Keeps the loads of an accepted evaluation, after its account, if a modifier reads them. */
void scree_loads_take(scree_sim *sim);
/** Finds the load on body i, which is not free. False with an error: a law fails. */
bool scree_loads_of(const scree_sim *sim, uint32_t i, scree_load *out, GError **error);
void scree_loads_free(scree_loads *loads);

#endif
