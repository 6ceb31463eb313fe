/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges the plugins of a run, and maps fields and contacts to those of the new plugins. */
#ifndef CORE_SWAP_APPLY_H
#define CORE_SWAP_APPLY_H

#include "engine/observers.h"
#include "engine/sim_plugins.h"
#include "engine/swap_record.h"

/** Applies a swap in this process; new observers are staged, but not committed. `trial`: it runs in
 * a copy of the process, changes nothing outside of it, and commits observers. False with an error:
 * nothing has changed. */
bool scree_swap_apply(scree_sim *sim, scree_observers *observers, const scree_plugin_set *set,
                      scree_swap *swap, bool trial, GError **error);
/** After fields were laid out: laws whose contact fields have a value `initial` see all contacts as
 * fresh until the next commit. */
void scree_swap_mark_newcomers(const scree_sim *sim);

#endif
