/* SPDX-License-Identifier: Apache-2.0 */
/* Notifies plugins that bodies were inserted, removed or renumbered. */
#ifndef CORE_NOTIFY_H
#define CORE_NOTIFY_H

#include "engine/state.h"

/** Notifies plugins with data by body number (GCDs get init or moved slots instead); new_of_old
 * [n_old]: SCREE_NONE for removed bodies. */
bool scree_notify_resized(const scree_sim *sim, const uint32_t *new_of_old, uint32_t n_old,
                          GError **error);
/** Notifies them that all bodies are new. */
bool scree_notify_all_new(const scree_sim *sim, GError **error);
/** Shows a modifier its own fields in `bodies` while it is called. */
void scree_modifier_lend_fields(scree_sim *sim, const scree_instance *modifier);
void scree_modifier_take_fields(scree_sim *sim);
/** Lets modifiers set initial fields of all bodies, or of inserted ones. */
bool scree_modifiers_enter(scree_sim *sim, GError **error);

#endif
