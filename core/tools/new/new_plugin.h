/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new KIND`: copies the template of a kind under another name. */
#ifndef CORE_NEW_PLUGIN_H
#define CORE_NEW_PLUGIN_H

#include <stdint.h>

#include "base/error.h"

/** A template. */
typedef struct scree_new_choice {
    uint32_t kind;
    const char *language; // as the user wrote it; NULL: C
} scree_new_choice;

/** Writes DIR/NAME: a plugin of a kind with scene, meson.build and README.md. *path: its path, a
 * new string. SCREE_EXIT_USAGE: NAME is invalid or taken, or the language has no such template. */
bool scree_new_plugin(const scree_new_choice *choice, const char *name, const char *dir,
                      char **path, GError **error);
/** Prints the commands that build, check and run the plugin. */
void scree_new_plugin_next(const scree_new_choice *choice, const char *name, const char *path);

#endif
