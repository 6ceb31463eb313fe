/* SPDX-License-Identifier: Apache-2.0 */
/* `scree validate`: prints all mistakes of a scene at once, or a description of its run. */
#ifndef CORE_CMD_VALIDATE_H
#define CORE_CMD_VALIDATE_H

int scree_cmd_validate(int argc, char **argv);

#endif
