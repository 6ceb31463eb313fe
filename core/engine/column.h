/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of field components. */
#ifndef CORE_COLUMN_H
#define CORE_COLUMN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "scree/scree.h"

enum { SCREE_SCOPES = SCREE_SCOPE_GLOBAL + 1 }; /* by SCREE_SCOPE_* */

/** Describes consecutive components of the fields of one scope. A field that no plugin of the
 * run uses is dormant: it is kept like the others until its plugin returns, but is not in the
 * hash. */
typedef struct scree_column {
    char *slot, *name, *unit; /* "force[0]", "shear_spring", "m" */
    uint32_t components, revision, if_missing;
    uint32_t first; /* component */
    double initial;
    bool dormant;
    bool fresh; /* its plugin is new and has no previous values: all elements are `initial` */
} scree_column;

/** The fields of the state from which a run continues, and where they go (restart.c). */
typedef struct scree_legacy {
    GPtrArray *const *before;   /* [SCREE_SCOPES] of scree_column */
    GArray *from[SCREE_SCOPES]; /* out: of int32_t, see scree_columns_map */
    GPtrArray *notes;           /* out: of char *, a line per field */
} scree_legacy;

#endif
