/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a blamed call again. */
#ifndef CORE_CALL_REPLAY_H
#define CORE_CALL_REPLAY_H

#include "run/checkpoint.h"

/** Makes the call of a replay file again on an instance of the plugin that the scene names now.
 * Makes only this call where its arguments were kept and not by_steps; else runs the steps from the
 * kept state up to the blamed one. False: the plugin has misbehaved again (the error's code is
 * SCREE_EXIT_PLUGIN), or the call cannot be made (another code). */
bool scree_replay(const scree_checkpoint *file, scree_scene *scene, bool by_steps, GError **error);

#endif
