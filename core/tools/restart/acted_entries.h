/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of the schedule that have acted before a checkpoint, in the run that continues from it. */
#ifndef CORE_ACTED_ENTRIES_H
#define CORE_ACTED_ENTRIES_H

#include "engine/state.h"
#include "run/checkpoint.h"

/** Gives the scene the plugins from entries of its schedule that acted before the checkpoint.
 * Returns these entries, a new array of scree_acted. */
GArray *scree_acted_adopt(const scree_checkpoint *checkpoint, scree_scene *scene, GPtrArray *notes);
/** Marks entries of the schedule that have acted, or whose moment is past: they do not act
 * again. Borrows `acted`. */
void scree_acted_keep(scree_sim *sim, const GArray *acted, GPtrArray *notes);

#endif
