/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step for laws; global fields of laws and integrators. */
#ifndef CORE_LAW_STEPS_H
#define CORE_LAW_STEPS_H

#include "engine/state.h"

/** Returns the components of an instance's GLOBAL fields; NULL: it has none. */
double *scree_global_fields(const scree_sim *sim, const scree_instance *instance);
/** Checks the global fields after `call`. False, with blame: one is not finite. */
bool scree_global_fields_check(const scree_sim *sim, const scree_instance *instance,
                               const char *call, GError **error);
/** Calls after_step() of the laws that have one. */
bool scree_laws_after_step(const scree_sim *sim, GError **error);

#endif
