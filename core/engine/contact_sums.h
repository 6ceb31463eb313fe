/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the contacts of an evaluation for figures, without a list of the contacts. */
#ifndef CORE_CONTACT_SUMS_H
#define CORE_CONTACT_SUMS_H

#include "base/exact_sum.h"
#include "engine/world.h"

/** Sums over contacts, whose order changes no bit. All 0: no contact. */
typedef struct scree_contact_sums {
    scree_exact_sum force;  /* [N] strengths of those that overlap */
    scree_exact_sum virial; /* [J] f · branch of all, above 0 under pressure */
    uint64_t n;             /* those that overlap */
    double overlap;         /* [-] largest depth over the smaller size (scree_world_size) */
    uint64_t id[2];         /* bodies of that contact, the lower id first; of several the lowest */
} scree_contact_sums;

/** Contacts as arrays: force on a, from the centre of a to that of b. */
typedef struct scree_contact_rows {
    const uint32_t *a, *b;
    const double *depth, *const *f, *const *branch;
} scree_contact_rows;

void scree_contact_sums_add(scree_contact_sums *sums, const scree_world *w, uint64_t n,
                            const scree_contact_rows *rows);
void scree_contact_sums_merge(scree_contact_sums *sums, const scree_contact_sums *other);

#endif
