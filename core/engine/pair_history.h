/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers what lives per pair from the lists before a refresh to those that it makes. */
#ifndef CORE_PAIR_HISTORY_H
#define CORE_PAIR_HISTORY_H

#include "engine/sim.h"

/** Notes the pairs of all lists, in scratch memory, before their segments are written anew. */
void scree_past_take(scree_sim *sim);
/** Contacts, keep marks, pair fields and hints of the pairs of a new segment, in its table, from
 * what they were; reads the committed copies, writes the others. */
void scree_past_carry(scree_sim *sim, const scree_list *list, scree_segment *s);
/** How many contacts and pairs with fields there were, and how many came over. */
uint64_t scree_past_count(const scree_sim *sim, const scree_list *list);
uint64_t scree_carried_count(const scree_sim *sim, const scree_list *list);
/** What was carried is committed from now on; room for the contacts of the next evaluation. */
void scree_lists_turn(scree_sim *sim);

#endif
