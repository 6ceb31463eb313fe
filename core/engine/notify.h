/* SPDX-License-Identifier: Apache-2.0 */
/* Lends modifiers their fields, and lets them set those of bodies that enter. */
#ifndef CORE_NOTIFY_H
#define CORE_NOTIFY_H

#include "engine/state.h"

/** Shows a modifier its own fields in `bodies` while it is called. */
void scree_modifier_lend_fields(scree_sim *sim, const scree_instance *modifier);
void scree_modifier_take_fields(scree_bodies *view);
/** Lets modifiers set initial fields of all bodies, or of inserted ones. */
bool scree_modifiers_enter(scree_sim *sim, GError **error);

#endif
