/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a checkpoint about plugins: names, fields, acted entries of the schedule, values
 * that plugins and conditions remember; the identity of the scene. */
#ifndef CORE_CHECKPOINT_PLUGINS_H
#define CORE_CHECKPOINT_PLUGINS_H

#include "base/h5io.h"
#include "run/checkpoint.h"

/* An empty array of scree_saved_plugin. */
GArray *scree_saved_plugins_new(void);
/** Appends an instance, and the instances that it has made. */
void scree_saved_plugins_add(GArray *plugins, const scree_instance *instance);
/** Appends a plugin without an instance. */
void scree_saved_plugins_add_of(GArray *plugins, const char *slot, const scree_plugin *plugin,
                                const scree_file *file);
GArray *scree_saved_plugins_of(const scree_sim *sim);
/** All plugins that a restart compares, with each type of shapes once, which older checkpoints
 * lack. */
GArray *scree_saved_plugins_for_restart(const scree_sim *sim);
GPtrArray *scree_keeping_laws_of(const scree_sim *sim);
/** Writes or reads plugins, laws that keep contacts, fields and entries of the schedule. */
void scree_checkpoint_plugins(scree_h5 *h5, scree_checkpoint *checkpoint);
/** Writes or reads the identity of the scene. */
void scree_checkpoint_identity(scree_h5 *h5, scree_checkpoint *checkpoint);
/** Writes or reads states of plugins, numbers of conditions. NULL: not in the file. */
void scree_checkpoint_memories(scree_h5 *h5, scree_checkpoint *checkpoint);
/** Writes numbers as `name`, and their number as `count`; or reads and appends them. */
void scree_saved_numbers_transfer(scree_h5 *h5, const char *count, const char *name,
                                  scree_h5_type type, uint64_t most, GArray *numbers);

#endif
