/* SPDX-License-Identifier: Apache-2.0 */
/* How both programs of the host begin and end: scree, and scree-tools. */
#ifndef CORE_PROGRAM_H
#define CORE_PROGRAM_H

/** The command of a program; returns the exit status. */
typedef int (*scree_command_fn)(int argc, char **argv);

/** Prepares the process, takes the options of every command out of the command line, runs the
 * command, and ends the process with its exit status. Returns only in a build with the address sanitizer, for main to return. */
int scree_program(int argc, char **argv, scree_command_fn command);

#endif
