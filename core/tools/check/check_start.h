/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators under test that bring their own bodies. */
#ifndef CORE_CHECK_START_H
#define CORE_CHECK_START_H

#include "tools/check/check_motion.h"

/** Whether a source brings the bodies of the file's integrators. */
bool scree_check_leads(const scree_check *check);
/** The bodies, at rest in step 0, for `instance`; NULL: the check has failed. */
scree_check_motion *scree_check_started(scree_check *check, scree_instance *instance,
                                        bool descending);
/* Cases in the list of check_integrator.c. */
void scree_check_start_list(scree_check *check);
void scree_check_start_motion(scree_check *check);

#endif
