/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a snapshot back into a run. */
#ifndef CORE_SNAPSHOT_RESTORE_H
#define CORE_SNAPSHOT_RESTORE_H

#include "engine/snapshot.h"

/** Sets `fresh_from`; columns after the end of a short array do not change. */
void scree_columns_set_fresh(GPtrArray *const *columns, const GArray *from);
/** Restores a snapshot into the sim, except the states of plugins: new instances continue from these. */
void scree_snapshot_restore(scree_sim *sim, const scree_snapshot *snapshot);

#endif
