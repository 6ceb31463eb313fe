/* SPDX-License-Identifier: Apache-2.0 */
/* One time step. */
#ifndef CORE_STEP_H
#define CORE_STEP_H

#include "engine/state.h"

/** One step. Where sim->watched is false the last move of the bodies may be left to the next step
 * (or to scree_sim_settle): the state is not to be read then. */
bool scree_sim_step(scree_sim *sim, GError **error);
/** Makes the pending moves. */
bool scree_sim_settle(scree_sim *sim, GError **error);

#endif
