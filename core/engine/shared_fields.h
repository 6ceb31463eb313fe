/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of other plugins in a run, and how a plugin sees them. */
#ifndef CORE_SHARED_FIELDS_H
#define CORE_SHARED_FIELDS_H

#include "engine/state.h"

/** Appends a rate for each body field to which a law or modifier of the run adds, after all other
 * columns of bodies. */
void scree_shared_fields_add_rates(scree_sim *sim);
/** Sets where the laws find the fields that they read and add to; called after laws or columns of
 * bodies have changed. */
void scree_shared_fields_place(scree_sim *sim);
/** Checks that `user`, or (NULL) each law and modifier of the run, uses no missing field. */
bool scree_shared_fields_check(const scree_sim *sim, const scree_instance *user, GError **error);
bool scree_shared_fields_check_all(const scree_sim *sim, GError **error);

/** Shows a plugin the fields that it uses, in its view. Cheap for a plugin without uses. */
void scree_shared_fields_show(const scree_sim *sim, const scree_instance *user,
                              scree_fields_view *shared, scree_bodies *view);
/** Lets a modifier add to rates; `counts`: its additions count. */
void scree_shared_fields_show_rates(scree_sim *sim, const scree_instance *user, bool counts);
/** Takes the fields of other plugins out of the view, after the call. */
void scree_shared_fields_hide(scree_bodies *view);
void scree_fields_view_clear(scree_fields_view *shared);

#endif
