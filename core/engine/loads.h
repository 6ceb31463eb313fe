/* SPDX-License-Identifier: Apache-2.0 */
/* What contacts do to walls, for modifiers with SCREE_READS_LOADS. */
#ifndef CORE_LOADS_H
#define CORE_LOADS_H

#include "engine/sim.h"

/** After the account of an accepted evaluation: keeps them, if some modifier reads them. */
void scree_loads_take(scree_sim *sim);
/** Of body number i, which is not free. False with an error when a law fails. */
bool scree_loads_of(scree_sim *sim, uint32_t i, scree_load *out, GError **error);
void scree_loads_clear(scree_sim *sim);

#endif
