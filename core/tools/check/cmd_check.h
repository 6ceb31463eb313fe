/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: tries the plugins of a file, case by case, and says how to install it. */
#ifndef CORE_CMD_CHECK_H
#define CORE_CMD_CHECK_H

int scree_cmd_check(int argc, char **argv);

#endif
