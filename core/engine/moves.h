/* SPDX-License-Identifier: Apache-2.0 */
/* Moves of bodies that the integrator has asked for and that wait for a pass over the bodies. */
#ifndef CORE_MOVES_H
#define CORE_MOVES_H

#include "engine/state.h"

/** Makes the pending moves of the free bodies in [begin, end), on a lane. */
int32_t scree_move_bodies(const scree_sim *sim, uint32_t lane, uint32_t begin, uint32_t end);

#endif
