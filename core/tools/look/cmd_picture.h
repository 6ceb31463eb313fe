/* SPDX-License-Identifier: Apache-2.0 */
/* `scree validate --picture`: the start of a scene, drawn by the observer `image`. */
#ifndef CORE_CMD_PICTURE_H
#define CORE_CMD_PICTURE_H

#include <stdbool.h>

#include "engine/sim.h"

/** Evaluates the start of a sim that `waits`, or (`goes_on`) takes that of its checkpoint, and shows
 * it to all observers of its scene. */
bool scree_show_start(scree_sim *sim, bool goes_on, GError **error);
/** Draws the start of a scene into a PNG file. */
bool scree_cmd_picture(const char *name, char **overrides, const char *path, GError **error);

#endif
