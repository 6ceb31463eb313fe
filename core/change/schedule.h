/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule in a run: its entries act when their moment has come. */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include "engine/observers.h"
#include "engine/swap_record.h"
#include "scene/scene_schedule.h"

/** A scene as its entry number `k` leaves it: the plugins of the entry in the place of those that
 * it changes. For a run that goes on after it. */
void scree_schedule_adopt(scree_scene *scene, guint k);
/** In a run that goes on: entries whose step or time lies before the present state do not act. */
void scree_schedule_pass(scree_sim *sim);
/** Before a step: has the state after it complete when an entry may look at it. */
void scree_schedule_prepare(scree_sim *sim);
/** Before the step that follows: carries out the entries whose moment has come, each once, and
 * calls `tell` for each. False: the run cannot go on. */
bool scree_schedule_run(scree_sim *sim, scree_observers *observers,
                        void (*tell)(void *user, guint swap), void *user, GError **error);

#endif
