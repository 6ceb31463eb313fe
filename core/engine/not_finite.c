/* SPDX-License-Identifier: Apache-2.0 */
/* How a number that is not finite is reported: as a fault of a plugin, or of a too large dt. */
#include "engine/not_finite.h"

const char *scree_not_finite_hint(const scree_sim *sim)
{
    return sim->dt > sim->critical ? " (dt is above the critical step: the run has blown up?)" : "";
}

int scree_not_finite_status(const scree_sim *sim)
{
    return sim->dt > sim->critical ? SCREE_EXIT_RUN : SCREE_EXIT_PLUGIN;
}
