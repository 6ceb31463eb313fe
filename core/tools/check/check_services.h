/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: hosts that offer less. */
#ifndef CORE_CHECK_SERVICES_H
#define CORE_CHECK_SERVICES_H

#include "tools/check/check.h"

/** Case `services`: withholds each service that create() asks for, then all services. Then the
 * output service refuses all files. `exercise` calls the functions of an instance and frees the
 * instance; false: the check has failed. */
void scree_check_services(scree_check *check,
                          bool (*exercise)(scree_check *check, scree_instance *instance));

/** Returns whether create() asks for this service with the defaults. */
bool scree_check_asks(scree_check *check, const char *service);

#endif
