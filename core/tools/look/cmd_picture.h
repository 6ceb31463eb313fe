/* SPDX-License-Identifier: Apache-2.0 */
/* `scree validate --picture`: the start of a scene, drawn by the observer `image`. */
#ifndef CORE_CMD_PICTURE_H
#define CORE_CMD_PICTURE_H

#include <stdbool.h>

#include "base/error.h"

/** Draws the start of a scene into a PNG file. */
bool scree_cmd_picture(const char *name, char **overrides, const char *path, GError **error);

#endif
