/* SPDX-License-Identifier: Apache-2.0 */
/* `scree-tools summary`: prints the table of a run from its summary.json, for `scree run`. */
#ifndef CORE_CMD_SUMMARY_H
#define CORE_CMD_SUMMARY_H

/** `summary FILE [--json]`. With --json it prints on standard error. Returns the exit status;
 * SCREE_EXIT_RUN without a message: the output did not arrive. */
int scree_cmd_summary(int argc, char **argv);

#endif
