/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an unknown plugin file in a child process, because loading it runs its constructors. */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "plugin/candidate.h"

/** A file to be tried. */
typedef struct scree_trial {
    scree_held *file;
    GPtrArray *offers; /* of scree_offer; NULL when it was refused, crashed, exited or hung */
    char **plugins; /* all that they say of themselves, a line of JSON each; NULL like `offers` */
    GError *error;  /* its message starts with the path */
} scree_trial;

/** Loads each file in a child process with a time limit, some of them at a time, and notes what it
 * offers. */
void scree_try_files(scree_trial *trials, guint n);

#endif
