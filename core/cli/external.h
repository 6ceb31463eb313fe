/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that scree becomes: its own scree-tools, and commands of others, scree-NAME. */
#ifndef CORE_EXTERNAL_H
#define CORE_EXTERNAL_H

#include <glib.h>

/** A program that is a command. */
typedef struct scree_external {
    char *name;    // NAME of scree-NAME
    char *path;    // absolute
    char *summary; // one line for a list; NULL: there is none
} scree_external;

/** The programs on PATH, by name: an array of scree_external. Folders of PATH that are not absolute are passed
 * over: what they hold depends on where the user is. No program is run for a list. */
GPtrArray *scree_external_list(void);
/** The program on PATH for a command. New string; NULL: none. */
char *scree_external_find(const char *name);
/** The file on PATH that would be the program if it were executable. New string; NULL: none. */
char *scree_external_find_blocked(const char *name);

/** Becomes the program: argv without the name, which is argv[at]. SCREE_PROGRAM names this program
 * in its environment. Returns the exit status when the system cannot run it. */
int scree_external_run(const char *path, int at, int argc, char **argv);
/** Becomes scree-tools of this installation, with the same command line. Returns as that. */
int scree_external_run_tools(char **argv);

#endif
