/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins are put in the place of others in mid-run: checked, tried on a copy, then done or not. */
#ifndef CORE_SWAP_H
#define CORE_SWAP_H

#include "change/schedule.h"
#include "engine/sim_plugins.h"
#include "engine/swap_record.h"

/** Puts `set` in the place of what is there, all of it or nothing, in between two steps whose state
 * is complete (sim->watched). `hooks` may be NULL, then observers cannot be switched. NULL: the run
 * cannot go on. A swap that is refused is none of that: all is as before, and says why. What is
 * returned is the sim's, as the last of sim->swaps.all; `set` must live as long as the sim. */
const scree_swap *scree_swap_run(scree_sim *sim, scree_hooks *hooks,
                                 const scree_plugin_set_read *set, const char *cause,
                                 GError **error);

/** The same from a text, "gcd = { plugin = \"grid\"; };"; what is wrong with it is a refusal too.
 * `name` stands for a file's name in messages. */
const scree_swap *scree_swap_text(scree_sim *sim, scree_hooks *hooks, const char *text,
                                  const char *name, const char *cause, GError **error);

/** The same from a group of a scene that lives as long as the sim. */
const scree_swap *scree_swap_group(scree_sim *sim, scree_hooks *hooks, const scree_node *group,
                                   const char *cause, GError **error);
/** After fields were laid out: laws whose contact fields start anew see all contacts as fresh until
 * the next commit. */
void scree_swap_mark_newcomers(scree_sim *sim);
/** Does it, in this process; observers are left staged. `trial`: in a copy, where nothing that is
 * outside of it may be touched; they are committed. False, and all as before, with an error. */
bool scree_swap_carry_out(scree_sim *sim, scree_hooks *hooks, const scree_plugin_set *set,
                          scree_swap *swap, bool trial, GError **error);

#endif
