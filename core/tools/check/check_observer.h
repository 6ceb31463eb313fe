/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of all observers, whatever they write. */
#ifndef CORE_CHECK_OBSERVER_H
#define CORE_CHECK_OBSERVER_H

#include "tools/check/check.h"

/** Makes some views of a run that does not end. False: the check has failed. */
bool scree_check_observer_use(scree_check *check, scree_instance *instance);

#endif
