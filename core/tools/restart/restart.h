/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that continue from a checkpoint. */
#ifndef CORE_RESTART_H
#define CORE_RESTART_H

#include "change/schedule.h"
#include "engine/sim.h"
#include "run/checkpoint.h"

/** Makes a run of the scene with the state of the checkpoint; the run owns the scene, as with
 * scree_sim_new. Entries of the schedule that have acted do not act again. Refuses another scene
 * (SCREE_EXIT_USAGE), a plugin with another file (SCREE_EXIT_PLUGIN, unless allow_plugin_change),
 * and a missing field without a default. Appends harmless differences to `notes` (char *). */
scree_sim *scree_restart(scree_scene *scene, const scree_sim_options *options,
                         const scree_checkpoint *checkpoint, bool allow_plugin_change,
                         GPtrArray *notes, GError **error);
/** Makes a run as scree_restart does, prints the differences and where it continues, and drops the
 * state of the checkpoint. */
scree_sim *scree_restart_begin(scree_scene *scene, const scree_sim_options *options,
                               scree_checkpoint *from, bool allow_plugin_change, GError **error);
/** Prints how the scene differs from that of the checkpoint. */
bool scree_restart_say_differences(const scree_checkpoint *from, const scree_scene *scene,
                                   GError **error);

#endif
