/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the pairs of balls that may touch soon. */
#ifndef CORE_NEAR_H
#define CORE_NEAR_H

#include "engine/lane.h"

/** Notes that the balls of chunk c have moved by up to `way` [m] since the last evaluation. False:
 * the current lists end. */
static inline bool scree_near_serves(scree_near_rule *near, uint32_t c, double way)
{
    if (c >= near->n_chunks)
        return false;
    near->way[c] += way * (1.0 + 1e-9); // with room for rounding
    return near->way[c] <= near->margin[c];
}

/** Returns whether only listed pairs of a segment may go to the resolver. */
bool scree_near_may_list(const scree_sim *sim, const scree_list *list, const scree_segment *s);
/** Returns whether the current lists serve this evaluation. */
static inline bool scree_near_lasts(const scree_near_rule *near, double range)
{
    return near->number && !near->used_up && !near->ended && near->range == range;
}
/** Before the batches of an evaluation: makes new lists if the current ones have ended. */
void scree_near_prepare(scree_sim *sim);
/** Returns how many of the *n pairs from p0 on may touch, and lists their numbers among these. *n:
 * the number of pairs in the batch, of which at most sim->contacts.batch are listed. */
uint32_t scree_near_list(const scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t *n,
                         scree_near_cursor *cursor, scree_lane *lane, const uint16_t **list);

/** Frees what the rule owns. */
void scree_near_clear(scree_near_rule *near);

#endif
