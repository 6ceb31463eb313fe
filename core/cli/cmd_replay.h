/* SPDX-License-Identifier: Apache-2.0 */
/* `scree replay`: repeats the call that a plugin was blamed for. */
#ifndef CORE_CMD_REPLAY_H
#define CORE_CMD_REPLAY_H

int scree_cmd_replay(int argc, char **argv);

#endif
