/* SPDX-License-Identifier: Apache-2.0 */
/* Overrides: "PATH=VALUE" is read and put into a scene's tree. */
#ifndef CORE_CONFIG_SET_H
#define CORE_CONFIG_SET_H

#include "config/config_tree.h"

/** Applies an override "PATH=VALUE", as on the command line. False with an error: invalid path or
 * value. */
bool scree_config_set(scree_config *config, const char *assignment, GError **error);
/** Applies n overrides in turn; a wrong one is a problem. File names in them start from dirs[k];
 * NULL: from the working folder. */
void scree_config_set_all(scree_config *config, uint32_t n, const char *const *assignments,
                          const char *const *dirs);

#endif
