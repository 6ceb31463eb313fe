/* SPDX-License-Identifier: Apache-2.0 */
/* One time step. */
#ifndef CORE_STEP_H
#define CORE_STEP_H

#include "engine/settle.h"

/** Takes one step. If sim->watched is false, the last move of the bodies may wait for the next step
 * (or scree_sim_settle): the state may not be read before. */
bool scree_sim_step(scree_sim *sim, GError **error);

#endif
