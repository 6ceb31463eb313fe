/* SPDX-License-Identifier: Apache-2.0 */
/* `scree query`: prints the bodies in a box or ball, of a scene or of a run's last checkpoint. */
#ifndef CORE_CMD_QUERY_H
#define CORE_CMD_QUERY_H

int scree_cmd_query(int argc, char **argv);

#endif
