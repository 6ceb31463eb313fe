/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a checkpoint about plugins: which plugins, their fields, the schedule that put them
 * in place. */
#ifndef CORE_CHECKPOINT_PLUGINS_H
#define CORE_CHECKPOINT_PLUGINS_H

#include "run/checkpoint.h"

/* The plugins of a run and the laws that keep contacts, in new arrays as above. */
GArray *scree_saved_plugins_new(void);
/** Appends an instance and those that it has made. */
void scree_saved_plugins_add(GArray *plugins, const scree_instance *instance);
/** Adds one that has no instance. */
void scree_saved_plugins_add_of(GArray *plugins, const char *slot, const scree_plugin *plugin,
                                const scree_file *file);
GArray *scree_saved_plugins_of(const scree_sim *sim);
/** Those, and each type of shapes once: what a restart compares. Older checkpoints lack the shapes. */
GArray *scree_saved_plugins_for_restart(const scree_sim *sim);
GPtrArray *scree_keeping_laws_of(const scree_sim *sim);
/** The entries of the schedule that have acted; of scree_saved_entry. */
GArray *scree_saved_entries_of(const scree_sim *sim);
/** Writes or reads plugins, laws that keep contacts, fields and entries of the schedule. */
void scree_checkpoint_plugins(scree_h5 *h5, scree_checkpoint *checkpoint);

#endif
