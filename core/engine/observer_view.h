/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a state that observers get: bodies, energies, contacts in canonical order. */
#ifndef CORE_OBSERVER_VIEW_H
#define CORE_OBSERVER_VIEW_H

#include "engine/contact_sums.h"
#include "engine/state.h"

/** Keeps what sim->records asks for, after an accepted evaluation was committed. */
void scree_record_take(scree_sim *sim);
void scree_record_clear(scree_records *records);
/** Fills the list of the contacts of the last accepted evaluation, valid until the next one; false when they
 * were not kept. */
bool scree_record_list(scree_sim *sim, scree_contact_list *list);
/** Sums of the contacts of the last accepted evaluation, NULL when they were not kept. */
const scree_contact_sums *scree_record_sums(const scree_sim *sim);
/** Contact force and torque on a body that is not free. */
void scree_reaction(const scree_sim *sim, uint32_t body, double force[3], double torque[3]);
/** Fills only the bodies of a view (observer.h, `watch`). */
void scree_view_state(scree_sim *sim, scree_view *view);
/** Fills a view of the current state; `contacts` may be NULL, else sim->records.contacts was set
 * when the last accepted evaluation was made. */
void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy,
                     scree_contact_list *contacts);
/** Sets `used` of a copy of its contacts, for one observer. */
void scree_view_lend(const scree_sim *sim, const scree_instance *observer,
                     scree_contact_list *contacts);

#endif
