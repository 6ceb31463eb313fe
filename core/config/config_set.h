/* SPDX-License-Identifier: Apache-2.0 */
/* Overrides: "PATH=VALUE" read and put into the tree of a scene. */
#ifndef CORE_CONFIG_SET_H
#define CORE_CONFIG_SET_H

#include "config/config_tree.h"

/** Applies one override "PATH=VALUE" (as on the command line): false with an error for a bad path
 * or value. */
bool scree_config_set(scree_config *config, const char *assignment, GError **error);
/** Applies n of them in turn: a wrong one is a problem. File names in them start from dirs[k]; NULL: from
 * the working folder. */
void scree_config_set_all(scree_config *config, uint32_t n, const char *const *assignments,
                          const char *const *dirs);

#endif
