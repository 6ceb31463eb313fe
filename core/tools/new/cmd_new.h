/* SPDX-License-Identifier: Apache-2.0 */
/* `scree new`: writes a scene or a plugin that runs as it is, to start from. */
#ifndef CORE_CMD_NEW_H
#define CORE_CMD_NEW_H

int scree_cmd_new(int argc, char **argv);

#endif
