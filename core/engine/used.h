/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of others: which they are in a run, and how plugins get to see them. */
#ifndef CORE_USED_H
#define CORE_USED_H

#include "engine/state.h"

/** Appends a rate for each body field to which some law or modifier of the run adds: after all other
 * columns of bodies. */
void scree_used_add_rates(scree_sim *sim);
/** Sets where the laws find what they read and add to: after laws or columns of bodies have
 * changed. */
void scree_used_place(scree_sim *sim);
/** False when one plugin of the run, or a law or modifier of it, uses a field that is not there. */
bool scree_used_check(const scree_sim *sim, const scree_instance *user, GError **error);
bool scree_used_check_all(const scree_sim *sim, GError **error);

/** Shows a plugin, in the view, what it uses. Cheap for one that uses nothing. */
void scree_used_lend(const scree_sim *sim, const scree_instance *user, scree_lent *lent,
                     scree_bodies *view);
/** Lets a modifier add to rates; `taken`: what it adds counts. */
void scree_used_lend_rates(scree_sim *sim, const scree_instance *user, bool taken);
void scree_used_take(scree_sim *sim);
void scree_lent_clear(scree_lent *lent);

#endif
