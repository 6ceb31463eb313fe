/* SPDX-License-Identifier: Apache-2.0 */
/* Carries the history of pairs through a refresh of the lists. */
#ifndef CORE_PAIR_HISTORY_H
#define CORE_PAIR_HISTORY_H

#include "engine/state.h"

/** The pairs with history of a segment, while its pairs are written again (order.c). */
typedef struct scree_cursor {
    scree_list *list;
    scree_segment *s;
    uint32_t n, at;   /* number of these pairs, and of those that are written */
    uint64_t *was;    /* [n + 1] row << 32 | column, then UINT64_MAX */
    uint32_t *now;    /* [n + 1] number in the new list; SCREE_NONE: not in it */
    uint32_t *number; /* [n] number in the list before; NULL: each has one contact and nothing else,
                         and `now` is the table's `pair` */
    scree_previous_pairs previous; /* with `number`: copy of the pairs */
    uint64_t end, n_room;          /* end: `was` without history; n_room: pairs that fit */
    uint32_t none;                 /* `now` without history */
} scree_cursor;

/** Returns whether pair q must be a candidate: it has contacts or fields, not only hints. */
bool scree_history_stays(const scree_previous_pairs *previous, uint32_t q);
/** Begins to write the pairs of a segment again; it has none then. The cursor may not move. */
void scree_history_begin(const scree_sim *sim, scree_list *list, scree_segment *s,
                         scree_cursor *cursor);
/** Gives contacts the new numbers of their pairs, and new pairs the marks, fields and hints. */
void scree_history_finish(const scree_sim *sim, scree_cursor *cursor);
/** Cuts the rows into blocks (scree_blocks_cut) and moves all pairs with history, and only these,
 * to their segments, in canonical order. */
void scree_history_move(scree_sim *sim, const uint64_t *weight, uint32_t bits);
/** Makes room for the contacts of the next evaluation. */
void scree_history_end(const scree_sim *sim);

#endif
