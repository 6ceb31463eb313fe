/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the plugin that has made a body too fast. */
#ifndef CORE_MOVER_H
#define CORE_MOVER_H

#include "engine/state.h"

/** After a step that failed because body sim->checks.flung is too fast: adds the cause to the
 * error, the law or modifier with the largest force on it, or the integrator. Tries each law. */
void scree_mover_add(scree_sim *sim, GError *error);

#endif
