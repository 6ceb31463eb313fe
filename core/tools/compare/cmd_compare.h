/* SPDX-License-Identifier: Apache-2.0 */
/* `scree compare`: times variants of a scene in turns, each in its own process. */
#ifndef CORE_CMD_COMPARE_H
#define CORE_CMD_COMPARE_H

int scree_cmd_compare(int argc, char **argv);

#endif
