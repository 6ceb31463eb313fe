/* SPDX-License-Identifier: Apache-2.0 */
/* The range of forces: the laws' ranges, for the sizes of the current bodies. */
#ifndef CORE_REACH_H
#define CORE_REACH_H

#include "engine/state.h"

/** Asks the laws for their ranges if bodies were inserted or removed
 * (sim->plugins.contact.reach_known), and sets sim->plugins.contact.range and
 * sim->plugins.contact.gap. Called before extents are used in an evaluation. */
bool scree_reach_find(scree_sim *sim, GError **error);

#endif
