/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps an earlier state in memory, and saves it when a plugin is blamed. */
#ifndef CORE_KEEPER_H
#define CORE_KEEPER_H

#include "engine/state.h"

typedef struct scree_keeper scree_keeper;

scree_keeper *scree_keeper_new(scree_sim *sim);
void scree_keeper_free(scree_keeper *keeper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_keeper, scree_keeper_free)

/** Before a step: copies the state if the last copy is guard.every steps old. */
bool scree_keeper_keep(scree_keeper *keeper, GError **error);
/** Returns why it has no copy, a new string; NULL: it has one. "": the run is before its first
 * step, and its start replaces the copy. */
char *scree_keeper_lack(const scree_keeper *keeper);
/** Writes the copy to "FOLDER/kept-STEP.h5", a checkpoint; returns the path. */
char *scree_keeper_save(scree_keeper *keeper, const char *folder, GError **error);

#endif
