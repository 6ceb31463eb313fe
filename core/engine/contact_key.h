/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of contacts and their order, by ids or by storage numbers. */
#ifndef CORE_CONTACT_KEY_H
#define CORE_CONTACT_KEY_H

#include "engine/lists.h"
#include "engine/world.h"

/** A contact by the ids of its bodies, which stays valid when storage numbers and lists change. */
typedef struct scree_contact_key {
    uint64_t id_a, id_b;
    scree_cells shift; /* unwrapped cells from a to b */
    uint64_t feature;
} scree_contact_key;

/** A contact by storage numbers, in the canonical order of sums (determinism.md, S3). */
typedef struct scree_contact_place {
    uint32_t list, row, col;
    scree_cells shift;
    uint64_t feature;
} scree_contact_place;

/* Returns from the comparison function if the members differ. */
#define SCREE_ORDER_BY(member)                                                                     \
    if (a->member != b->member)                                                                    \
    return a->member < b->member ? -1 : 1

/** Compares keys up to the feature; 0: both belong to one pair. */
static inline int scree_contact_key_compare_pair(const scree_contact_key *a,
                                                 const scree_contact_key *b)
{
    SCREE_ORDER_BY(id_a);
    SCREE_ORDER_BY(id_b);
    SCREE_ORDER_BY(shift);
    return 0;
}

static inline int scree_contact_key_compare(const scree_contact_key *a, const scree_contact_key *b)
{
    SCREE_ORDER_BY(id_a);
    SCREE_ORDER_BY(id_b);
    SCREE_ORDER_BY(shift);
    SCREE_ORDER_BY(feature);
    return 0;
}

static inline int scree_contact_place_compare(const scree_contact_place *a,
                                              const scree_contact_place *b)
{
    SCREE_ORDER_BY(list);
    SCREE_ORDER_BY(row);
    SCREE_ORDER_BY(col);
    SCREE_ORDER_BY(shift);
    SCREE_ORDER_BY(feature);
    return 0;
}

/** Returns the key of pair p of a segment, with a feature. */
static inline scree_contact_key scree_contact_key_of(const scree_world *w, const scree_segment *s,
                                                     uint32_t p, uint64_t feature)
{
    const uint32_t a = s->a[p], b = s->b[p];
    const scree_cells shift = s->shift ? s->shift[p] : SCREE_SHIFT_ZERO; // from row to column
    return (scree_contact_key){.id_a = w->id[a],
                               .id_b = w->id[b],
                               .shift = a > b ? scree_shift_negate(shift) : shift,
                               .feature = feature};
}

/** Returns the place of contact c in a table of a segment of list `list`. */
static inline scree_contact_place scree_contact_place_of(uint32_t list, const scree_segment *s,
                                                         const scree_table *t, uint64_t c)
{
    const uint32_t p = t->pair[c];
    return (scree_contact_place){.list = list,
                                 .row = scree_pair_row(s, p),
                                 .col = scree_pair_column(s, p),
                                 .shift = s->shift ? s->shift[p] : SCREE_SHIFT_ZERO,
                                 .feature = t->feature ? t->feature[c] : 0};
}

#endif
