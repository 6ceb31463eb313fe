/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematic bodies at a time, by their own motion and that of the modifiers; pending moves of free ones. */
#ifndef CORE_POSE_H
#define CORE_POSE_H

#include "engine/state.h"

bool scree_pose(scree_sim *sim, double time, GError **error);
/** With displacements: keeps the poses of kinematic bodies, now or at a time after the start of the
 * step, as those of the committed state. */
void scree_pose_keep(scree_sim *sim);
bool scree_pose_keep_at(scree_sim *sim, double offset, GError **error);
/** The poses of the bodies that are not free, and what their own motion starts from: a new array. */
double *scree_poses_copy(const scree_sim *sim);
/** After modifiers were exchanged: their own motion starts so that kinematic bodies are where they
 * were in the copy. */
bool scree_poses_continue(scree_sim *sim, const double *copy, GError **error);
/** Gives their own motion the start of the copy again. */
void scree_poses_restore(const scree_sim *sim, const double *copy);
/** How far body i, not free, has moved [m] and turned [rad] since then. */
void scree_pose_moved(const scree_sim *sim, uint32_t i, double moved[3], double turned[3]);
/** Velocity of the surface of a body in the plane of a contact [m/s]; 0 for free ones. */
void scree_surface_at(const scree_sim *sim, uint32_t body, const double normal[3], double u[3]);
/** Makes the pending moves of the integrator of the free bodies in [begin, end), on a lane. */
int32_t scree_move_bodies(const scree_sim *sim, uint32_t lane, uint32_t begin, uint32_t end);

#endif
