/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities of contacts: a row each, by which masks, lanes, resolvers, laws and checks treat them. */
#ifndef CORE_QUANTITIES_H
#define CORE_QUANTITIES_H

#include <math.h>
#include <stdbool.h>

#include "base/arrays.h"
#include "scree/scree.h"

/* Rules for each value of a quantity, besides that it is finite. */
enum {
    SCREE_VALUE_NOT_NEGATIVE = 1,
    SCREE_VALUE_ENDS = 2,     /* 0 across a gap */
    SCREE_VALUE_OPTIONAL = 4, /* laws get 0 where the resolver does not give it */
};

/** A quantity that a resolver gives, the host gathers, or a law returns. Its arrays are `n` pointers in
 * scree_contacts and in scree_contact_batch, one after the other. */
typedef struct scree_quantity {
    const char *name, *unit; /* unit NULL: a flag without an array of its own here */
    uint64_t in, gives, out; /* its bits: SCREE_IN_*, SCREE_GIVES_*, SCREE_OUT_*; 0: none */
    uint32_t n;              /* arrays that a resolver writes; 0: it writes none */
    uint32_t width;          /* [bytes] of a value */
    uint32_t rules;          /* SCREE_VALUE_* */
    size_t found, batch; /* offsets of the first pointer in scree_contacts, scree_contact_batch */
} scree_quantity;

/** All quantities: those that are one real of a resolver first, then its others, then those whose n is 0;
 * the last has no name. */
extern const scree_quantity scree_quantities[];

/** All bits SCREE_IN_*, SCREE_GIVES_* and SCREE_OUT_* that this host knows. */
void scree_quantities_masks(uint64_t *in, uint64_t *gives, uint64_t *out);

/** Bits of results that are contacts' arrays, which a resolver must give where a law needs them. */
uint64_t scree_quantities_required(uint64_t needs);

/** Pointer k of a quantity in a scree_contacts: NULL, it is not there. */
static inline void *scree_quantity_array(const scree_contacts *contacts, const scree_quantity *q,
                                         uint32_t k)
{
    return scree_array_get((const char *)contacts + q->found + k * sizeof(void *));
}

/** Whether a contact of this depth can have this value of a quantity that is one real. */
static inline bool scree_quantity_is_sound(const scree_quantity *q, double value, double depth)
{
    const bool is_signed = !(q->rules & SCREE_VALUE_NOT_NEGATIVE);
    const bool may_stay = !(q->rules & SCREE_VALUE_ENDS);
    return isfinite(value) && (is_signed || value >= 0.0) &&
           (may_stay || depth > 0.0 || value == 0.0);
}

#endif
