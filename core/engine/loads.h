/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of contacts on walls, for modifiers and observers. */
#ifndef CORE_LOADS_H
#define CORE_LOADS_H

#include "engine/state.h"

/** Keeps the loads of an accepted evaluation, if a modifier or sim->records wants them. */
void scree_loads_take(scree_sim *sim);
/** Returns the loads on walls that an evaluation has kept for observers: rows without pointers. */
GArray *scree_loads_rows(const scree_sim *sim);
/** After rows of other ranks were appended to them. */
void scree_loads_sort(const scree_sim *sim);
/** Finds the load on body i, as of the last accepted evaluation, in a struct that may end before
 * `stiffness`; of a free body without contacts and stiffness. False with an error: the struct is
 * shorter, a law fails. */
bool scree_loads_of(const scree_sim *sim, uint32_t i, scree_load *out, GError **error);
void scree_loads_free(scree_loads *loads);

#endif
