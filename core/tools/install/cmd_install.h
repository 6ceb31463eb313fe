/* SPDX-License-Identifier: Apache-2.0 */
/* `scree install` and `scree uninstall`: plugins in the user's folder of this ABI. */
#ifndef CORE_CMD_INSTALL_H
#define CORE_CMD_INSTALL_H

int scree_cmd_install(int argc, char **argv);
int scree_cmd_uninstall(int argc, char **argv);

#endif
