/* SPDX-License-Identifier: Apache-2.0 */
/* Notifies plugins that bodies came, went or got other numbers. */
#ifndef CORE_NOTIFY_H
#define CORE_NOTIFY_H

#include "engine/sim.h"

/** Tells those that keep something by body number (GCDs get init or moved slots instead);
 * new_of_old [n_old]: SCREE_NONE of those that are gone. */
bool scree_notify_resized(scree_sim *sim, const uint32_t *new_of_old, uint32_t n_old,
                          GError **error);
/** Tells them that no body is what it was. */
bool scree_notify_all_new(scree_sim *sim, GError **error);
/** Lets modifiers set what fields start from: of all bodies, or of those that came in. */
bool scree_modifiers_enter(scree_sim *sim, GError **error);

#endif
