/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the contacts of an evaluation for figures, without a list of the contacts. */
#ifndef CORE_CONTACT_SUMS_H
#define CORE_CONTACT_SUMS_H

#include "base/exact_sum.h"
#include "engine/world.h"

/** Sums over contacts, independent of their order. All 0: no contact. */
typedef struct scree_contact_sums {
    scree_exact_sum force;  /* [N] strengths of overlapping contacts */
    scree_exact_sum virial; /* [J] f · branch of all contacts, above 0 under pressure */
    uint64_t n;             /* number of overlapping contacts */
    double overlap;         /* [-] largest depth over the smaller size (scree_world_size) */
    uint64_t id[2]; /* bodies of this contact, the lower id first; the lowest of equal ones */
} scree_contact_sums;

/** Contacts as arrays: force on a, vector from the centre of a to that of b. */
typedef struct scree_contact_rows {
    const uint32_t *a, *b;
    const double *depth, *const *f, *const *branch;
} scree_contact_rows;

/** Returns the size [m] of a body that touches (scree_world_size); a wall is infinitely large. */
double scree_touching_size(const scree_world *w, uint32_t body);
void scree_contact_sums_add(scree_contact_sums *sums, const scree_world *w, uint64_t n,
                            const scree_contact_rows *rows);
void scree_contact_sums_merge(scree_contact_sums *sums, const scree_contact_sums *other);

#endif
