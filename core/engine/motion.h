/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of what plugins make of the bodies. */
#ifndef CORE_MOTION_H
#define CORE_MOTION_H

#include <stdbool.h>

#include "engine/state.h"

/** Stores the size of the scene, from the current bodies. */
void scree_motion_size(scree_sim *sim);
/** Whether all bodies that move are finite, turned by unit quaternions, neither too fast nor too
 * far away for the scene: else the integrator's fault, or the run has blown up. */
bool scree_motion_check(scree_sim *sim, GError **error);
/** The same for a sample of the free bodies, another one each time. */
bool scree_motion_check_some(scree_sim *sim, GError **error);
/** Whether displacements that the integrator supplies are finite: of all free bodies, or of those that
 * are checked next. */
bool scree_motion_check_moved(const scree_sim *sim, bool all, GError **error);
/** Whether the next step shows if bodies move by v × since: lists were renewed, and the integrator says so. */
bool scree_motion_samples(const scree_sim *sim);
/** Before a step, when no move is pending: keeps the places of some free bodies if so. */
void scree_motion_sample(scree_sim *sim);
/** At an evaluation in that step: blames the integrator when one of them has moved otherwise. */
bool scree_motion_check_sample(scree_sim *sim, double since, bool accepted, GError **error);
/** Whether a body of this radius [m] may have velocity v [m/s] in this scene. */
bool scree_motion_is_sane(const scree_sim *sim, double radius, const double v[3]);
/** Copies the state of bodies [first, last). */
void scree_motion_keep(const scree_sim *sim, scree_body_copy *kept, uint32_t first, uint32_t last);
/** The same of a sample of the free bodies, another one each time. */
void scree_motion_keep_some(const scree_sim *sim, scree_body_copy *kept);
void scree_motion_forget(scree_body_copy *kept);
/** The first body from `first` on that differs from the copy, or SCREE_NONE. */
uint32_t scree_motion_changed(const scree_sim *sim, const scree_body_copy *kept, uint32_t first);
/** The same among those that are fixed. */
uint32_t scree_motion_changed_fixed(const scree_sim *sim, const scree_body_copy *kept);
/** Blames the integrator's `call` when sim->checks.kept has changed; `fixed`: when a fixed body
 * has. */
bool scree_motion_check_kept(const scree_sim *sim, bool fixed, const char *call, GError **error);

#endif
