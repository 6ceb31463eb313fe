/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of other plugins in the view of one plugin. */
#ifndef CORE_FIELDS_VIEW_H
#define CORE_FIELDS_VIEW_H

#include "scree/scree.h"

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

#endif
