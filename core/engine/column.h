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

/** Describes consecutive components of a scope's fields. A field that no plugin uses is dormant if
 * it is to be restored: it is kept and hashed like the others until its plugin returns. */
typedef struct scree_column {
    char *slot, *name, *unit; /* "force[0]", "shear_spring", "m" */
    uint32_t components, revision, if_missing, on_return;
    uint32_t first; /* first component */
    double initial;
    bool dormant;
    bool fresh;          /* unset in all elements: it had no values when it was mapped */
    uint64_t fresh_from; /* for fields of bodies and of the run: see columns.c */
    uint32_t rate;       /* first component of a body field's rate; 0: none */
} scree_column;

/** Returns column `at` of those of *scope and the scopes after it, and sets its scope; NULL: `at` is
 * beyond the last. */
static inline scree_column *scree_columns_at(GPtrArray *const *columns, uint32_t *scope,
                                             uint64_t at)
{
    for (; *scope < SCREE_SCOPES; ++*scope) {
        const guint n = columns[*scope] ? columns[*scope]->len : 0;
        if (at < n)
            return (scree_column *)columns[*scope]->pdata[at];
        at -= n;
    }
    return NULL;
}

/** Returns the column of a scope that is in use, from number *k on, and moves *k there; NULL: none. */
static inline scree_column *scree_column_in_use(GPtrArray *const *columns, uint32_t scope, guint *k)
{
    const GPtrArray *all = columns[scope];
    const guint n = all ? all->len : 0;
    while (*k < n && ((const scree_column *)all->pdata[*k])->dormant)
        ++*k;
    return *k < n ? (scree_column *)all->pdata[*k] : NULL;
}

/** The value of an element of a contact or pair field before it is written: a NaN that no plugin
 * makes. Plugins get `initial` in its place, marked as fresh. */
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

/** The fields of the state from which a run continues, and their destination (restart.c). */
typedef struct scree_legacy {
    GPtrArray *const *before;   /* [SCREE_SCOPES] elements: scree_column */
    uint64_t n[SCREE_SCOPES];   /* numbers of contacts, pairs, bodies in this state */
    GArray *from[SCREE_SCOPES]; /* output: int32_t, see scree_columns_map */
    GPtrArray *notes;           /* output: char *, a line per field */
    GPtrArray *states;          /* scree_saved_state for plugins; NULL: none */
    bool lax;                   /* states of another version are left out */
} scree_legacy;

#endif
