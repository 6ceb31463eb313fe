/* SPDX-License-Identifier: Apache-2.0 */
/* Names the plugin that has made a body too fast. */
#ifndef CORE_MOVER_H
#define CORE_MOVER_H

#include "engine/state.h"

/** After a step that has failed because body sim->checks.flung is too fast: adds to the error its cause, the
 * law or the modifier with the largest force on it, or the integrator. Evaluates the laws one by one. */
void scree_mover_add(scree_sim *sim, GError *error);

#endif
