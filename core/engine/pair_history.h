/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers what lives per pair from the lists before a refresh to those that it makes. */
#ifndef CORE_PAIR_HISTORY_H
#define CORE_PAIR_HISTORY_H

#include "engine/sim.h"

/** Notes the pairs of all lists, in scratch memory, before their segments are written anew. */
void scree_history_save(scree_sim *sim);
/** Contacts, keep marks, pair fields and hints of the pairs of a new segment, in its table, from
 * what they were; reads the committed copies, writes the others. */
void scree_history_transfer(scree_sim *sim, const scree_list *list, scree_segment *s);
/** How many contacts and pairs with fields there were, and how many came over. */
uint64_t scree_history_count(const scree_sim *sim, const scree_list *list);
uint64_t scree_history_transferred(const scree_sim *sim, const scree_list *list);
/** What was carried is committed from now on; room for the contacts of the next evaluation. */
void scree_history_commit(scree_sim *sim);

#endif
