/* SPDX-License-Identifier: Apache-2.0 */
/* The laws of a scene, asked how stiff a contact is. */
#ifndef CORE_STIFFNESS_H
#define CORE_STIFFNESS_H

#include "plugin/instance_data.h"
#include "scree/force.h"

typedef struct scree_stiff {
    uint32_t n_laws;
    scree_instance *const *laws;
    uint64_t points;         /* laws, by bit, that take point_mass [kg] instead of the query's, */
    double point_mass;       /* where that is above 0 */
    uint32_t type_a, type_b; /* codes of the shapes in contact, SCREE_NONE: any */
    bool asked;              /* once; 0 to begin with */
    bool answers;            /* some law has a stiffness */
} scree_stiff;

/** Sum over the laws that act between the two types. False with an error when one fails, or gives
 * an invalid stiffness. */
bool scree_stiff_sum(scree_stiff *stiff, scree_stiffness_query *query, scree_stiffness *sum,
                     GError **error);
/** *k becomes the larger of both, one by one. */
void scree_stiffness_widen(scree_stiffness *k, const scree_stiffness *other);

#endif
