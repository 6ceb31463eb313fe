/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new KIND`: copies the template of a kind under another name. */
#ifndef CORE_NEW_PLUGIN_H
#define CORE_NEW_PLUGIN_H

#include <stdint.h>

#include "base/error.h"

/** Writes DIR/NAME: a plugin of this kind with scene, meson.build and README.md. *path: its path, a
 * new string. SCREE_EXIT_USAGE: NAME is invalid, or taken. */
bool scree_new_plugin(uint32_t kind, const char *name, const char *dir, char **path,
                      GError **error);
/** Prints the commands that build, check and run the plugin. */
void scree_new_plugin_next(const char *name, const char *path);

#endif
