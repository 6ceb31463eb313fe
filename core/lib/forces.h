/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of the caller: the service scree.embed/1 for modifier/callback. */
#ifndef CORE_LIB_FORCES_H
#define CORE_LIB_FORCES_H

#include "lib/visit.h"

/** Offers the service to the plugins of a run that is opened. */
void scree_lib_forces_begin(sc_run *run);
void scree_lib_forces_clear(sc_run *run);
/** Whether the scene has a modifier `callback`. */
bool scree_lib_forces_wanted(const scree_scene *scene);
/** Whether the run has one. */
bool scree_lib_forces_used(const scree_sim *sim);
/** False with an error: the caller has not set the function of such a modifier. */
bool scree_lib_forces_check(const sc_run *run, GError **error);

#endif
