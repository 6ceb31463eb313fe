/* SPDX-License-Identifier: Apache-2.0 */
/* Contact tables of segments, and contacts by key (snapshot, renumbering, hash). */
#ifndef CORE_CONTACTS_H
#define CORE_CONTACTS_H

#include "engine/state.h"

/** A contact by the ids of its bodies, which stays valid when storage numbers and lists change. */
typedef struct scree_contact_key {
    uint64_t id_a, id_b;
    scree_cells shift; /* unwrapped cells from a to b */
    uint64_t feature;
} scree_contact_key;

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
    const int pair = scree_contact_key_compare_pair(a, b);
    if (pair)
        return pair;
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

typedef struct scree_contact_store {
    uint64_t n;
    scree_contact_key *key;
    uint8_t *keep;
    double *stored;
    double *field;    /* [n][n_contact_fields] */
    uint64_t n_pairs; /* pair fields, by (a, b, shift) with feature 0 */
    scree_contact_key *pair_key;
    double *pair_field; /* [n_pairs][n_pair_fields] */
} scree_contact_store;

/** Returns the size [bytes] of a contact in one of the two tables of its segment. */
uint64_t scree_contact_bytes(uint64_t n_fields, bool stored, bool keep, bool single);
/** Returns the size [bytes] of a pair without parts in its segment. */
uint64_t scree_pair_bytes(uint64_t n_pair_fields, bool periodic, bool keep);
void scree_table_reserve(const scree_sim *sim, scree_table *table, bool single, uint64_t n);
/** Takes a committed contact, number `at` in the segment's table, or a pair with fields, number
 * `at` in the segment. */
typedef void (*scree_contact_fn)(void *user, const scree_segment *segment, uint32_t at);
/** Returns the key of this contact or pair. */
scree_contact_key scree_contact_key_at(const scree_sim *sim, bool pairs,
                                       const scree_segment *segment, uint32_t at);
/** Bodies by id, committed contacts [0] and pairs with fields [1] by key. They use the memory of
 * the mirrors, which the next evaluation overwrites. Only one exists at a time; valid while lists
 * and numbers of bodies do not change. */
typedef struct scree_contact_order {
    const scree_sim *sim;
    uint32_t *by_id;
    uint64_t n[2];
    uint64_t *number[2]; /* segment << 32 | number in its table, or number of the pair */
} scree_contact_order;
void scree_contact_order_begin(const scree_sim *sim, scree_contact_order *order);
void scree_contact_order_end(scree_contact_order *order);
/** Calls `take` for n contacts, or (pairs) pairs, from `first` on. */
void scree_contact_order_each(const scree_contact_order *order, bool pairs, uint64_t first,
                              uint64_t n, scree_contact_fn take, void *user);
void scree_contacts_count(const scree_sim *sim, uint64_t *n, uint64_t *n_pairs);
/** Returns committed contacts and pair fields, sorted by key. */
scree_contact_store *scree_contacts_export(const scree_sim *sim);
/** Returns committed contacts and pair fields, unsorted: a third of the work. */
scree_contact_store *scree_contacts_collect(const scree_sim *sim);
void scree_contact_store_sort(scree_contact_store *store, uint32_t n_fields,
                              uint32_t n_pair_fields);
/** Returns a copy for other plugins: values from previous components (scree_columns_map) of
 * n_old and n_old_pair, and bits of keep masks: bit k becomes keep[k]. */
scree_contact_store *scree_contact_store_map(const scree_contact_store *from, const GArray *fields,
                                             uint32_t n_old, const GArray *pair_fields,
                                             uint32_t n_old_pair, const uint8_t keep[8]);
void scree_contact_store_free(scree_contact_store *store);
/** Gives bodies new numbers; SCREE_NONE: the body is dropped with its contacts. Rows are then
 * unsorted: the next evaluation must refresh. */
void scree_contacts_renumber(scree_sim *sim, const uint32_t *new_of_old);
/** Replaces all lists by lists with exactly these contacts (as committed), in the current storage
 * order; drops contacts of missing bodies. The next evaluation must refresh. */
void scree_contacts_import(scree_sim *sim, const scree_contact_store *store);
/** Makes room for pairs, parts, hints and pair fields of a segment; keeps those of its pairs. */
void scree_segment_reserve(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint64_t n_pairs, uint64_t n_parts);
/** Copies the pairs of a segment, with parts, hints and committed fields, to scratch memory, which
 * scree_pairs_drop gives back. */
void scree_pairs_save(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                      scree_segment *saved);
static inline void scree_pairs_drop(const scree_sim *sim, const scree_segment *saved)
{
    scree_scratch_give(sim->scratch, saved->a); // the room begins with it
}
/** Appends a pair with n_parts parts 0. Returns its number. */
uint32_t scree_pair_append(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint32_t a, uint32_t b, scree_cells shift, uint32_t n_parts);
/** Gives pair p mark, fields and hints of pair q of another segment; q SCREE_NONE: initial ones. */
void scree_pair_carry(const scree_sim *sim, const scree_list *list, const scree_segment *from,
                      uint32_t q, const scree_segment *s, uint32_t p);
/** Copies contact c to place k of another table, except for its pair. */
void scree_table_copy(const scree_sim *sim, const scree_table *from, uint64_t c,
                      const scree_table *to, uint64_t k);
void scree_lists_free(scree_sim *sim);

#endif
