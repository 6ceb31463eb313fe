/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of others: which they are in a run, and how plugins get to see them. */
#ifndef CORE_SHARED_FIELDS_H
#define CORE_SHARED_FIELDS_H

#include "engine/state.h"

/** Appends a rate for each body field to which some law or modifier of the run adds: after all other
 * columns of bodies. */
void scree_shared_fields_add_rates(scree_sim *sim);
/** Sets where the laws find what they read and add to: after laws or columns of bodies have
 * changed. */
void scree_shared_fields_place(scree_sim *sim);
/** False when one plugin of the run, or a law or modifier of it, uses a field that is not there. */
bool scree_shared_fields_check(const scree_sim *sim, const scree_instance *user, GError **error);
bool scree_shared_fields_check_all(const scree_sim *sim, GError **error);

/** Shows a plugin, in the view, what it uses. Cheap for one that uses nothing. */
void scree_shared_fields_show(const scree_sim *sim, const scree_instance *user,
                              scree_fields_view *shared, scree_bodies *view);
/** Lets a modifier add to rates; `counts`: what it adds counts. */
void scree_shared_fields_show_rates(scree_sim *sim, const scree_instance *user, bool counts);
void scree_shared_fields_add(scree_sim *sim);
void scree_fields_view_clear(scree_fields_view *shared);

#endif
