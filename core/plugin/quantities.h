/* SPDX-License-Identifier: Apache-2.0 */
/* Quantities of contacts: one row each for masks, lanes, resolvers, laws and checks. */
#ifndef CORE_QUANTITIES_H
#define CORE_QUANTITIES_H

#include <math.h>
#include <stdbool.h>

#include "base/arrays.h"
#include "scree/scree.h"

/* Rules for the values of a quantity; each value is finite. */
enum {
    SCREE_VALUE_NOT_NEGATIVE = 1,
    SCREE_VALUE_ENDS = 2,     /* the value is 0 across a gap */
    SCREE_VALUE_OPTIONAL = 4, /* laws get 0 from a resolver without it */
};

/** A quantity that a resolver gives, the host gathers, or a law returns. `n` pointers in
 * scree_contacts, one after the other, hold its arrays; so in scree_contact_batch. */
typedef struct scree_quantity {
    const char *name, *unit; /* unit NULL: a flag without an array */
    uint64_t in, gives, out; /* its bits SCREE_IN_*, SCREE_GIVES_*, SCREE_OUT_*; 0: none */
    uint32_t n;              /* number of arrays that a resolver writes; 0: none */
    uint32_t width;          /* [bytes] of a value */
    uint32_t rules;          /* SCREE_VALUE_* */
    size_t found, batch; /* offset of the first pointer in scree_contacts, in scree_contact_batch */
} scree_quantity;

/** All quantities: first single reals of resolvers, then other arrays of resolvers, then rows with
 * n = 0. The last row has no name. */
extern const scree_quantity scree_quantities[];

/** All bits SCREE_IN_*, SCREE_GIVES_* and SCREE_OUT_* that this host knows. */
void scree_quantities_masks(uint64_t *in, uint64_t *gives, uint64_t *out);

/** Bits SCREE_GIVES_* of the arrays that a resolver must give to a law with these needs. */
uint64_t scree_quantities_required(uint64_t needs);

/** Pointer k of a quantity in a scree_contacts; NULL: the array is missing. */
static inline void *scree_quantity_array(const scree_contacts *contacts, const scree_quantity *q,
                                         uint32_t k)
{
    return scree_array_get((const char *)contacts + q->found + k * sizeof(void *));
}

/** Whether a contact of this depth may have this value of a single real. */
static inline bool scree_quantity_is_sound(const scree_quantity *q, double value, double depth)
{
    const bool is_signed = !(q->rules & SCREE_VALUE_NOT_NEGATIVE);
    const bool may_stay = !(q->rules & SCREE_VALUE_ENDS);
    return isfinite(value) && (is_signed || value >= 0.0) &&
           (may_stay || depth > 0.0 || value == 0.0);
}

#endif
