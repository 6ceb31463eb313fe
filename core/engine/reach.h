/* SPDX-License-Identifier: Apache-2.0 */
/* The range of forces, for the sizes of the current bodies, and how far extents look ahead. */
#ifndef CORE_REACH_H
#define CORE_REACH_H

#include "engine/state.h"

/** Asks the laws for their ranges if bodies were inserted or removed
 * (sim->plugins.contact.reach_known), and sets sim->plugins.contact.range and
 * sim->plugins.contact.gap. Called before extents are used in an evaluation. */
bool scree_reach_find(scree_sim *sim, GError **error);
/** Returns the sum [m^2/s^2] of the squared speeds of the bodies [first, end). */
double scree_reach_square(const scree_world *world, uint32_t first, uint32_t end);
/** Returns the share of eps_v in extents, 1 for most scenes. `square`: the sum of all squared
 * speeds;
 * *space: the volume or area [m^dimension] that holds all bodies, found if NULL and needed. */
double scree_reach_share(const scree_sim *sim, double square, const double *space);

#endif
