/* SPDX-License-Identifier: Apache-2.0 */
/* Tries a swap in a forked child. */
#ifndef CORE_SWAP_TRIAL_H
#define CORE_SWAP_TRIAL_H

#include "engine/observers.h"
#include "engine/sim_plugins.h"
#include "engine/swap_record.h"
#include "scene/scene_settings.h"

/** Runs the whole swap and a step in a forked child with a time limit: this process survives
 * whatever the new plugins do. `settings` (NULL: none) change with them. Fills the differences in
 * `swap`, and its steps. False with an error: the swap must be refused. */
bool scree_swap_try(scree_sim *sim, scree_observers *observers, const scree_plugin_set *set,
                    const scree_settings *settings, scree_swap *swap, GError **error);

#endif
