/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule in a run: entries act when they are due. */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include "engine/observers.h"
#include "engine/swap_record.h"
#include "scene/scene_schedule.h"

/** Makes the laws and resolvers of each entry on top of those of earlier entries. False, with the
 * place of the entry: no resolver serves a pair of types that can meet. The run does not change. */
bool scree_schedule_check(scree_sim *sim, GError **error);
/** Checks that each entry can act in a run that ends at a step; 0: the end is not known. False, with
 * the place of the entry. */
bool scree_schedule_check_end(const scree_sim *sim, uint64_t end, GError **error);
/** In a continued run: marks entries as done whose step or time is before the current state. */
void scree_schedule_pass(scree_sim *sim);
/** Before a step: makes the state after it complete if an entry may read it. */
void scree_schedule_prepare(scree_sim *sim, scree_observers *observers);
/** Before a step: carries out the entries that are due, each once, and prints what they change; those
 * made by hand first, and `last`, after the last step, only those. False: the run cannot continue.
 * After a refusal that ends the run, sim->swaps.ended_by is set. */
bool scree_schedule_run(scree_sim *sim, scree_observers *observers, bool last, GError **error);
/** False, with an error: a refused entry has ended the run. */
bool scree_schedule_check_ended(const scree_sim *sim, GError **error);

#endif
