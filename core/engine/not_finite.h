/* SPDX-License-Identifier: Apache-2.0 */
/* How a number that is not finite is reported: as a fault of a plugin, or of a too large dt. */
#ifndef CORE_NOT_FINITE_H
#define CORE_NOT_FINITE_H

#include "engine/state.h"

/** Text to append to a message about it: "", or that dt is above the critical step. */
const char *scree_not_finite_hint(const scree_sim *sim);
/** Exit status: SCREE_EXIT_RUN where dt is above the critical step, else SCREE_EXIT_PLUGIN. */
int scree_not_finite_status(const scree_sim *sim);

#endif
