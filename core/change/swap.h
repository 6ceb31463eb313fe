/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges plugins while a run goes on: checks them, tries them on a copy, then does it or not. */
#ifndef CORE_SWAP_H
#define CORE_SWAP_H

#include "change/schedule.h"
#include "engine/sim_plugins.h"
#include "engine/swap_record.h"

/** Exchanges the plugins of `set`, all of them or none, between two steps whose state is complete
 * (sim->watched). `settings` (NULL: none) change with them. With `observers` NULL observers cannot be exchanged. Returns what became of it,
 * the last of sim->swaps.all, also when the swap was refused: then nothing has changed, and
 * `refused` says why. NULL with an error: the run cannot go on. `set` must live as long as the sim.
 */
const scree_swap *scree_swap_run(scree_sim *sim, scree_observers *observers,
                                 const scree_plugin_set_read *set, const scree_settings *settings,
                                 const char *cause, GError **error);

/** The same from a group of a scene that lives as long as the sim; what is wrong with it is a refusal, too. */
const scree_swap *scree_swap_group(scree_sim *sim, scree_observers *observers,
                                   const scree_node *group, const scree_settings *settings,
                                   const char *cause, GError **error);

#endif
