/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges plugins during a run: checks them, tries them on a copy, then applies the swap. */
#ifndef CORE_SWAP_H
#define CORE_SWAP_H

#include "base/json.h"
#include "change/schedule.h"
#include "engine/sim_plugins.h"
#include "engine/swap_record.h"

/** Exchanges the plugins of `set`, all or none, between two steps whose state is complete
 * (sim->watched). `settings` (NULL: none) change with them. `observers` NULL: observers cannot be
 * exchanged. Returns the swap, the last of sim->swaps.all. If it was refused, nothing has changed,
 * and `refused` holds the reason. NULL with an error: the run cannot continue. `set` must live as
 * long as the sim. */
const scree_swap *scree_swap_run(scree_sim *sim, scree_observers *observers,
                                 const scree_plugin_set *set, const scree_settings *settings,
                                 const char *cause, GError **error);

/** Makes the plugins of a set, then restores the current ones. `swap` (NULL: none) gets the step
 * for its laws and the settings (NULL: none). False with an error: the set would be refused. */
bool scree_swap_make(scree_sim *sim, const scree_plugin_set *set, const scree_settings *settings,
                     scree_swap *swap, GError **error);

/** Swaps the plugins of a scene's group, which lives as long as the sim; a mistake refuses the
 * swap. */
const scree_swap *scree_swap_group(scree_sim *sim, scree_observers *observers,
                                   const scree_node *group, const scree_settings *settings,
                                   const char *cause, GError **error);
/** Swaps the plugins and settings in the root of a config, which it owns, as `set` of a
 * schedule. */
const scree_swap *scree_swap_config(scree_sim *sim, scree_observers *observers,
                                    scree_config *config, const char *cause, GError **error);

/** Prints a line for the swap, for each field, and for each difference. */
void scree_swap_say(const scree_swap *swap);
/** Writes a swap as an object. */
void scree_swap_json(const scree_swap *swap, scree_json *json);
/** Writes the array "swaps", and the entries of the schedule that never acted. */
void scree_swaps_json(const scree_sim *sim, scree_json *json);

#endif
