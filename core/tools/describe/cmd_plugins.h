/* SPDX-License-Identifier: Apache-2.0 */
/* `scree plugins`: lists the plugins, describes one, prints a block to paste into a scene. */
#ifndef CORE_CMD_PLUGINS_H
#define CORE_CMD_PLUGINS_H

int scree_cmd_plugins(int argc, char **argv);

#endif
