/* SPDX-License-Identifier: Apache-2.0 */
/* The observers of a run: when each is due, what they are shown, how they end. */
#ifndef CORE_OBSERVERS_H
#define CORE_OBSERVERS_H

#include "engine/sim.h"

typedef struct scree_observers scree_observers;

/** *wants: the observer asks for contacts. False when the call failed. */
bool scree_observer_wants_contacts(scree_instance *observer, bool *wants, GError **error);

/** Makes an instance per observer of the scene. Free before the sim. */
scree_observers *scree_observers_new(scree_sim *sim, GError **error);
/** The state is that before the first step, of a sim that `waits`: evaluates it, and records what
 * the observers want to see of it. */
bool scree_observers_start(scree_observers *observers, GError **error);
/** The state comes from a checkpoint: the run before has shown it, they have seen it, and their
 * sums (of scree_kept_sum, or NULL) go on. `notes`: a line for each that does not. */
void scree_observers_go_on(scree_observers *observers, const GArray *sums, GPtrArray *notes);
/** Without scree_observers_finish before it the run has failed: the instances are told nothing
 * more. */
void scree_observers_free(scree_observers *observers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_observers, scree_observers_free)

/** Before a step: has it record what those who are due after it want to see, and leave nothing for
 * the next one when somebody is. `last`: all are. */
void scree_observers_prepare(scree_observers *observers, bool last);
/** After a step (or before the first): calls those that watch every step, then those that are due;
 * `all`: whoever has not seen it. */
bool scree_observers_observe(scree_observers *observers, bool all, GError **error);
/** True when all can be shown the present state: what they want of it was recorded. */
bool scree_observers_can_end(const scree_observers *observers);
/** The run is over: they close their files, and the file of events gets its name. */
bool scree_observers_finish(scree_observers *observers, GError **error);

/** Makes what takes the place of observers, by name (without a choice: none does), and what is new.
 * All goes on as it is until scree_observers_commit; a failure leaves nothing behind. */
bool scree_observers_stage(scree_observers *observers, const GPtrArray *changes, GError **error);
void scree_observers_unstage(scree_observers *observers);
/** Those that were made take their places; the others finish, unless this is a trial in a copy. */
bool scree_observers_commit(scree_observers *observers, bool trial, GError **error);
/** Before a step: has it record what those that came with the last commit want to see. */
void scree_observers_prepare_new(scree_observers *observers);
/** Shows the present state to those that came with the last commit, and to nobody else. */
bool scree_observers_try(scree_observers *observers, GError **error);
/** The choice of an observer by name, or NULL. */
const scree_choice_of *scree_observers_choice(const scree_observers *observers, const char *name);

/** Number of observers, and the instance of one. */
uint32_t scree_observers_count(const scree_observers *observers);
const scree_instance *scree_observers_instance(const scree_observers *observers, uint32_t i);

#endif
