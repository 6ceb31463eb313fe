/* SPDX-License-Identifier: Apache-2.0 */
/* The observers of a run: when each is due, its view, its end. */
#ifndef CORE_OBSERVERS_H
#define CORE_OBSERVERS_H

#include "engine/state.h"

typedef struct scree_observers scree_observers;

/** Makes an instance per observer of the scene, listed in sim->observers. Freed before the sim. A
 * rank above 0 makes those that are shown pieces (draft/pieces.h): its others see nothing. */
scree_observers *scree_observers_new(scree_sim *sim, GError **error);
/** Before the first step of a sim that `waits`: evaluates the state, and records the quantities
 * that observers need. */
bool scree_observers_start(scree_observers *observers, GError **error);
/** For a state from a checkpoint, which observers saw in the previous run: they continue.
 * Prints a line for each state of an observer that does not. */
void scree_observers_go_on(scree_observers *observers);
/** Frees the observers. Without scree_observers_finish the run has failed: instances get no further
 * call. */
void scree_observers_free(scree_observers *observers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_observers, scree_observers_free)

/** Before a step: requests records and a complete state for the observers that are due after it.
 * `last`: all are due. */
void scree_observers_prepare(scree_observers *observers, bool last);
/** After a step, on all ranks: whether some observer is shown pieces of the state, which are then
 * ready. Rank 0 shows its own after all others. */
bool scree_observers_meet(scree_observers *observers, bool *meets, GError **error);
/** After a step (or before the first): calls observers that are due or see every step; `all`: all
 * that have not been due at the state; `only`: the one of this name (NULL: each). */
bool scree_observers_observe(scree_observers *observers, bool all, const char *only,
                             GError **error);
/** Returns whether all can see the current state: their records were made. */
bool scree_observers_can_end(const scree_observers *observers);
/** Ends the run: reads all scalars, lets observers close their files, and gives the file of events
 * its name. */
bool scree_observers_finish(scree_observers *observers, GError **error);

/** Returns whether some observer may be shown pieces: the same on all ranks. */
bool scree_observers_share(const scree_observers *observers);
/** After the last step: on ranks above 0, lets observers close their files. */
bool scree_observers_leave(scree_observers *observers, GError **error);

/** Makes instances that replace observers by name (without a choice: removes them), and new ones.
 * The current observers stay active until scree_observers_commit; on failure nothing changes.
 * `notes`: a line for each state that continues or is dropped. */
bool scree_observers_stage(scree_observers *observers, const GPtrArray *changes, GPtrArray *notes,
                           GError **error);
void scree_observers_unstage(scree_observers *observers);
/** Checks that no observer, current or staged, uses a field that the run lacks. */
bool scree_observers_check_uses(const scree_observers *observers, GError **error);
/** Activates the staged instances; replaced ones finish, unless this is a trial in a copy. */
bool scree_observers_commit(scree_observers *observers, bool trial, GError **error);
/** Before a step: requests records for the observers of the last commit. */
void scree_observers_prepare_new(scree_observers *observers);
/** Shows the current state only to the observers of the last commit. */
bool scree_observers_try(scree_observers *observers, GError **error);
/** Returns the choice of an observer by name, or NULL. */
const scree_choice_of *scree_observers_choice(const scree_observers *observers, const char *name);

/** Before a step: requests records from which an observer's scalars can be read after it. Called
 * after scree_observers_prepare. */
void scree_observers_want(scree_observers *observers, const char *name);
/** After scree_observers_observe of a settled state: reads the scalars of an observer, due or not.
 * *value: [n_scalars], valid until the next call; *instance NULL: no observer has this name. False:
 * the call failed. */
bool scree_observers_read(scree_observers *observers, const char *name,
                          const scree_instance **instance, const double **value, GError **error);

/** Returns the number of observers (NULL: 0), and the instance of one. */
uint32_t scree_observers_count(const scree_observers *observers);
const scree_instance *scree_observers_instance(const scree_observers *observers, uint32_t i);
/** After scree_observers_finish: the values of the scalars of observer i, [n_scalars]. */
const double *scree_observers_scalars(const scree_observers *observers, uint32_t i);

#endif
