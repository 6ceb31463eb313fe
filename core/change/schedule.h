/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule in a run: entries act when they are due. */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include "engine/observers.h"
#include "engine/swap_record.h"
#include "scene/scene_schedule.h"

/** Applies entry number `k` to a scene: its plugins and settings replace those that it changes. For a run
 * that continues after it. */
void scree_schedule_adopt(scree_scene *scene, guint k);
/** Makes the laws and resolvers of each entry, on top of those of the entries before it: false, with
 * the place of the entry, when a pair of types that can meet is not served. The run stays as it is. */
bool scree_schedule_check(scree_sim *sim, GError **error);
/** In a continued run: entries whose step or time is before the current state do not act. */
void scree_schedule_pass(scree_sim *sim);
/** Before a step: makes the state after it complete when an entry may read it. */
void scree_schedule_prepare(scree_sim *sim, scree_observers *observers);
/** Before a step: carries out the entries that are due, each once, and says what each has changed. False:
 * the run cannot go on. */
bool scree_schedule_run(scree_sim *sim, scree_observers *observers, GError **error);

#endif
