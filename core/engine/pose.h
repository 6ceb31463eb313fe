/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematic bodies at a time, by their own motion and that of the modifiers. */
#ifndef CORE_POSE_H
#define CORE_POSE_H

#include "engine/sim.h"

bool scree_pose(scree_sim *sim, double time, GError **error);
/** With displacements: keeps the poses of kinematic bodies, now or at a time after the start of the
 * step, as those of the committed state. */
void scree_pose_keep(scree_sim *sim);
bool scree_pose_keep_at(scree_sim *sim, double offset, GError **error);
/** How far body i, not free, has moved [m] and turned [rad] since then. */
void scree_pose_moved(const scree_sim *sim, uint32_t i, double moved[3], double turned[3]);
/** Velocity of the surface of a body in the plane of a contact [m/s]; 0 for free ones. */
void scree_surface_at(const scree_sim *sim, uint32_t body, const double normal[3], double u[3]);

#endif
