/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run`: runs a scene from its first state to its last, with its observers. */
#ifndef CORE_CMD_RUN_H
#define CORE_CMD_RUN_H

int scree_cmd_run(int argc, char **argv);

#endif
