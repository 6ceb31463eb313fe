/* SPDX-License-Identifier: Apache-2.0 */
/* Carries the history of pairs through a refresh of the lists. */
#ifndef CORE_PAIR_HISTORY_H
#define CORE_PAIR_HISTORY_H

#include "engine/state.h"

/** The contacts of a segment, which must stay while its pairs are written again (order.c); or if
 * pairs carry more than contacts (`rich`), its pairs with contacts or fields. */
typedef struct scree_cursor {
    scree_list *list;
    scree_segment *s;
    uint32_t n, at;       /* number of these, and of those that are written */
    uint64_t *was;        /* [n + 1] row << 32 | column, then UINT64_MAX */
    scree_cells *shift;   /* [n] NULL: not periodic */
    uint32_t *now;        /* [n + 1] number of the pair in the new list; not rich: in the table */
    uint32_t *number;     /* rich: [n] number of the pair in `saved` */
    scree_segment saved;  /* rich: copy of the pairs */
    uint64_t end, n_room; /* end: `was` without history; n_room: pairs that fit */
    uint32_t none;        /* `now` without history */
    bool rich, many;      /* many: not rich, and pairs may have several contacts */
} scree_cursor;

/** Returns whether a pair is the next one that must stay. */
static inline bool scree_cursor_is_at(const scree_cursor *c, uint64_t key, scree_cells shift)
{
    return c->was[c->at] == key && (!c->shift || c->shift[c->at] == shift);
}

/** Begins to write the pairs of a segment again; it has none then. The cursor may not move. */
void scree_history_begin(const scree_sim *sim, scree_list *list, scree_segment *s,
                         scree_cursor *cursor);
/** Gives contacts the new numbers of their pairs, and new pairs the marks, fields and hints. */
void scree_history_finish(const scree_sim *sim, const scree_cursor *cursor);
/** Cuts the rows into blocks (scree_blocks_cut) and moves all pairs with contacts or fields, and
 * only these, to their segments, in canonical order. */
void scree_history_move(scree_sim *sim, const uint64_t *weight, uint32_t bits);
/** Makes room for the contacts of segment k of a list. */
void scree_history_reserve(const scree_sim *sim, const scree_list *list, uint32_t k);
/** Makes room for the contacts of the next evaluation. */
void scree_history_end(scree_sim *sim);

#endif
