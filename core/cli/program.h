/* SPDX-License-Identifier: Apache-2.0 */
/* How both programs of the host, scree and scree-tools, begin and end, or become another one. */
#ifndef CORE_PROGRAM_H
#define CORE_PROGRAM_H

/** The command of a program; returns the exit status. */
typedef int (*scree_command_fn)(int argc, char **argv);

/** Index of the command's name in the words, after the common options; argc: no name. */
int scree_command_at(int argc, char **argv);
/** Prepares the process, takes the common options out of the command line, runs the command, and
 * ends the process with its exit status. It returns only in a build with the address sanitizer. */
int scree_program(int argc, char **argv, scree_command_fn command);

/** Becomes the program at `path` with these words, which end in NULL. Returns the exit status if
 * the system cannot run it, after a message. */
int scree_become(const char *path, char **words);

#endif
