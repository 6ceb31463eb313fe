/* SPDX-License-Identifier: Apache-2.0 */
/* What observers see: the state, energies, contacts in canonical order. */
#ifndef CORE_OBSERVER_VIEW_H
#define CORE_OBSERVER_VIEW_H

#include "engine/sim.h"

/** After an accepted evaluation was committed: keeps what `record` and `record_walls` ask for. */
void scree_record_take(scree_sim *sim);
void scree_record_clear(scree_sim *sim);
/** What a recorded contact takes [bytes], with its place in the list that observers see. */
uint64_t scree_record_bytes(void);
/** Contact force and torque on a body that is not free. */
void scree_reaction(const scree_sim *sim, uint32_t body, double force[3], double torque[3]);
/** Fills what a view tells of the bodies alone (observer.h, `watch`). */
void scree_view_state(scree_sim *sim, scree_view *view);
/** Fills a view of the present state; `contacts` may be NULL, else sim->records.contacts was set
 * when the last accepted evaluation was made. */
void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy,
                     scree_contact_list *contacts);

#endif
