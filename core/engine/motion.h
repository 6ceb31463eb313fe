/* SPDX-License-Identifier: Apache-2.0 */
/* Checks how plugins have changed the bodies. */
#ifndef CORE_MOTION_H
#define CORE_MOTION_H

#include <stdbool.h>

#include "engine/state.h"

/** Stores the size of the scene, from the current bodies. */
void scree_motion_size(scree_sim *sim);
/** Checks that moving bodies are finite, turned by unit quaternions, and neither too fast nor too
 * far away for the scene: all, or a sample of the free ones. False: a fault of the integrator, or
 * the run has blown up. */
bool scree_motion_check(scree_sim *sim, bool all, GError **error);
/** Checks one free body. */
bool scree_motion_check_body(scree_sim *sim, uint32_t body, GError **error);
/** Returns whether the bodies that scree_motion_check_some would check now are sound, of [first,
 * end). */
bool scree_motion_some_sound(const scree_sim *sim, uint32_t first, uint32_t end);
/** Checks a sample of the free bodies, a new one each time. */
bool scree_motion_check_some(scree_sim *sim, GError **error);
/** Checks that the integrator's displacements are finite, for all free bodies, or for those that
 * are checked next. */
bool scree_motion_check_moved(const scree_sim *sim, bool all, GError **error);
/** Returns whether the next step shows if bodies move by v × since: lists were renewed. */
bool scree_motion_samples(const scree_sim *sim);
/** Before such a step, without pending moves: keeps the places of some free bodies. */
void scree_motion_sample(scree_sim *sim);
/** At an evaluation in this step: blames the integrator if one of them has moved otherwise. */
bool scree_motion_check_sample(scree_sim *sim, double since, bool accepted, GError **error);
/** Returns whether bodies [first, last) are surely sound; `strict`: also that none crosses its own
 * radius in a step. */
bool scree_motion_sound(const scree_sim *sim, bool strict, uint32_t first, uint32_t last);
/** Returns whether a body of this radius [m] may have velocity v [m/s] in this scene. */
bool scree_motion_is_sane(const scree_sim *sim, double radius, const double v[3]);
/** Copies the state of bodies [first, last). */
void scree_motion_keep(const scree_sim *sim, scree_body_copy *kept, uint32_t first, uint32_t last);
/** Copies a sample of the free bodies, a new one each time. */
void scree_motion_keep_some(const scree_sim *sim, scree_body_copy *kept);
/** Copies a sample of the other bodies, the same for all calls of a step: the first call that comes
 * after a fault finds it. */
void scree_motion_keep_walls(const scree_sim *sim, scree_body_copy *kept);
void scree_motion_forget(scree_body_copy *kept);
/** Returns the first body from `first` on that differs from the copy, or SCREE_NONE. */
uint32_t scree_motion_changed(const scree_sim *sim, const scree_body_copy *kept, uint32_t first);
/** Returns the first fixed body among them that differs, or SCREE_NONE. */
uint32_t scree_motion_changed_fixed(const scree_sim *sim, const scree_body_copy *kept);
/** Blames a plugin that wrote to body i in `call`; SCREE_NONE: it wrote to none. */
bool scree_motion_check_writes(const scree_sim *sim, const scree_instance *plugin, const char *call,
                               uint32_t i, GError **error);
/** Blames the integrator's `call` if sim->checks.copy has changed; `fixed`: if a fixed body has. */
bool scree_motion_check_kept(const scree_sim *sim, bool fixed, const char *call, GError **error);

#endif
