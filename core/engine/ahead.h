/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts between own rows, while ghosts of a rank are on their way. */
#ifndef CORE_AHEAD_H
#define CORE_AHEAD_H

#include "engine/lane.h"

/** While an exchange is open: computes contacts between own rows until it is done, or enough are. */
bool scree_ahead_run(const scree_evaluation *e, GError **error);
/** Forgets them, because other lists or bodies follow. */
void scree_ahead_drop(scree_sim *sim);

#endif
