/* SPDX-License-Identifier: Apache-2.0 */
/* The observers' view of a state: bodies, energies, contacts in canonical order. */
#ifndef CORE_OBSERVER_VIEW_H
#define CORE_OBSERVER_VIEW_H

#include "engine/state.h"

/** Keeps the quantities in sim->records, after an accepted evaluation was committed. */
void scree_record_take(scree_sim *sim);
void scree_record_clear(scree_records *records);
/** Returns the kept contacts; NULL: they were not kept. */
scree_contact_copy *scree_record_contacts(const scree_sim *sim);
/** Lists the contacts of the last accepted evaluation, valid until the next one. False: they were
 * not kept. */
bool scree_record_list(scree_sim *sim, scree_contact_list *list);
/** Sums over the contacts of the last accepted evaluation; NULL: they were not kept. */
const scree_contact_sums *scree_record_sums(const scree_sim *sim);
/** Fills the view of a step at which no observer is due: without energies, contacts and loads. */
void scree_view_state(scree_sim *sim, scree_view *view);
/** Fills a view of the current state, without contacts. `energy` may be NULL: the momenta are 0
 * then. */
void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy);

#endif
