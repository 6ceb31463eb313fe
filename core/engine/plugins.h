/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a run and all that follows only from them: a swap exchanges these. */
#ifndef CORE_PLUGINS_H
#define CORE_PLUGINS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/lists.h"
#include "plugin/instance_data.h"
#include "shape/shape_types.h"

/* ---- components of fields ---- */

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

/** Returns column `at` of those of *scope and the scopes after it, and sets its scope; NULL: `at`
 * is beyond the last. */
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

/** Returns the column of a scope that is in use, from number *k on, and moves *k there; NULL:
 * none. */
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

/* ---- plugins ---- */

/** Memory of the list that a plugin gets (shared_fields.c). All 0: none yet. */
typedef struct scree_fields_view {
    uint32_t n;
    struct scree_shown_field *field; /* [n] */
    const scree_used_field **list;   /* [n] */
    double *waste;                   /* takes values added in a trial */
    uint64_t waste_capacity;
} scree_fields_view;

typedef struct scree_law {
    scree_instance *instance;
    const scree_force_ops *ops;
    uint64_t needs, provides;
    uint8_t keep_bit; /* its bit in the keep masks of contacts; 0: it keeps none */
    bool newcomer;    /* swapped in, and one of its contact fields has no values */
    bool unset;       /* until the next commit: its committed fields may have unset elements */
    uint32_t first_contact_field, n_contact_fields; /* components */
    uint32_t first_pair_field, n_pair_fields;
    uint32_t first_read, n_reads; /* body fields of others: components that it reads, */
    uint32_t first_add, n_adds;   /* components to whose rates it adds (rates.c) */
    scree_fields_view shared;     /* with uses: fields that it reads, */
    scree_bodies view;            /* bodies that it sees */
    bool asked;                   /* it was asked for its range */
    const scree_bonds *bonds;     /* scree.bonds/1; NULL: it makes no bonds */
    bool bonds_due;               /* bonds by rules of the scene must still be made */
    bool bonds_touching;          /* a rule bonds contacts when they begin */
} scree_law;

typedef struct scree_lane scree_lane; /* lane.h: buffers of one thread */

/** Resolvers and force laws, with data about their contacts. */
typedef struct scree_contact_plugins {
    GPtrArray *resolvers; /* elements: scree_instance */
    scree_law *laws;
    uint32_t n_laws;
    uint32_t n_fields, n_pair_fields; /* numbers of components */
    double *initial, *pair_initial;   /* [n_fields], [n_pair_fields] */
    /* Body fields of others, over all laws: numbers of components read, and added to. */
    uint32_t n_reads, n_adds, n_rates;
    uint32_t *read_at;              /* [n_reads] component of the world; SCREE_NONE: missing */
    uint32_t *add_at;               /* [n_adds] index of the rate; SCREE_NONE: missing */
    uint32_t *rate_at;              /* [n_adds], n_rates of them used: component of the world */
    uint64_t needs;                 /* inputs of all laws */
    uint64_t near_needs, far_needs; /* of laws without and with SCREE_IN_LEVER_RADIUS */
    uint32_t n_keeping;             /* number of laws that keep contacts */
    bool any_keep, any_stored, any_heat, any_after_step, serial;
    bool any_unset;           /* `unset` of some law or resolver, see scree_law */
    bool reach_known;         /* false: range and gap belong to other laws or bodies (reach.h) */
    double range;             /* [m] largest range of any law, for the current bodies */
    double *gap;              /* [n_materials^2] largest range of any law; NULL: no law reaches or
                                 keeps beyond touch */
    struct scree_span *spans; /* [n_materials] sizes in the queries to laws, or NULL */
    scree_list *lists;        /* by (type_a, type_b) ascending */
    uint32_t n_lists;
    uint8_t list_of[SCREE_MAX_TYPES][SCREE_MAX_TYPES]; /* UINT8_MAX: no such list */
    bool unserved[SCREE_MAX_TYPES]; /* [types] spare types that lack a list: no body may get them */
    scree_lane *lanes;              /* [lanes] */
} scree_contact_plugins;

/** Integrator and modifiers, with the fields of bodies and of the run. */
typedef struct scree_body_plugins {
    scree_instance *integrator;
    const scree_integrator_ops *integrator_ops;
    const struct scree_joined *joined;  /* draft.joined/1; NULL: it does each move by itself */
    GPtrArray *modifiers;               /* elements: scree_instance */
    GPtrArray *modifier_slots;          /* const scree_timed_choice of each modifier */
    uint32_t n_fields, n_global_fields; /* numbers of components */
    uint32_t first_rate, n_rates;       /* part of these: rates of body fields */
    double *global_field;               /* [n_global_fields] */
} scree_body_plugins;

typedef struct scree_plugins {
    scree_instance *gcd;
    const scree_gcd_ops *gcd_ops;
    scree_contact_plugins contact;
    scree_body_plugins body;
    GPtrArray *columns[SCREE_SCOPES]; /* elements: scree_column, in use or (behind these) dormant */
    uint32_t n_live[SCREE_SCOPES];    /* number of components in use */
} scree_plugins;

#endif
