/* SPDX-License-Identifier: Apache-2.0 */
/* Kinematic bodies at a time, by own motion and by modifiers; pending moves of free bodies. */
#ifndef CORE_POSE_H
#define CORE_POSE_H

#include "engine/state.h"

/** Poses one kinematic body, or all, at `time` by its own motion. */
void scree_world_pose_one(const scree_world *world, uint32_t i, double time);
void scree_world_pose(scree_world *world, double time);
/** Poses all at `time`, also by modifiers, unless they have these poses. */
bool scree_pose(scree_sim *sim, double time, GError **error);
/** With displacements: keeps the poses of kinematic bodies as those of the committed state, now or
 * at a time after the start of the step. */
void scree_pose_keep(scree_sim *sim);
bool scree_pose_keep_at(scree_sim *sim, double offset, GError **error);
/** Copies the poses of bodies that are not free, and the starts of their own motion; new array. */
double *scree_poses_copy(const scree_sim *sim);
/** After an exchange of modifiers: restarts the own motion of kinematic bodies so that they are
 * where they were in the copy. */
bool scree_poses_continue(scree_sim *sim, const double *copy, GError **error);
/** Restores the starts of their own motion from the copy. */
void scree_poses_restore(const scree_sim *sim, const double *copy);
/** Finds how far body i, which is not free, has moved [m] and turned [rad] since that state. */
void scree_pose_moved(const scree_sim *sim, uint32_t i, double moved[3], double turned[3]);
/** Writes the velocity of a body's surface in the plane of a contact [m/s]; 0 for free bodies. */
void scree_surface_at(const scree_sim *sim, uint32_t body, const double normal[3], double u[3]);
/** Makes pending moves of the integrator for free bodies in [begin, end), on a lane. */
int32_t scree_move_bodies(const scree_sim *sim, uint32_t lane, uint32_t begin, uint32_t end);

#endif
