/* SPDX-License-Identifier: Apache-2.0 */
/* Overrides: "PATH=VALUE" read and put into the tree of a scene. */
#ifndef CORE_CONFIG_SET_H
#define CORE_CONFIG_SET_H

#include "config/config_tree.h"

/** Applies one override "PATH=VALUE" (as on the command line): false with an error for a bad path
 * or value. */
bool scree_config_set(scree_config *config, const char *assignment, GError **error);
/** The same, with file names that start from `dir`. */
bool scree_config_set_in(scree_config *config, const char *assignment, const char *dir,
                         GError **error);

#endif
