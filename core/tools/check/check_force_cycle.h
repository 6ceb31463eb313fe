/* SPDX-License-Identifier: Apache-2.0 */
/* Case `cycle` of force laws. */
#ifndef CORE_CHECK_FORCE_CYCLE_H
#define CORE_CHECK_FORCE_CYCLE_H

#include "tools/check/check.h"

void scree_check_force_cycle(scree_check *check);

#endif
