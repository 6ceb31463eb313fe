/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an unknown plugin file in a child process, because loading it runs its constructors. */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "plugin/held.h"

/** The result of a trial. */
typedef struct scree_verdict {
    GPtrArray *offers; /* elements: scree_offer; NULL: refused, crashed, exited or hung */
    GError *error;     /* its message starts with the path */
    bool hung;         /* it took longer than the limit */
    bool by_times;     /* an index knew the file, and only its times were compared */
} scree_verdict;

/** Loads each of `n` files in a child process with a time limit, many at once, and fills their
 * verdicts, which must be zeroed. */
void scree_try_files(scree_held *const *files, scree_verdict *verdicts, guint n);

#endif
