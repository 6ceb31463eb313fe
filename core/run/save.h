/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when a run saves its state, and which of its files stay; keeps an earlier state. */
#ifndef CORE_SAVE_H
#define CORE_SAVE_H

#include "engine/snapshot.h"
#include "run/checkpoint.h"

/** The checkpoints of one run. */
typedef struct scree_saver {
    scree_sim *sim; /* NULL: the run saves nothing */
    uint64_t seen;  /* step of the last call of scree_saver_is_due; at first, that of the start */
    double saved_wall;  /* [s] scree_now() at the last saving, or at the start */
    GPtrArray *written; /* char *: existing files of this run, oldest first; the run makes it */
} scree_saver;

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
typedef struct scree_keeper {
    scree_sim *sim;     /* NULL: the run keeps none */
    scree_earlier copy; /* snapshot NULL: no copy */
    uint64_t begin;     /* first step of the run */
    guint n_swaps;      /* number of swaps before the copy */
    uint64_t too_large; /* [bytes] size of a copy without room; 0: it has room */
} scree_keeper;

/** Drops the copy. */
void scree_keeper_clear(scree_keeper *keeper);
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
