/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: hosts that offer less. */
#ifndef CORE_CHECK_SERVICES_H
#define CORE_CHECK_SERVICES_H

#include "tools/check/check.h"

/** Case `services`: each service that create() asks for is withheld once, then all of them, then
 * the files of a run. `exercise`: some turns of an instance, which it frees; false: they failed. */
void scree_check_services(scree_check *check,
                          bool (*exercise)(scree_check *check, scree_instance *instance));

#endif
