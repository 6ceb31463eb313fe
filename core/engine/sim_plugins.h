/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a run and all that follows only from them, made at the start and at a swap. */
#ifndef CORE_SIM_PLUGINS_H
#define CORE_SIM_PLUGINS_H

#include "engine/state.h"
#include "scene/scene_schedule.h"

/** Plugins that a swap has replaced. Unchanged parts are also in the run. */
typedef struct scree_saved_plugins {
    bool has_gcd, has_contacts, has_bodies; /* parts that the swap changes */
    scree_plugins plugins;
    scree_body_fields body_fields; /* fields of the world; if has_bodies */
} scree_saved_plugins;

/** The instances of a run in the order gcd, resolvers, laws, integrator, modifiers; a new array, to
 * be unreferenced. */
GPtrArray *scree_plugins_list(const scree_sim *sim);
/** The states of plugins that have some (scree.state/1), a new list of scree_saved_state in this
 * order. With an error: those before the failed one. */
GPtrArray *scree_states_of(const scree_sim *sim, GError **error);
/** The instances of the shapes that bodies of the run have or may get, in the order of the scene; a
 * new array, to be unreferenced. */
GPtrArray *scree_plugins_shapes(const scree_sim *sim);
/** Exchanges the plugins of the run with the saved ones. */
void scree_plugins_exchange(scree_sim *sim, scree_saved_plugins *saved);
/** Saves the plugins, and makes new ones from `set` and the plugins that stay. Fields have columns
 * but no values before scree_columns_map. After a failure the run has its previous plugins. */
bool scree_plugins_make(scree_sim *sim, const scree_plugin_set *set, scree_saved_plugins *saved,
                        GError **error);
/** Frees the changed parts, except instances that the run still uses. */
void scree_plugins_free(scree_sim *sim, scree_saved_plugins *saved);
/** Sets where modifiers find their fields, after body plugins were exchanged. */
void scree_plugins_place(scree_sim *sim);

#endif
