/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of others as one plugin sees them. */
#ifndef CORE_LENT_FIELDS_H
#define CORE_LENT_FIELDS_H

#include "scree/scree.h"

/** Memory of the list that a plugin gets (used.c). All 0: none yet. */
typedef struct scree_lent {
    uint32_t n;
    scree_used_field *field;       /* [n] */
    const scree_used_field **list; /* [n] */
    const double **v;              /* of all components */
    double **rate;
    uint8_t **fresh; /* [n] marks */
    uint64_t *fresh_capacity;
    double *waste; /* what is added in a trial */
    uint64_t waste_capacity;
} scree_lent;

#endif
