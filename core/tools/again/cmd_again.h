/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run --restart`, `scree run --repeat` and `scree run --break`. */
#ifndef CORE_CMD_AGAIN_H
#define CORE_CMD_AGAIN_H

int scree_cmd_run_again(int argc, char **argv);

#endif
