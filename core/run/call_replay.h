/* SPDX-License-Identifier: Apache-2.0 */
/* A blamed call, made once more. */
#ifndef CORE_CALL_REPLAY_H
#define CORE_CALL_REPLAY_H

#include "run/checkpoint.h"

/** Makes the call of a replay file again on an instance of the plugin that the scene names now:
 * alone where its arguments were kept and not by_steps, else by steps from the kept state up to the
 * step that was blamed. False: it has misbehaved again, or cannot be made; the exit status is the
 * error's code, SCREE_EXIT_PLUGIN in the first case. */
bool scree_replay(const scree_checkpoint *file, scree_scene *scene, bool by_steps, GError **error);

#endif
