/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that are programs of their own: `scree NAME` runs scree-NAME. */
#ifndef CORE_EXTERNAL_H
#define CORE_EXTERNAL_H

#include <glib.h>

/** A program that is a command. */
typedef struct scree_external {
    char *name;    // NAME of scree-NAME
    char *path;    // absolute
    char *summary; // one line for a list; NULL: there is none
} scree_external;

/** The programs of this installation: an array of scree_external, by name. */
GPtrArray *scree_external_own(void);
/** The programs on PATH that are not among `own`. Folders of PATH that are not absolute are passed
 * over: what they hold depends on where the user is. No program is run for a list. */
GPtrArray *scree_external_on_path(const GPtrArray *own);
/** The program for a command, of this installation or else on PATH. New string; NULL: none. */
char *scree_external_find(const char *name);
/** The file on PATH that would be the program if it were executable. New string; NULL: none. */
char *scree_external_find_blocked(const char *name);
/** Where the program of this installation should be; NULL: it has no such command. New string. */
char *scree_external_missing(const char *name);

/** Becomes the program: argv without the name, which is argv[at]. SCREE_PROGRAM names this program
 * in its environment. Returns the exit status when the system cannot run it. */
int scree_external_run(const char *path, int at, int argc, char **argv);

#endif
