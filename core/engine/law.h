/* SPDX-License-Identifier: Apache-2.0 */
/* A force law of a run, and what it needs of contacts. */
#ifndef CORE_LAW_H
#define CORE_LAW_H

#include "engine/fields_view.h"
#include "plugin/instance_data.h"

typedef struct scree_law {
    scree_instance *instance;
    const scree_force_ops *ops;
    uint64_t needs, provides;
    uint8_t keep_bit; /* of the keep masks of contacts, 0: it does not keep */
    bool newcomer;    /* swapped in, and a contact field of it has no values */
    bool unset;       /* until the next commit: elements of its committed fields may be unset */
    uint32_t first_contact_field, n_contact_fields; /* components */
    uint32_t first_pair_field, n_pair_fields;
    uint32_t first_read, n_reads; /* components of body fields of others that it reads, */
    uint32_t first_add, n_adds;   /* and to whose rates it adds (rates.c) */
    scree_fields_view shared;     /* with uses: what it reads, */
    scree_bodies view;            /* and the bodies that it sees */
    bool asked;                   /* whether it was asked for its range */
    const scree_bonds *bonds;     /* scree.bonds/1, NULL: it makes none */
    bool bonds_due;               /* the bonds by the rules of the scene must still be made */
    bool bonds_touching;          /* one of the rules bonds contacts when they begin */
} scree_law;

#endif
