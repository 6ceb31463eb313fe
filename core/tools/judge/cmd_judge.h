/* SPDX-License-Identifier: Apache-2.0 */
/* `scree-tools judge`: judges plugin files for a program that has no code for it. */
#ifndef CORE_CMD_JUDGE_H
#define CORE_CMD_JUDGE_H

/** `judge N FILE .. TRUSTED ..`: prints a line about each of N files (plugin/trial.c). Only the host
 * starts it. Returns the exit status. */
int scree_cmd_judge(int argc, char **argv);

#endif
