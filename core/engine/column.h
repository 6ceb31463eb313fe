/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of field components. */
#ifndef CORE_COLUMN_H
#define CORE_COLUMN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "scree/scree.h"

enum { SCREE_SCOPES = SCREE_SCOPE_GLOBAL + 1 }; /* by SCREE_SCOPE_* */

/** Describes consecutive components of the fields of one scope. A field that no plugin of the
 * run uses is dormant, if it is one to be restored: it is kept like the others, and in the hash,
 * until its plugin returns. */
typedef struct scree_column {
    char *slot, *name, *unit; /* "force[0]", "shear_spring", "m" */
    uint32_t components, revision, if_missing, on_return;
    uint32_t first; /* component */
    double initial;
    bool dormant;
    bool fresh;          /* it had no previous values when it was mapped: all elements are unset */
    uint64_t fresh_from; /* of bodies and of the run: see fresh.c */
    uint32_t rate;       /* of a body field: first component of its rate, 0: it has none */
} scree_column;

/** The value of an element of a contact or pair field that nobody has written yet: a NaN that no
 * plugin makes. Plugins get `initial` in its place, marked as fresh. */
#define SCREE_UNSET_BITS UINT64_C(0x7ff85c2eef7e5400)
static inline double scree_unset(void)
{
    const uint64_t bits = SCREE_UNSET_BITS;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline bool scree_is_unset(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == SCREE_UNSET_BITS;
}

/** The fields of the state from which a run continues, and where they go (restart.c). */
typedef struct scree_legacy {
    GPtrArray *const *before;   /* [SCREE_SCOPES] of scree_column */
    uint64_t n[SCREE_SCOPES];   /* contacts, pairs, bodies of that state */
    GArray *from[SCREE_SCOPES]; /* out: of int32_t, see scree_columns_map */
    GPtrArray *notes;           /* out: of char *, a line per field */
    GPtrArray *states;          /* of scree_saved_state, for plugins; NULL: none */
    bool lax;                   /* those of another version are left */
} scree_legacy;

#endif
