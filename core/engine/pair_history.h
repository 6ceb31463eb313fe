/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers the history of pairs from the lists before a refresh to the new ones. */
#ifndef CORE_PAIR_HISTORY_H
#define CORE_PAIR_HISTORY_H

#include "engine/state.h"

/** Notes the pairs of all lists in scratch memory, before their segments are overwritten. */
void scree_history_save(const scree_sim *sim);
/** Copies contacts, keep marks, pair fields and hints to the pairs of a new segment; reads the
 * committed tables, writes the others. */
void scree_history_transfer(const scree_sim *sim, const scree_list *list, scree_segment *s);
/** Counts contacts and pairs with fields before a refresh, and those transferred. */
uint64_t scree_history_count(const scree_sim *sim, const scree_list *list);
uint64_t scree_history_transferred(const scree_sim *sim, const scree_list *list);
/** Commits the transferred tables, and makes room for the contacts of the next evaluation. */
void scree_history_commit(scree_sim *sim);

#endif
