/* SPDX-License-Identifier: Apache-2.0 */
/* A run that goes on from a checkpoint: what may differ, and what becomes of the state. */
#ifndef CORE_RESTART_H
#define CORE_RESTART_H

#include "change/schedule.h"
#include "run/checkpoint.h"

/** A run of the scene, which is its own from now on as with scree_sim_new, that has the state of
 * the checkpoint; what has acted in its schedule has done so here too. Refused: another scene
 * (SCREE_EXIT_USAGE), a plugin whose file is another (SCREE_EXIT_PLUGIN, unless
 * allow_plugin_change), a field that may not be missing. What differs without harm is appended to
 * `notes` (of char *). */
scree_sim *scree_restart(scree_scene *scene, const scree_sim_options *options,
                         const scree_checkpoint *checkpoint, bool allow_plugin_change,
                         GPtrArray *notes, GError **error);
/** The scene with the plugins that its schedule had put in place by then; the entries that did, a
 * new array of scree_acted. */
GArray *scree_restart_adopt(const scree_checkpoint *checkpoint, scree_scene *scene,
                            GPtrArray *notes);

/** Prints what the given scene has otherwise than that of the checkpoint. */
bool scree_restart_tell_differences(const scree_checkpoint *from, const scree_scene *scene,
                                    GError **error);

#endif
