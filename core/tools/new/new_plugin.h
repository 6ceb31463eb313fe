/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of `scree new KIND`: the template of the kind under another name. */
#ifndef CORE_NEW_PLUGIN_H
#define CORE_NEW_PLUGIN_H

#include <stdint.h>

#include "base/error.h"

/** Writes DIR/NAME: a plugin of this kind with scene, meson.build and README.md. *path: its path, a
 * new string. SCREE_EXIT_USAGE: a NAME that cannot be one, or is taken. */
bool scree_new_plugin(uint32_t kind, const char *name, const char *dir, char **path,
                      GError **error);
/** Prints the commands that build, check and run it. */
void scree_new_plugin_next(const char *name, const char *path);

#endif
