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

/** Arrays by contact that the host gathers for laws. */
typedef struct scree_gathered {
    double *v[3], *slip[3], *roll[3], *spin[3], *mass, *radius[2], *d[3], *normal_force;
    uint32_t *materials;
} scree_gathered;

/** Arrays by contact that a law returns. */
typedef struct scree_returned {
    double *f[3], *couple[3], *couple_b[3], *stored, *lost, *heat;
    uint8_t *keep;
} scree_returned;

/** The data of a contact that observers get: first what laws have done to it. Each member is a slot of 8 bytes
 * and has a column. */
typedef struct scree_law_record {
    double f[3], couple[3], couple_b[3];
    double stored, lost; /* [J] lost: in the last step */
} scree_law_record;
typedef struct scree_record {
    scree_law_record all; /* laws together */
    double normal[3], depth, arm[3], branch[3];
    uint64_t part[2]; /* uint32_t in their columns */
} scree_record;

/** Who gives a quantity, and in which struct its arrays are. */
enum {
    SCREE_BY_RESOLVER, /* where it is asked for: scree_contacts */
    SCREE_BY_TOUCH,    /* a resolver, always: scree_contacts */
    SCREE_BY_HOST,     /* scree_gathered */
    SCREE_BY_LAW,      /* scree_returned */
    SCREE_BY_NOBODY    /* a flag without arrays */
};

/** A quantity of contacts. Its arrays are `n` pointers one after the other, wherever it is; offsets are those of
 * the first, 0: it is not there. */
typedef struct scree_quantity {
    const char *name, *unit; /* unit NULL: a flag */
    uint64_t in, gives, out; /* its bits: SCREE_IN_*, SCREE_GIVES_*, SCREE_OUT_*; 0: none */
    uint32_t by;             /* SCREE_BY_* */
    uint32_t n;              /* arrays */
    uint32_t width;          /* [bytes] of a value */
    uint32_t rules;          /* SCREE_VALUE_* */
    size_t at;               /* in the struct of its giver, where 0 is an offset too */
    size_t batch;            /* in scree_contact_batch */
    size_t list, law;        /* in scree_contact_list, scree_contact_law */
    size_t record;           /* of its first slot in scree_record, by a law in scree_law_record */
} scree_quantity;

/** All quantities: first those by SCREE_BY_RESOLVER, of which those that are one real come first, then those by
 * SCREE_BY_TOUCH; the last has no name. */
extern const scree_quantity scree_quantities[];

/** Bits SCREE_GIVES_* of the arrays that a resolver must give to a law with these needs. */
uint64_t scree_quantities_required(uint64_t needs);
/* Geometries of contacts, as SCREE_GIVES_*. */
#define SCREE_GEOMETRIES ((uint64_t)SCREE_GIVES_OVERLAP | SCREE_GIVES_DISTANCE)
/** The geometries that a law with these needs can work with. */
uint64_t scree_quantities_geometries(uint64_t needs);
/** The missing results of a resolver that provides some: of those that are least needed, and of the
 * geometries, of which one is needed. */
uint64_t scree_quantities_lacking(uint64_t least, uint64_t geometries, uint64_t provides);

/** Pointer k of a quantity by a resolver in a scree_contacts: NULL, it is not there. */
static inline void *scree_quantity_array(const scree_contacts *contacts, const scree_quantity *q,
                                         uint32_t k)
{
    return scree_array_get((const char *)contacts + q->at + k * sizeof(void *));
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
