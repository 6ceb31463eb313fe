/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that are programs scree-NAME. */
#ifndef CORE_EXTERNAL_H
#define CORE_EXTERNAL_H

#include <glib.h>
#include <stdbool.h>

/** A program that serves as a command. */
typedef struct scree_external {
    char *name;    // NAME of scree-NAME
    char *summary; // one line for a list; NULL: none
    bool own;      // of this installation, otherwise of PATH
} scree_external;

/** The programs of this installation and on PATH, sorted by name: an array of scree_external. It
 * passes over relative folders of PATH, and runs no program. */
GPtrArray *scree_external_list(void);
/** The path of the program for a command, or (`blocked`) of a file that only lacks the permission to be
 * executed, a new string; NULL: none. */
char *scree_external_find(const char *name, bool blocked);

/** Becomes the program, with argv without the name, which is argv[at]. SCREE_PROGRAM in its
 * environment names the program scree. Returns the exit status if the system cannot run it. */
int scree_external_run(const char *path, int at, int argc, char **argv);

#endif
