/* SPDX-License-Identifier: Apache-2.0 */
/* A force law of a run, its needs, and the fields of other plugins that it sees. Data only. */
#ifndef CORE_LAW_H
#define CORE_LAW_H

#include "plugin/instance_data.h"

/** Memory of the list that a plugin gets (shared_fields.c). All 0: none yet. */
typedef struct scree_fields_view {
    uint32_t n;
    scree_used_field *field;       /* [n] */
    const scree_used_field **list; /* [n] */
    const double **v;              /* all components */
    double **rate;
    uint8_t **fresh; /* [n] marks */
    uint64_t *fresh_capacity;
    double *waste; /* takes values added in a trial */
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

#endif
