/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the whole state: energies, momentum, forces on walls. No order changes a bit. */
#ifndef CORE_ENERGY_H
#define CORE_ENERGY_H

#include "engine/state.h"

void scree_energy_now(const scree_sim *sim, scree_energy *energy);
double scree_energy_body(const scree_sim *sim, uint32_t i); /* kinetic + gravity */
/** Begins a run at this time [s]: its work, losses and duration count from here. */
void scree_energy_begin(scree_account *account, double time);
/** Books work [J] from outside, and the part of it that contacts and modifiers store. */
void scree_energy_book(scree_account *account, double work, double stored);
/** Returns the energy [J] stored in the contacts, from the wrenches of the newest evaluation. */
double scree_energy_stored(const scree_sim *sim);
/** Returns this energy [J], and the one that an accepted evaluation would book as lost, in `since` [s]. */
double scree_energy_bound(const scree_sim *sim, double since);
/** Books what an accepted evaluation lost and what walls did. */
bool scree_energy_account(scree_sim *sim, double since, GError **error);
/** Adds `by` (1 or -1) times the energies [J] that contacts of bodies with marked[i] != 0 store, by the
 * segments' tables `which`. */
void scree_energy_add_stored(const scree_sim *sim, const uint8_t *marked, uint32_t which, double by,
                             scree_exact_sum *to);
/** While ranks are apart, with the notes of all in ranks->shared: adds the sums over leaves that ranks
 * share, which are those of one rank. */
void scree_energy_add_shared(scree_sim *sim);
/** Returns how many numbers rank `rank` notes of an evaluation while ranks are apart. */
uint32_t scree_energy_noted(const scree_sim *sim, uint32_t rank);
void scree_momentum(const scree_sim *sim, double linear[3], double angular[3]);
/** Calls `take` for the load of every contact with a body that is not free, in canonical order;
 * while ranks are apart, of own rows. Valid until the next evaluation. */
void scree_each_wall_load(const scree_sim *sim,
                          void (*take)(void *user, uint32_t row, uint32_t wall,
                                       const scree_contact_load *line),
                          void *user);

#endif
