/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a run and all that follows from them alone: made at the start, and at a swap. */
#ifndef CORE_SIM_PLUGINS_H
#define CORE_SIM_PLUGINS_H

#include "engine/sim.h"

/** What to put in the place of what is there; NULL: that stays as it is. */
typedef struct scree_plugin_set {
    const scree_choice_of *gcd, *integrator;
    const GPtrArray *resolvers, *forces; /* of scree_choice_of: all of them */
    /* of scree_hook, by name: those that are there already, and new ones; without a choice: to be
     * taken out */
    const GPtrArray *modifiers, *observers;
} scree_plugin_set;

/** Plugins that a swap has taken out. Parts that it does not change are in the run, too. */
typedef struct scree_saved_plugins {
    bool has_gcd, has_contacts, has_bodies; /* the parts that the swap changes */
    scree_plugins plugins;
    scree_body_fields body_fields; /* of the world; has_bodies */
} scree_saved_plugins;

/** The instances of a run in the order gcd, resolvers, laws, integrator, modifiers; a new array, to
 * be unreferenced. */
GPtrArray *scree_plugins_list(const scree_sim *sim);
/** Puts the saved plugins into the run, and saves what was there. */
void scree_plugins_exchange(scree_sim *sim, scree_saved_plugins *saved);
/** Saves the plugins and makes new ones of what is in `set` and what stays; fields are laid out,
 * but empty: scree_columns_map comes next. After a failure the run has its previous plugins. */
bool scree_plugins_make(scree_sim *sim, const scree_plugin_set *set, scree_saved_plugins *saved,
                        GError **error);
/** Frees the parts that were changed, except instances that the run still uses. */
void scree_plugins_free(scree_sim *sim, scree_saved_plugins *saved);
/** Sets where modifiers find their fields: after body plugins were exchanged. */
void scree_plugins_place(scree_sim *sim);

#endif
