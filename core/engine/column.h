/* SPDX-License-Identifier: Apache-2.0 */
/* What the components of fields mean. */
#ifndef CORE_COLUMN_H
#define CORE_COLUMN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "scree/scree.h"

enum { SCREE_SCOPES = SCREE_SCOPE_GLOBAL + 1 }; /* by SCREE_SCOPE_* */

/** What components of the fields of one scope mean, one after the other. What no plugin of the run
 * uses is dormant: it lives as the others do, until its plugin comes back, outside the hash. */
typedef struct scree_column {
    char *slot, *name, *unit; /* "force[0]", "shear_spring", "m" */
    uint32_t components, revision, if_missing;
    uint32_t first; /* component */
    double initial;
    bool dormant;
    bool fresh; /* its plugin has come without a past: `initial` stands in all of them */
} scree_column;

/** The fields of a state that a run goes on from, and what becomes of them (restart.c). */
typedef struct scree_legacy {
    GPtrArray *const *before;   /* [SCREE_SCOPES] of scree_column */
    GArray *from[SCREE_SCOPES]; /* out: of int32_t, see scree_columns_map */
    GPtrArray *notes;           /* out: of char *, a line per field */
} scree_legacy;

#endif
