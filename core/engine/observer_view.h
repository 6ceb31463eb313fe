/* SPDX-License-Identifier: Apache-2.0 */
/* The observers' view of a state: bodies, energies, contacts in canonical order. */
#ifndef CORE_OBSERVER_VIEW_H
#define CORE_OBSERVER_VIEW_H

#include "engine/contact_sums.h"
#include "engine/state.h"

/** Keeps the quantities in sim->records, after an accepted evaluation was committed. */
void scree_record_take(scree_sim *sim);
void scree_record_clear(scree_records *records);
/** Lists the contacts of the last accepted evaluation, valid until the next one. False: they were
 * not kept. */
bool scree_record_list(scree_sim *sim, scree_contact_list *list);
/** Sums over the contacts of the last accepted evaluation; NULL: they were not kept. */
const scree_contact_sums *scree_record_sums(const scree_sim *sim);
/** Fills the view of a step at which no observer is due: without energies, contacts and loads. */
void scree_view_state(scree_sim *sim, scree_view *view);
/** Fills a view of the current state. `energy` may be NULL: the momenta are 0 then. `contacts` may be NULL; otherwise sim->records.contacts was
 * set before the last accepted evaluation. */
void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy,
                     scree_contact_list *contacts);
/** Sets `used` in a copy of the view's contacts, for one observer. */
void scree_view_lend(const scree_sim *sim, const scree_instance *observer,
                     scree_contact_list *contacts);

#endif
