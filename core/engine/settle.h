/* SPDX-License-Identifier: Apache-2.0 */
/* Moves that wait for the next pass over the bodies. */
#ifndef CORE_SETTLE_H
#define CORE_SETTLE_H

#include "engine/state.h"

/** Makes the pending moves. */
bool scree_sim_settle(scree_sim *sim, GError **error);

#endif
