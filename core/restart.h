/* SPDX-License-Identifier: Apache-2.0 */
/* A run that goes on from a checkpoint: what may differ, and what becomes of the state. */
#ifndef CORE_RESTART_H
#define CORE_RESTART_H

#include "checkpoint.h"

/** Puts the state into a run that was made with `goes_on`. Refused, with nothing changed: another
 * scene (SCREE_EXIT_USAGE), a plugin whose file is another (SCREE_EXIT_PLUGIN, unless
 * allow_plugin_change), a field that may not be missing. What differs without harm is appended to
 * `notes` (of char *). */
bool scree_restart(scree_sim *sim, const scree_checkpoint *checkpoint, bool allow_plugin_change,
                   GPtrArray *notes, GError **error);

#endif
