/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when a run saves its state, and which of its files stay; keeps an earlier state. */
#ifndef CORE_SAVE_H
#define CORE_SAVE_H

#include "engine/snapshot.h"
#include "run/checkpoint.h"

/** The checkpoints of one run. */
typedef struct scree_saver scree_saver;

scree_saver *scree_saver_new(scree_sim *sim);
void scree_saver_free(scree_saver *saver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_saver, scree_saver_free)

/** Returns whether the scene saves the current state; called once after every step. */
bool scree_saver_is_due(scree_saver *saver);
/** Saves the current state of the sim into `folder`, then removes this run's files except the
 * newest ones, as many as the scene keeps. On failure the previous files stay, and the run may
 * continue. */
bool scree_saver_save(scree_saver *saver, const char *folder, GError **error);
/** Returns whether the newest file has the current state. */
bool scree_saver_is_saved(const scree_saver *saver);
/** Returns the path of the newest file, or NULL. */
const char *scree_saver_latest(const scree_saver *saver);
/** Returns whether the scene saves its state at intervals. */
bool scree_saver_is_wanted(const scree_scene *scene);

/** An earlier state of a run, for a plugin that is blamed. */
typedef struct scree_keeper scree_keeper;

scree_keeper *scree_keeper_new(scree_sim *sim);
void scree_keeper_free(scree_keeper *keeper);
/** Returns whether the next call of scree_keeper_keep copies the state. */
bool scree_keeper_is_due(const scree_keeper *keeper);
/** Before a step: copies the state if the last copy is guard.every steps old. */
bool scree_keeper_keep(scree_keeper *keeper, GError **error);
/** Returns why it has no copy, a new string; NULL: it has one. "": the run is before its first
 * step, and its start replaces the copy. */
char *scree_keeper_lack(const scree_keeper *keeper);
/** Writes the copy to "FOLDER/kept-STEP.h5", a checkpoint; returns the path. */
char *scree_keeper_save(scree_keeper *keeper, const char *folder, GError **error);

#endif
