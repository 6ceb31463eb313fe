/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an unknown plugin file in a child process, because loading it runs its constructors. */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "plugin/held.h"

/** Findings about a file. */
typedef struct scree_verdict {
    GPtrArray *offers; /* of scree_offer; NULL: the file was refused, crashed, exited or hung */
    GError *error;     /* its message starts with the path */
    bool by_times;     /* of the index, and only the times of the file were compared */
} scree_verdict;

/** Loads each of `n` files in a child process with a time limit, some of them at a time, and fills their
 * verdicts, which are zeroed. */
void scree_try_files(scree_held *const *files, scree_verdict *verdicts, guint n);

#endif
