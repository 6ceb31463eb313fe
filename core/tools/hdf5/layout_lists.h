/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a checkpoint that are lists and texts: plugins, fields, the scene. */
#ifndef CORE_LAYOUT_LISTS_H
#define CORE_LAYOUT_LISTS_H

#include "tools/hdf5/h5_file.h"

/** Writes or reads plugins, laws that keep contacts, fields and entries of the schedule. */
void scree_layout_plugins(scree_h5 *h5, scree_checkpoint *c);
/** Writes or reads the identity of the scene. */
void scree_layout_identity(scree_h5 *h5, scree_checkpoint *c);
/** Writes or reads the texts of the scene. */
void scree_layout_scene(scree_h5 *h5, scree_stored_scene *scene);
/** Writes or reads states of plugins, numbers of conditions. NULL: not in the file. */
void scree_layout_memories(scree_h5 *h5, scree_checkpoint *c);
/** Writes numbers as `name`, and their number as `count`; or reads and appends them. */
void scree_layout_numbers(scree_h5 *h5, const char *count, const char *name, scree_h5_type type,
                          uint64_t most, GArray *numbers);

#endif
